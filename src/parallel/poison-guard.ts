import { serialize } from 'node:v8'
import { EngineError } from '../util/errors.ts'

/** Deaths of threads over one query, within the window below, from which on it is rejected. */
const MAX_LOSSES = 3
const WINDOW_IN_MILLIS = 60_000
/** Max queries remembered; the oldest deaths are forgotten first. */
const MAX_QUERIES = 100

/**
 * Rejects a query over which threads died repeatedly: each death costs other searches a thread
 * until its replacement has started. The query is admitted again once the window has fewer deaths.
 */
export class PoisonGuard {
  /** Times of deaths by query, least recent death first. */
  readonly #losses = new Map<string, number[]>()

  /** Records that a thread died over a query. */
  noteLoss(query: unknown): void {
    const key = keyOf(query)
    const recent = this.#recent(key)
    this.#losses.delete(key)
    this.#losses.set(key, [...recent, performance.now()])
    for (const oldest of this.#losses.keys()) {
      if (this.#losses.size <= MAX_QUERIES) break
      this.#losses.delete(oldest)
    }
  }

  /** @throws {EngineError} 429 `rejected_execution_exception` for a query with too many deaths */
  check(query: unknown): void {
    if (this.#losses.size === 0) return
    const key = keyOf(query)
    if (this.#recent(key).length < MAX_LOSSES) return
    throw new EngineError({
      type: 'rejected_execution_exception',
      reason:
        `rejected execution of a query over which ${MAX_LOSSES} search threads died within ` +
        `${WINDOW_IN_MILLIS / 1000}s: change it, or try again in a minute`,
    })
  }

  #recent(key: string): number[] {
    const since = performance.now() - WINDOW_IN_MILLIS
    return (this.#losses.get(key) ?? []).filter(at => at > since)
  }
}

/** Queries are plain data with bytes and bigints. */
function keyOf(query: unknown): string {
  return serialize(query).toString('latin1')
}
