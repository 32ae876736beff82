/** Counters of threads and their requests. */
export interface PoolUse {
  /** Threads that there are now, and how many there were at most. */
  readonly threads: number
  readonly largest: number
  /** Requests under way. */
  readonly active: number
  /** Requests that wait for a thread. */
  readonly queued: number
  /** Requests since the start that found the queue full, and those that were answered. */
  readonly rejected: number
  readonly completed: number
  /** Time that requests have waited for a thread; not measured for queues of one thread: 0. */
  readonly waitedInMillis: number
}

/** Counters of no threads. */
export const NO_USE: PoolUse = {
  threads: 0,
  largest: 0,
  active: 0,
  queued: 0,
  rejected: 0,
  completed: 0,
  waitedInMillis: 0,
}

/** Counters of several threads together. */
export function addUses(uses: readonly PoolUse[]): PoolUse {
  const total: { -readonly [K in keyof PoolUse]: number } = { ...NO_USE }
  for (const use of uses)
    for (const key of Object.keys(total) as (keyof PoolUse)[]) total[key] += use[key]
  return total
}
