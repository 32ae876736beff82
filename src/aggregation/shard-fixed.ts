import type { ReducedChildren, ReducedShards, ShardReducer } from './aggregation-type.ts'
import { FixedCounts, type FixedPartial } from './fixed-buckets.ts'
import type { MultiBucketResult } from './result.ts'

/** Merges the counts of shards whose owning buckets all have the same buckets. */
export abstract class ShardFixed implements ShardReducer {
  protected readonly children: ReducedChildren
  protected readonly shards: ReducedShards
  protected readonly counts: FixedCounts

  /** @param size buckets of each owning bucket */
  constructor(size: number, children: ReducedChildren, shards: ReducedShards) {
    this.children = children
    this.shards = shards
    this.counts = new FixedCounts(size)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.counts.add(own as FixedPartial, owners)
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  abstract result(owner: number): MultiBucketResult
}
