import type { Piscina } from 'piscina'

/** A thread of a pool, as the process knows it. */
export interface PoolThread {
  /** Name of its pool. */
  readonly pool: string
  /** From 0, among those of the pool. */
  readonly number: number
  /** Of `node:worker_threads`. */
  readonly threadId: number
}

/** The id of the thread of a pool that has one; null while it starts, and without a pool. */
export function threadIdOf(pool: Piscina | null): number | null {
  return pool?.threads[0]?.threadId ?? null
}
