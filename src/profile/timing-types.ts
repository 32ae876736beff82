/** The methods that a query profile times, in the order of the wire's (alphabetical) breakdown. */
export const LEAF_TIMING_TYPES = [
  'advance',
  'build_scorer',
  'compute_max_score',
  'match',
  'next_doc',
  'score',
  'set_min_competitive_score',
  'shallow_advance',
] as const

/** A method timed per leaf; `create_weight` is timed once per node, separately. */
export type LeafTimingType = (typeof LEAF_TIMING_TYPES)[number]

/** The methods that an aggregation's profile times, in the order of the wire's breakdown. */
export const AGGREGATION_TIMING_TYPES = [
  'build_aggregation',
  'build_leaf_collector',
  'collect',
  'initialize',
  'post_collection',
  'reduce',
] as const
