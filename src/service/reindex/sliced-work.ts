import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CallContext } from '../../task/call-context.ts'
import { type Progress, sumOfSlices } from './progress.ts'
import type { ByScrollOutcome, ScrollWork } from './scroll-work.ts'

/** One of the parts, begun by its task. */
export type SliceWork = (sliceId: number, context: CallContext) => ScrollWork

/** A work in parts that run at the same time, each a task below that of the whole. */
export class SlicedWork {
  readonly #engine: EngineApi
  readonly #context: CallContext
  readonly #begin: SliceWork
  readonly #running: (ScrollWork | null)[]
  readonly #ended: (ByScrollOutcome | null)[]

  /** @param count of parts, min 2 */
  constructor(engine: EngineApi, count: number, begin: SliceWork, context: CallContext) {
    this.#engine = engine
    this.#begin = begin
    this.#context = context
    this.#running = new Array<ScrollWork | null>(count).fill(null)
    this.#ended = new Array<ByScrollOutcome | null>(count).fill(null)
  }

  /** How far its parts are, together. */
  progress(): Progress {
    const slices = this.#running.map(
      (work, i) => this.#ended[i]?.progress ?? work?.progress() ?? null,
    )
    const rate = slices.reduce((sum, slice) => sum + (slice?.pace.rate ?? 0), 0)
    return sumOfSlices(slices, rate, this.#context.isCancelled)
  }

  /** Spreads a rate over the parts that still run. */
  rethrottle(rate: number): void {
    const works = this.#running.filter((work, i) => work !== null && this.#ended[i] === null)
    for (const work of works) work!.rethrottle(rate / works.length)
  }

  /**
   * Runs all parts to their ends.
   * @throws {EngineError} the error of the first part that failed, when the others have ended
   */
  async run(): Promise<ByScrollOutcome> {
    const started = performance.now()
    const { action } = this.#context.task
    const settled = await Promise.allSettled(
      this.#running.map((_, sliceId) =>
        this.#engine.tasks.step(this.#context, action, async context => {
          const work = this.#begin(sliceId, context)
          this.#running[sliceId] = work
          const outcome = await work.run()
          this.#ended[sliceId] = outcome
          return outcome
        }),
      ),
    )
    const outcomes = settled.map(result => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
    return {
      tookInMillis: Math.floor(performance.now() - started),
      isTimedOut: outcomes.some(({ isTimedOut }) => isTimedOut),
      progress: this.progress(),
      searchFailures: outcomes.flatMap(({ searchFailures }) => searchFailures),
      writeFailures: outcomes.flatMap(({ writeFailures }) => writeFailures),
    }
  }
}
