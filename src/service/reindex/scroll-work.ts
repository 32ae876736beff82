import type { DocumentWrite } from '../../engine/api/documents.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { untilCancelled } from '../../util/cancelled-error.ts'
import { EngineError } from '../../util/errors.ts'
import { counted } from '../../util/turns.ts'
import { withBackoff } from './backoff.ts'
import { type BatchOptions, BatchWriter, type WriteFailure } from './batch-writer.ts'
import type { ByScrollCall } from './by-scroll-call.ts'
import type { FoundHit, HitPage, HitSource, SearchFailure } from './hit-source.ts'
import { type Counts, newCounts, type Progress, paceOf } from './progress.ts'
import { Throttle } from './throttle.ts'

/** The writes that a batch of matches asks for, and how many of them ask for none. */
export interface PreparedBatch {
  readonly writes: readonly DocumentWrite[]
  readonly noops: number
}

/** Makes writes of matches. */
export type PrepareBatch = (
  hits: readonly FoundHit[],
  signal: Cancellation,
) => PreparedBatch | Promise<PreparedBatch>

/** The end of a work. */
export interface ByScrollOutcome {
  readonly tookInMillis: number
  readonly isTimedOut: boolean
  readonly progress: Progress
  readonly searchFailures: readonly SearchFailure[]
  readonly writeFailures: readonly WriteFailure[]
}

/** The parts of a work. */
export interface ScrollWorkParts {
  readonly call: ByScrollCall
  readonly sliceId: number | null
  readonly options: BatchOptions
  readonly hits: HitSource
  readonly prepare: PrepareBatch
}

type Ending = Pick<ByScrollOutcome, 'isTimedOut' | 'searchFailures' | 'writeFailures'>

const NO_FAILURES: Ending = { isTimedOut: false, searchFailures: [], writeFailures: [] }

/** Goes through the pages of a search and writes what each asks for. */
export class ScrollWork {
  readonly #engine: EngineApi
  readonly #parts: ScrollWorkParts
  readonly #context: CallContext
  readonly #counts: Counts = newCounts()
  readonly #throttle: Throttle
  readonly #writer: BatchWriter

  constructor(engine: EngineApi, parts: ScrollWorkParts, context: CallContext) {
    this.#engine = engine
    this.#parts = parts
    this.#context = context
    this.#throttle = new Throttle(parts.call.requestsPerSecond)
    this.#writer = new BatchWriter(engine, parts.options, this.#counts, context)
  }

  /** How far it is. */
  progress(): Progress {
    return {
      sliceId: this.#parts.sliceId,
      counts: { ...this.#counts },
      pace: paceOf(this.#throttle),
      isCancelled: this.#context.isCancelled,
      slices: null,
    }
  }

  /** Changes the rate while it runs. */
  rethrottle(rate: number): void {
    this.#throttle.rethrottle(rate)
  }

  /**
   * Runs it to its end. A cancellation is an end too, of which the progress tells.
   * @throws {EngineError} the search fails as a whole, or a script
   */
  async run(): Promise<ByScrollOutcome> {
    const started = performance.now()
    const ending = await this.#goThrough().catch((error: unknown) => {
      // A step that the cancellation stopped; a defect of ours is told all the same.
      if (this.#context.isCancelled && error instanceof EngineError) return NO_FAILURES
      throw error
    })
    return {
      tookInMillis: Math.floor(performance.now() - started),
      progress: this.progress(),
      ...ending,
    }
  }

  async #goThrough(): Promise<Ending> {
    const { hits } = this.#parts
    let ahead: Promise<HitPage> | null = null
    try {
      let page = await this.#page(() => hits.first())
      for (let seen = 0; ; ) {
        const { failures, isTimedOut } = page
        if (this.#context.isCancelled) return NO_FAILURES
        if (failures.length > 0 || isTimedOut) {
          await this.#refresh()
          return { isTimedOut, searchFailures: failures, writeFailures: [] }
        }
        const { maxDocs } = this.#parts.call
        this.#counts.total = Math.min(page.total, maxDocs ?? Number.POSITIVE_INFINITY)
        const taken = page.hits.slice(0, this.#left)
        if (taken.length === 0) break
        seen += page.hits.length
        const isLast = seen >= page.total
        // The next page is read while this one is written.
        const isWhole = taken.length >= this.#left
        if (!(isLast || isWhole || this.#throttle.isOn)) ahead = this.#ahead(0)
        const began = performance.now()
        const { writeFailures, sent } = await this.#write(taken)
        if (this.#context.isCancelled) return NO_FAILURES
        if (writeFailures.length > 0) {
          await this.#refresh()
          return { ...NO_FAILURES, writeFailures }
        }
        if (this.#left === 0) break
        // Behind the last page too, as in the real server, which only then learns that it was the last.
        const pause = this.#throttle.delayAfter(sent, performance.now() - began)
        if (!isLast) ahead ??= this.#ahead(pause)
        await this.#throttle.wait(pause, this.#context)
        if (this.#context.isCancelled) return NO_FAILURES
        if (ahead === null) break
        page = await ahead
        ahead = null
      }
      await this.#refresh()
      return NO_FAILURES
    } finally {
      // A page under way holds its snapshots.
      if (ahead !== null) await ahead.catch(() => {})
      await hits.close()
    }
  }

  /** Documents that may still be written. */
  get #left(): number {
    const { updated, created, deleted } = this.#counts
    const { maxDocs } = this.#parts.call
    return (maxDocs ?? Number.POSITIVE_INFINITY) - updated - created - deleted
  }

  /** The next page, whose failure is looked at when it is its turn. */
  #ahead(pauseInMillis: number): Promise<HitPage> {
    const page = this.#page(() => this.#parts.hits.next(pauseInMillis))
    page.catch(() => {})
    return page
  }

  #page(request: () => Promise<HitPage>): Promise<HitPage> {
    return withBackoff(request, () => this.#counts.searchRetries++, this.#context)
  }

  async #write(
    hits: readonly FoundHit[],
  ): Promise<{ readonly writeFailures: readonly WriteFailure[]; readonly sent: number }> {
    this.#counts.batches++
    // A script may still run over them on its thread, whose results then go nowhere.
    const context = this.#context
    const prepared = Promise.resolve(counted(context, () => this.#parts.prepare(hits, context)))
    const { writes, noops } = await untilCancelled(prepared, context)
    this.#counts.noops += noops
    if (this.#context.isCancelled) return { writeFailures: [], sent: 0 }
    return { writeFailures: await this.#writer.write(writes), sent: writes.length }
  }

  async #refresh(): Promise<void> {
    const names = [...this.#writer.written]
    if (!this.#parts.call.refreshes || names.length === 0) return
    await this.#engine.indices.refresh(
      {
        names,
        ignoreUnavailable: true,
        allowNoIndices: true,
        expandOpen: true,
        expandClosed: false,
        expandHidden: true,
        allowAliases: true,
        allowDataStreams: true,
      },
      this.#context.child('indices:admin/refresh'),
    )
  }
}
