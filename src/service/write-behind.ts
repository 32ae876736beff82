import { setTimeout as wait } from 'node:timers/promises'
import type { EngineApi } from '../engine/api/engine-api.ts'
import type { EngineError } from '../util/errors.ts'

/** Records of one write. */
const MAX_BATCH = 500
/** Between two tries where records cannot be written. */
const PAUSE_IN_MILLIS = 1_000

/** What a queue writes, and where. */
export interface WriteBehindOptions<T> {
  /** The name that lines of the log bear. */
  readonly logger: string
  /** Several records in such a line, `events`. */
  readonly noun: string
  /** Records that wait at most; the others are lost. */
  readonly maxQueued: () => number
  /** Whether two records may be written together; absent: any may. */
  readonly isTogether?: (a: T, b: T) => boolean
  /**
   * Writes some, the oldest.
   * @returns what became of each, in order: null where it is written
   * @throws {EngineError} none of them is
   */
  readonly write: (batch: readonly T[]) => Promise<readonly (EngineError | null)[]>
}

/**
 * Writes records in the background, behind the work that they tell of, which never waits for them.
 *
 * Where they cannot be written, they wait and are tried again; a record that is refused for what it holds is lost,
 * and so is what comes when too many wait. The log of the node says how many that were.
 */
export class WriteBehind<T> {
  readonly #engine: EngineApi
  readonly #options: WriteBehindOptions<T>
  readonly #ending = new AbortController()
  #queue: T[] = []
  #lost = 0
  #writing: Promise<void> | null = null

  constructor(engine: EngineApi, options: WriteBehindOptions<T>) {
    this.#engine = engine
    this.#options = options
    engine.writeAtClose(() => this.#stop())
  }

  /** Takes a record, to be written soon. */
  add(record: T): void {
    if (this.#ending.signal.aborted) return
    if (this.#queue.length >= this.#options.maxQueued()) this.#lost++
    else this.#queue.push(record)
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
    })
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#ending
    // Records of one turn are one write.
    await new Promise(setImmediate)
    let hasFailed = false
    while (this.#queue.length > 0) {
      const error = await this.#writeSome()
      if (error === null) {
        hasFailed = false
        this.#tellLost()
        continue
      }
      if (!hasFailed) this.#warn(`${this.#options.noun} cannot be written: ${reasonOf(error)}`)
      hasFailed = true
      // The last try is the one of the end.
      if (signal.aborted) return
      await wait(PAUSE_IN_MILLIS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** @returns why some of them are left in the queue; null: none of those that were tried is */
  async #writeSome(): Promise<unknown> {
    const { noun, write } = this.#options
    const batch = this.#nextBatch()
    let outcomes: readonly (EngineError | null)[]
    try {
      outcomes = await write(batch)
    } catch (error) {
      return error
    }
    const refused = outcomes.filter(error => error !== null && isRefusal(error))
    if (refused.length > 0)
      this.#warn(`${refused.length} ${noun} were lost: ${reasonOf(refused[0])}`)
    const later = outcomes.map(error => error !== null && !isRefusal(error))
    const left = batch.filter((_, i) => later[i])
    this.#queue.splice(0, batch.length, ...left)
    return left.length === 0 ? null : outcomes[later.indexOf(true)]
  }

  /** The oldest records that are written together. */
  #nextBatch(): readonly T[] {
    const { isTogether = () => true } = this.#options
    const oldest = this.#queue.slice(0, MAX_BATCH)
    const other = oldest.findIndex(record => !isTogether(oldest[0]!, record))
    return other < 0 ? oldest : oldest.slice(0, other)
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    const { noun, maxQueued } = this.#options
    this.#warn(`${this.#lost} ${noun} were lost: more than [${maxQueued()}] waited`)
    this.#lost = 0
  }

  #warn(message: string): void {
    this.#engine.log({ logger: this.#options.logger, level: 'WARN', message })
  }

  async #stop(): Promise<void> {
    this.#ending.abort()
    await this.#writing
    if (this.#queue.length > 0)
      this.#warn(`${this.#queue.length} ${this.#options.noun} were lost at the end`)
    this.#tellLost()
  }
}

/** Whether a record is refused for what it holds, so that a later try would be as well. */
function isRefusal({ type }: EngineError): boolean {
  return type === 'mapper_parsing_exception' || type === 'strict_dynamic_mapping_exception'
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
