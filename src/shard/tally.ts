/** A counter and the total time of what it counts. */
export interface Tally {
  count: number
  timeInMillis: number
  /** Running now. */
  current: number
}

/** A shard's activity since it was opened. */
export interface ShardTallies {
  readonly index: Tally
  readonly delete: Tally
  readonly getExists: Tally
  readonly getMissing: Tally
  readonly query: Tally
  readonly fetch: Tally
  readonly refresh: Tally
  readonly flush: Tally
  readonly merge: Tally
  /** Rejected documents. */
  indexFailed: number
  /** Updates that found nothing to change. */
  noopUpdates: number
  mergedDocs: number
  mergedBytes: number
}

/** Tallies that start at 0. */
export function newTallies(): ShardTallies {
  const tally = (): Tally => ({ count: 0, timeInMillis: 0, current: 0 })
  return {
    index: tally(),
    delete: tally(),
    getExists: tally(),
    getMissing: tally(),
    query: tally(),
    fetch: tally(),
    refresh: tally(),
    flush: tally(),
    merge: tally(),
    indexFailed: 0,
    noopUpdates: 0,
    mergedDocs: 0,
    mergedBytes: 0,
  }
}

/** Runs an operation and counts it, successful or not. */
export async function measure<T>(tally: Tally, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  tally.current++
  try {
    return await work()
  } finally {
    tally.current--
    tally.count++
    tally.timeInMillis += performance.now() - started
  }
}
