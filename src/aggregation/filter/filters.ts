/** `filters`: a bucket for each of several queries. */

import type { Query } from '../../search/query/query.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type {
  AggregationPlan,
  AggregationType,
  ReducedChildren,
  ReducedShards,
} from '../aggregation-type.ts'
import { SliceFixed } from '../fixed-buckets.ts'
import { memberWeights } from '../leaf-members.ts'
import type { MultiBucketResult } from '../result.ts'
import { ShardFixed } from '../shard-fixed.ts'
import { FiltersAggregator } from './filters-aggregator.ts'

/** A bucket for each of several queries. */
export interface Filters extends AggregationPlan {
  readonly kind: 'filters'
  readonly queries: readonly Query[]
  /** Names of the buckets in their order; null: they have none. */
  readonly names: readonly string[] | null
  /** Name of the bucket of the other documents; null: it has none. */
  readonly other: string | null
}

/** A bucket for each of several queries, and one for the documents that none matches. */
export const filters: AggregationType<Filters, readonly Weight[]> = {
  readsScores: () => false,
  className: () => 'FiltersAggregator',
  prepare: ({ queries }, shard) => memberWeights(queries, shard),
  open: ({ other }, weights, children, slice) =>
    new FiltersAggregator(weights, other !== null, children, slice),
  sliceReducer: plan => new SliceFixed(sizeOf(plan)),
  shardReducer: ([plan], children, shards) => new ShardFilters(plan!, children, shards),
}

function sizeOf({ queries, other }: Filters): number {
  return queries.length + (other === null ? 0 : 1)
}

class ShardFilters extends ShardFixed {
  readonly #plan: Filters

  constructor(plan: Filters, children: ReducedChildren, shards: ReducedShards) {
    super(sizeOf(plan), children, shards)
    this.#plan = plan
  }

  override result(owner: number): MultiBucketResult {
    const { queries, names, other } = this.#plan
    const size = sizeOf(this.#plan)
    this.shards.budget.take(size)
    return {
      kind: 'multi',
      typedName: 'filters',
      className: 'InternalFilters',
      keyed: names !== null,
      head: {},
      tail: {},
      buckets: Array.from({ length: size }, (_, i) => {
        const docCount = this.counts.count(owner, i)
        return {
          name: i < queries.length ? (names?.[i] ?? String(i)) : (other ?? ''),
          key: Number.NaN,
          docCount,
          head: { doc_count: docCount },
          children: this.children.results(owner < 0 ? -1 : owner * size + i),
        }
      }),
    }
  }
}
