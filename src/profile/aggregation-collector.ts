/** The collector that all aggregations of a search share, as a node of its profile. */
import type { ReadyNode } from '../aggregation/ready-node.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { collectorDurations } from './collector-durations.ts'
import { reduceCollector } from './reduce-collector.ts'
import type { CollectorReading, GatherReading, SliceProfile } from './slice-profile.ts'
import { AGGREGATION_TIMING_TYPES } from './timing-types.ts'

/** Print style of the node. */
interface CollectorStyle {
  readonly concurrent: boolean
  readonly human: boolean
  /** Whether the aggregations see all documents, and not those of a query. */
  readonly isGlobal: boolean
}

/** Methods of aggregators that a collector calls, by their numbers. */
const COLLECTING: readonly number[] = [
  AGGREGATION_TIMING_TYPES.indexOf('build_leaf_collector'),
  AGGREGATION_TIMING_TYPES.indexOf('collect'),
]

/**
 * The node of the aggregations at the top of a search.
 * @param slices     those that began a leaf
 * @param reduceTime time to merge the slices' results, nanoseconds
 */
export function aggregationCollector(
  nodes: readonly ReadyNode[],
  slices: readonly SliceProfile[],
  reduceTime: number,
  style: CollectorStyle,
): JsonRecord {
  const parts = partsOf(nodes)
  const readings = slices.map(({ gathers }) => readingOf(parts.map(part => gathers[part]!)))
  return {
    name: nameOf(
      nodes.map(({ plan }) => plan.name),
      style,
    ),
    reason: style.isGlobal ? 'aggregation_global' : 'aggregation',
    ...collectorDurations(
      reduceCollector(readings, style.concurrent ? reduceTime : null),
      style.human,
    ),
  }
}

/** The numbers of the topmost nodes' timers, which are numbered in pre-order. */
function partsOf(nodes: readonly ReadyNode[]): readonly number[] {
  let next = 0
  return nodes.map(node => {
    const part = next
    next += sizeOf(node)
    return part
  })
}

function sizeOf({ children }: ReadyNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1)
}

/** The calls of a slice that open leaves and collect documents. */
function readingOf(parts: readonly GatherReading[]): CollectorReading {
  const calls = parts.flatMap(part => COLLECTING.map(call => part.calls[call]!))
  const starts = calls.filter(({ count }) => count > 0).map(({ start }) => start)
  return {
    start: starts.length === 0 ? 0 : Math.min(...starts),
    time: calls.reduce((sum, { time }) => sum + time, 0),
  }
}

function nameOf(names: readonly string[], { concurrent, isGlobal }: CollectorStyle): string {
  const list = `[${names.join(', ')}]`
  if (concurrent)
    return `${isGlobal ? 'GlobalAggCollectorManager' : 'NonGlobalAggCollectorManager'}: ${list}`
  return names.length === 1 ? `ProfilingAggregator: ${list}` : `MultiBucketCollector: [${list}]`
}
