import type { GatherTimer } from '../search/collector/gather.ts'
import type { MatchScope } from '../search/collector/match-scope.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { Aggregator, CountLimits } from './aggregation-type.ts'
import type { BucketBatch } from './bucket-batch.ts'

/** Ords of the methods of an aggregator, as a profile numbers them: alphabetical. */
const BUILD_AGGREGATION = 0
const BUILD_LEAF_COLLECTOR = 1
const COLLECT = 2
const INITIALIZE = 3
const POST_COLLECTION = 4

/**
 * Opens an aggregator and times its calls, those of the aggregators below it included.
 * @param open makes it
 */
export function timedAggregator(timer: GatherTimer, open: () => Aggregator): Aggregator {
  timer.start(INITIALIZE)
  const aggregator = open()
  timer.stop(INITIALIZE, 1)
  return {
    openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void {
      timer.start(BUILD_LEAF_COLLECTOR)
      aggregator.openLeaf(leaf, leafOrd, ownerLimit)
      timer.stop(BUILD_LEAF_COLLECTOR, 1)
    },
    countLeaf(leaf: Leaf, scope: MatchScope, limits: CountLimits): boolean {
      timer.start(BUILD_LEAF_COLLECTOR)
      const isCounted = aggregator.countLeaf?.(leaf, scope, limits) === true
      // Otherwise the leaf is opened next.
      timer.stop(BUILD_LEAF_COLLECTOR, isCounted ? 1 : 0)
      return isCounted
    },
    collect(batch: BucketBatch): void {
      timer.start(COLLECT)
      aggregator.collect(batch)
      timer.stop(COLLECT, batch.count)
    },
    get bucketLimit(): number {
      return aggregator.bucketLimit ?? Number.POSITIVE_INFINITY
    },
    closeLeaf(): void {
      timer.start(POST_COLLECTION)
      aggregator.closeLeaf?.()
      timer.stop(POST_COLLECTION, 0)
    },
    finish(): unknown {
      timer.start(POST_COLLECTION)
      timer.stop(POST_COLLECTION, 1)
      timer.start(BUILD_AGGREGATION)
      const own = aggregator.finish()
      timer.stop(BUILD_AGGREGATION, 1)
      timer.note(aggregator.notes())
      return own
    },
    notes: () => aggregator.notes(),
  }
}
