/** `filter`: the documents that a query matches. */
import type { Query } from '../../search/query/query.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { SliceFixed } from '../fixed-buckets.ts'
import { memberWeights } from '../leaf-members.ts'
import { ShardSingle } from '../single-bucket.ts'
import { FiltersAggregator } from './filters-aggregator.ts'

/** The documents that a query matches. */
export interface Filter extends AggregationPlan {
  readonly kind: 'filter'
  readonly query: Query
}

/** One bucket of the documents that a query matches. */
export const filter: AggregationType<Filter, Weight> = {
  readsScores: () => false,
  className: () => 'FilterAggregator',
  prepare: ({ query }, shard) => memberWeights([query], shard)[0]!,
  open: (_plan, weight, children, slice) => new FiltersAggregator([weight], false, children, slice),
  sliceReducer: () => new SliceFixed(1),
  shardReducer: (_plans, children) => new ShardSingle('filter', children),
}
