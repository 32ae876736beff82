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
  /** Searches for suggestions alone. */
  readonly suggest: Tally
  readonly refresh: Tally
  readonly flush: Tally
  readonly merge: Tally
  /** Query phases in slices, among those of `query`. */
  readonly concurrentQuery: Tally
  /** Slices of those. */
  concurrentSlices: number
  /** Query phases that failed. */
  queryFailed: number
  /** Scrolls and points in time that hold a snapshot; counted, with the time that they were open, at their end. */
  readonly scroll: Tally
  readonly pointInTime: Tally
  /** Searches, scrolls and points in time that hold a snapshot. */
  openContexts: number
  /** Query and fetch phases by the groups that searches name; null before the first. */
  groups: Map<string, GroupTallies> | null
  /** Rejected documents. */
  indexFailed: number
  /** Updates that found nothing to change. */
  noopUpdates: number
  /** Time of the last index operation, milliseconds since 1970; 0 before the first. */
  lastIndexedAt: number
  /** Documents and bytes of the sources of finished merges. */
  mergedDocs: number
  mergedBytes: number
  /** Those of the sources of running merges. */
  mergingDocs: number
  mergingBytes: number
  /** Flushes that the size of the log asked for. */
  periodicFlushes: number
}

/** The searches of one group. */
export interface GroupTallies {
  readonly query: Tally
  readonly fetch: Tally
}

/** Tallies that start at 0. */
export function newTallies(): ShardTallies {
  return {
    index: newTally(),
    delete: newTally(),
    getExists: newTally(),
    getMissing: newTally(),
    query: newTally(),
    fetch: newTally(),
    suggest: newTally(),
    refresh: newTally(),
    flush: newTally(),
    merge: newTally(),
    concurrentQuery: newTally(),
    concurrentSlices: 0,
    queryFailed: 0,
    scroll: newTally(),
    pointInTime: newTally(),
    openContexts: 0,
    groups: null,
    indexFailed: 0,
    noopUpdates: 0,
    lastIndexedAt: 0,
    mergedDocs: 0,
    mergedBytes: 0,
    mergingDocs: 0,
    mergingBytes: 0,
    periodicFlushes: 0,
  }
}

/** A tally that starts at 0. */
export function newTally(): Tally {
  return { count: 0, timeInMillis: 0, current: 0 }
}

/** Max groups of a shard: a client that names a new one in each search takes no more memory. */
const MAX_GROUPS = 1000

/** Counts a phase of a search as running in its groups; a group is made at its first search. */
export function beginInGroups(
  tallies: ShardTallies,
  groups: readonly string[],
  phase: keyof GroupTallies,
): void {
  tallies.groups ??= new Map()
  for (const group of groups) {
    let found = tallies.groups.get(group)
    if (found === undefined) {
      if (tallies.groups.size >= MAX_GROUPS) continue
      found = { query: newTally(), fetch: newTally() }
      tallies.groups.set(group, found)
    }
    found[phase].current++
  }
}

/** Counts the end of a phase that `beginInGroups` has counted as running. */
export function endInGroups(
  tallies: ShardTallies,
  groups: readonly string[],
  phase: keyof GroupTallies,
  tookInMillis: number,
): void {
  for (const group of groups) {
    const found = tallies.groups?.get(group)
    if (found !== undefined && found[phase].current > 0) endTally(found[phase], tookInMillis)
  }
}

/** Counts the end of an operation that was counted as running. */
export function endTally(tally: Tally, tookInMillis: number): void {
  tally.current--
  tally.count++
  tally.timeInMillis += tookInMillis
}

/** Runs an operation and counts it, successful or not. */
export async function measure<T>(tally: Tally, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  tally.current++
  try {
    return await work()
  } finally {
    endTally(tally, performance.now() - started)
  }
}
