/** The aggregations of a shard's profile: a node for each, in order of the request. */

import type { Aggregation } from '../aggregation/aggregation.ts'
import { typeOf } from '../aggregation/aggregation-types.ts'
import type { ReadyNode } from '../aggregation/ready-node.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { durations } from './human-duration.ts'
import { concurrentTimes, mergedNotes, sequentialTimes } from './reduce-aggregation.ts'
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
  const apart = belowOf(plan)
  const below =
    apart === null
      ? children.map(child => printNode(child, slices, belowOf, style, part))
      : aggregationProfile(apart, belowOf, style)
  const notes = mergedNotes(readings)
  return {
    type: typeOf(plan).className(plan, ready),
    description: plan.name,
    ...durations(spans, style.human),
    breakdown: Object.fromEntries([...times.breakdown].sort(([a], [b]) => (a < b ? -1 : 1))),
    debug: Object.keys(notes).length > 0 ? notes : undefined,
    children: below.length > 0 ? below : undefined,
  }
}
