import { serialize } from 'node:v8'
import { EngineError } from '../util/errors.ts'

/** So many threads may die over the same query in so many milliseconds. */
const MOST_LOSSES = 3
const WINDOW_IN_MILLIS = 60_000
/** Queries that are remembered: those that killed last. */
const MOST_QUERIES = 100

/**
 * Refuses a query over which thread after thread has died: each death costs the others a thread for as
 * long as another one takes to start. It is let in again when the last minute has seen fewer.
 */
export class PoisonGuard {
  /** When threads died, by query, the query that killed last being last. */
  readonly #losses = new Map<string, number[]>()

  /** A thread died over a query. */
  noteLoss(query: unknown): void {
    const key = keyOf(query)
    const recent = this.#recent(key)
    this.#losses.delete(key)
    this.#losses.set(key, [...recent, performance.now()])
    for (const oldest of this.#losses.keys()) {
      if (this.#losses.size <= MOST_QUERIES) break
      this.#losses.delete(oldest)
    }
  }

  /** @throws {EngineError} 429 `rejected_execution_exception` for a query that has killed too often */
  check(query: unknown): void {
    if (this.#losses.size === 0) return
    const key = keyOf(query)
    if (this.#recent(key).length < MOST_LOSSES) return
    throw new EngineError({
      type: 'rejected_execution_exception',
      reason:
        `rejected execution of a query over which ${MOST_LOSSES} search threads died within ` +
        `${WINDOW_IN_MILLIS / 1000}s: change it, or try again in a minute`,
    })
  }

  #recent(key: string): number[] {
    const since = performance.now() - WINDOW_IN_MILLIS
    return (this.#losses.get(key) ?? []).filter(at => at > since)
  }
}

/** Queries are plain data, with bytes and large integers among them. */
function keyOf(query: unknown): string {
  return serialize(query).toString('latin1')
}
