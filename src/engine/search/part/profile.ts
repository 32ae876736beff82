import type { Aggregation } from '../../../aggregation/aggregation.ts'
import { typeOf } from '../../../aggregation/aggregation-types.ts'
import type { ReadyNode } from '../../../aggregation/ready-node.ts'
import type { ShardSearchOutcome } from '../../../parallel/search-options.ts'
import { aggregationCollector } from '../../../profile/aggregation-collector.ts'
import { aggregationProfile, type ProfiledNodes } from '../../../profile/aggregation-profile.ts'
import { type SearchMeasurements, shardProfile } from '../../../profile/shard-profile.ts'
import { clusterSettings } from '../../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import { inOrder } from '../aggregate.ts'
import type { ProfileRequest } from '../profile-request.ts'
import type { SearchedCall, SearchPart } from '../search-part.ts'
import type { SearchedShard } from '../searched-shard.ts'

/** `profile`: how each shard was searched. The query phase measures while it is on. */
export const profilePart: SearchPart<ProfileRequest> = {
  unasked: { isOn: false, perSlice: false, kernels: false },
  keys: {
    profile: (value, before) => ({ ...before, isOn: readBoolean(value) }),
    profile_slices: (value, before) => ({ ...before, perSlice: readBoolean(value) }),
    profile_kernels: (value, before) => ({ ...before, kernels: readBoolean(value) }),
  },
  check({ isOn, perSlice, kernels }) {
    if (isOn || !(perSlice || kernels)) return
    const adding = perSlice ? 'profile_slices' : 'profile_kernels'
    throw new IllegalArgumentError(`[${adding}] adds to a profile: it needs [profile] to be true`)
  },
  print(asked, searched, to) {
    if (asked.isOn) to['profile'] = { shards: sortedById(shardProfiles(asked, searched)) }
  },
}

function shardProfiles(
  { perSlice }: ProfileRequest,
  { node, answers, human }: SearchedCall,
): JsonRecord[] {
  const { nodeId } = node.metadata.node
  const isNative =
    clusterSettings.text(node.effectiveSettings, 'lamella.profile.reasons') === 'native'
  const reasons = isNative ? 'native' : 'documented'
  return answers.flatMap(answer => {
    const { search, held, outcome, global, production, concurrent, fetchProfiler } = answer
    const measured = measurements(outcome, { concurrent, human, isGlobal: false })
    if (measured === null) return []
    const profile = shardProfile(
      {
        ...measured,
        nodeId,
        index: search.index.name,
        shard: held.shard.name.shard,
        global:
          global === null ? null : measurements(global, { concurrent, human, isGlobal: true }),
        production,
        aggregations: profiledAggregations(answer, human, perSlice),
        fetch: fetchProfiler,
      },
      { concurrent, human, reasons, perSlice },
    )
    return [profile]
  })
}

/**
 * The measurements of a search; null: nothing was prepared.
 * @param style of the collector of its aggregations; where these are all that it is for, that
 *   collector alone is told
 */
function measurements(
  { prepared, profiles, reduceTime }: ShardSearchOutcome,
  style: Parameters<typeof aggregationCollector>[3],
): SearchMeasurements | null {
  if (prepared === null) return null
  const { weight, rewriteTime, spec } = prepared
  const [gather] = spec.others
  return {
    nodes: weight.nodes,
    rewriteTime,
    slices: profiles,
    spec,
    reduceTime,
    gathers:
      gather === undefined
        ? null
        : aggregationCollector(readyNodes(gather), profiles, reduceTime, style),
    isForGathers: style.isGlobal,
  }
}

/** The prepared aggregations of a gather. */
function readyNodes({ ready }: { readonly ready: unknown }): readonly ReadyNode[] {
  return (ready as { readonly nodes: readonly ReadyNode[] }).nodes
}

/** The aggregations of a shard in order of the request: those of its matches, and those of all documents. */
function profiledAggregations(
  { search, outcome, global, replays, concurrent }: SearchedShard,
  human: boolean,
  perSlice: boolean,
): readonly JsonRecord[] {
  const nodesOf = (found: ShardSearchOutcome | null): readonly JsonRecord[] => {
    const nodes = profiledNodes(found)
    if (nodes === null) return []
    const belowOf = (plan: Aggregation): ProfiledNodes | null =>
      profiledNodes(replays.get(plan) ?? null)
    return aggregationProfile(nodes, belowOf, { concurrent, human, perSlice })
  }
  return inOrder(search.aggregations, nodesOf(outcome), nodesOf(global))
}

/** The aggregations that a search has gathered; null: none. */
function profiledNodes(found: ShardSearchOutcome | null): ProfiledNodes | null {
  const [gather] = found?.prepared?.spec.others ?? []
  if (found === null || gather === undefined) return null
  const nodes = readyNodes(gather)
  const [root] = nodes
  if (root !== undefined && typeOf(root.plan).isStandIn === true)
    return { nodes: root.children, slices: found.profiles, first: 1 }
  return { nodes, slices: found.profiles }
}

function sortedById(entries: readonly JsonRecord[]): readonly JsonRecord[] {
  const idOf = (entry: JsonRecord): string => String(entry['id'])
  return [...entries].sort((a, b) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0))
}
