import { EngineError } from '../../util/errors.ts'

/** Checks at a time: each takes memory and a thread of the few that files are read with. */
const MAX_RUNNING = 2
/** Checks that may wait. */
const MAX_WAITING = 100

/** Bounds the checks of passwords: whoever sends many names takes a queue, and nobody else's time. */
export class HashingQueue {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /**
   * Runs a check when it is its turn.
   * @throws {EngineError} `rejected_execution_exception`: too many wait
   */
  async run<T>(check: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_RUNNING) {
      if (this.#waiting.length >= MAX_WAITING)
        throw new EngineError({
          type: 'rejected_execution_exception',
          reason: `rejected authentication: ${MAX_WAITING} wait already`,
        })
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await check()
    } finally {
      // The turn goes on to the next one, who need not be counted anew.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
