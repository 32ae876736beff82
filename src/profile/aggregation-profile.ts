/** The aggregations of a shard's profile: a node for each, in order of the request. */

import type { Aggregation } from '../aggregation/aggregation.ts'
import { typeOf } from '../aggregation/aggregation-types.ts'
import type { ReadyNode } from '../aggregation/ready-node.ts'
import type { GatherNotes } from '../search/collector/gather.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { durations } from './human-duration.ts'
import { concurrentTimes, mergedNotes, sequentialTimes } from './reduce-aggregation.ts'
import { partitionOf } from './slice-partition.ts'
import type { GatherReading, SliceProfile } from './slice-profile.ts'

/** The gather of some nodes in the slices that began a leaf. */
export interface ProfiledNodes {
  readonly nodes: readonly ReadyNode[]
  readonly slices: readonly SliceProfile[]
  /** Number of the first node's timer; absent: 0. */
  readonly first?: number
}

/** Print style of the nodes. */
interface AggregationStyle {
  readonly concurrent: boolean
  readonly human: boolean
  /** `profile_slices`: an object per slice beside the aggregates. */
  readonly perSlice: boolean
}

/**
 * The nodes of a gather's aggregations.
 * @param belowOf the gather of the nodes below one that were collected apart; null: they were not
 */
export function aggregationProfile(
  { nodes, slices, first = 0 }: ProfiledNodes,
  belowOf: (plan: Aggregation) => ProfiledNodes | null,
  style: AggregationStyle,
): JsonRecord[] {
  const part = { next: first }
  return nodes.map(node => printNode(node, slices, belowOf, style, part))
}

function debugOf(notes: GatherNotes): GatherNotes | undefined {
  return Object.keys(notes).length > 0 ? notes : undefined
}

/** Times and notes of each slice. */
function sliceNodes(
  slices: readonly SliceProfile[],
  readings: readonly GatherReading[],
  { human }: AggregationStyle,
): readonly JsonRecord[] {
  return slices.map(({ sliceId, worker, leaves }, i) => {
    const { time, breakdown } = sequentialTimes([readings[i]!])
    return {
      slice_id: sliceId,
      ...durations([['slice_time', time]], human),
      worker,
      partitions: leaves.map(partitionOf),
      breakdown: Object.fromEntries([...breakdown].sort(([a], [b]) => (a < b ? -1 : 1))),
      debug: debugOf(readings[i]!.notes),
    }
  })
}

/** Nodes in order of the request. */
function inOrderOf({ children }: Aggregation, nodes: readonly JsonRecord[]): JsonRecord[] {
  const names = children.map(({ name }) => name)
  const place = (node: JsonRecord): number => names.indexOf(String(node['description']))
  return [...nodes].sort((a, b) => place(a) - place(b))
}

/** Timers are numbered in pre-order. */
function printNode(
  { plan, ready, children }: ReadyNode,
  slices: readonly SliceProfile[],
  belowOf: (plan: Aggregation) => ProfiledNodes | null,
  style: AggregationStyle,
  part: { next: number },
): JsonRecord {
  const at = part.next++
  const readings = slices.map(({ gathers }): GatherReading => gathers[at]!)
  const times = style.concurrent ? concurrentTimes(readings) : sequentialTimes(readings)
  const spans: [string, number][] = [['time', times.time]]
  if (times.slices !== null) {
    spans.push(['max_slice_time', times.slices.max])
    spans.push(['min_slice_time', times.slices.min])
    spans.push(['avg_slice_time', times.slices.avg])
  }
  const collected = children.map(child => printNode(child, slices, belowOf, style, part))
  const apart = belowOf(plan)
  const below =
    apart === null
      ? collected
      : inOrderOf(plan, [...collected, ...aggregationProfile(apart, belowOf, style)])
  const notes = mergedNotes(readings)
  return {
    type: typeOf(plan).className(plan, ready),
    description: plan.name,
    ...durations(spans, style.human),
    breakdown: Object.fromEntries([...times.breakdown].sort(([a], [b]) => (a < b ? -1 : 1))),
    debug: debugOf(notes),
    slices: style.perSlice && style.concurrent ? sliceNodes(slices, readings, style) : undefined,
    children: below.length > 0 ? below : undefined,
  }
}
