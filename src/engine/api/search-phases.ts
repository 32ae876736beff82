/** Phases of searches, as the coordinating thread runs them. */

/** In the order in which statistics print them. */
export const SEARCH_PHASES = [
  'took',
  'dfs_pre_query',
  'query',
  'fetch',
  'dfs_query',
  'expand',
  'can_match',
] as const

/** The whole search (`took`), or a phase of it. */
export type SearchPhase = (typeof SEARCH_PHASES)[number]

/** How fast the shards of a node answer: moving averages over the last few searches. */
export interface SelectionUse {
  /** Query phases under way. */
  readonly outgoing: number
  readonly queueSize: number
  /** Query phase of a shard, and of all shards of a search. */
  readonly serviceInNanos: number
  readonly responseInNanos: number
  /** Lower is better. */
  readonly rank: number
}
