import type { AggregationPlan } from '../aggregation-type.ts'
import type { BucketOrder } from '../bucket-order.ts'
import type { Deferral } from '../deferral/deferral.ts'
import type { AnyValueSource } from '../value-source.ts'
import type { ValueFilter } from './value-filter.ts'

/** How buckets are sorted and cut. */
export interface CutBuckets {
  readonly size: number
  /** Buckets that a shard gives. */
  readonly shardSize: number
  readonly minDocCount: number
  readonly shardMinDocCount: number
  readonly order: readonly BucketOrder[]
  readonly showsErrors: boolean
  /** Max documents of a bucket; Infinity: any number. */
  readonly maxDocCount: number
}

/** A bucket for each value of a field. */
export interface Terms extends AggregationPlan, CutBuckets {
  readonly kind: 'terms'
  readonly values: AnyValueSource
  /** `execution_hint`; null: none is given. */
  readonly hint: 'map' | 'global_ordinals' | 'stream' | null
  /** The values that have buckets; null: all. */
  readonly filter: ValueFilter | null
  /** Breadth-first collection; null: depth-first. */
  readonly deferral: Deferral | null
  /** The collection of shards with many terms, where the request leaves that open; null: it does not. */
  readonly mayDefer: Deferral | null
}
