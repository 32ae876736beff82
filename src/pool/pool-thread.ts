/** A thread of a pool, as the process knows it. */
export interface PoolThread {
  /** Name of its pool. */
  readonly pool: string
  /** From 0, among those of the pool. */
  readonly number: number
  /** Of `node:worker_threads`. */
  readonly threadId: number
}
