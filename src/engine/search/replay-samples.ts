/**
 * Runs the aggregations below samplers, joins and cut buckets over the documents that these have chosen, a search
 * of the shard for each.
 */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import { collectedWith, deferredOf } from '../../aggregation/deferral/deferred-children.ts'
import type { Joined } from '../../aggregation/join/joined.ts'
import type { TiedBuckets } from '../../aggregation/join/tied.ts'
import type { SampledDocs } from '../../aggregation/sampler/replay.ts'
import type { ClosedSamples } from '../../aggregation/sampler/slice-samples.ts'
import type { SearchPlan } from '../../parallel/prepare.ts'
import type { ShardSearchOptions, ShardSearchOutcome } from '../../parallel/search-options.ts'
import type { ShardSearcher } from '../../parallel/shard-search.ts'
import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import { ANY_NUMBER } from '../../search/query/join.ts'
import { MATCH_ALL, type Query } from '../../search/query/query.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import { amongVisible } from '../dsl/visible-query.ts'
import { NO_HITS } from './gather-only.ts'

/** The search around the samplers. */
export interface ReplayCall {
  readonly searcher: ShardSearcher
  readonly snapshot: Snapshot
  readonly plan: SearchPlan
  /** The documents that joins find others among; null: all. */
  readonly visible: Query | null
  readonly options: ShardSearchOptions
  /** Memory that the buckets of a slice may take. */
  readonly maxBytes: number
  /** Receives the searches by sampler, for profiles. */
  readonly replays: Map<Aggregation, ShardSearchOutcome>
}

/**
 * The columns of a shard with those of the aggregations below samplers.
 * @param partials of the nodes, without those
 * @throws {EngineError} as a search
 */
export async function replaySamples(
  nodes: readonly Aggregation[],
  partials: readonly NodePartial[],
  call: ReplayCall,
): Promise<readonly NodePartial[]> {
  if (!nodes.some(holdsSampler)) return partials
  const whole: NodePartial[] = []
  for (const [i, node] of nodes.entries()) whole.push(await withSamples(node, partials[i]!, call))
  return whole
}

/** Whether a node samples, or one below it. */
export function holdsSampler(node: Aggregation): boolean {
  return deferredOf(node) !== null || childrenOf(node).some(holdsSampler)
}

async function withSamples(
  node: Aggregation,
  partial: NodePartial,
  call: ReplayCall,
): Promise<NodePartial> {
  const { own } = partial
  if (own === null || !holdsSampler(node)) return partial
  if (node.kind === 'joined') return await withTied(node, own as TiedBuckets, call)
  const collected = collectedWith(node)
  const early = await replaySamples(collected, partial.children, call)
  const deferred = deferredOf(node)
  if (deferred === null) return { own, children: early }
  const { samples, ...rest } = own as ClosedSamples
  const below = deferred.length === 0 ? [] : await collectBelow(node, deferred, samples, call)
  const late = await replaySamples(deferred, below, call)
  const children = childrenOf(node).map(child => {
    const at = deferred.indexOf(child)
    return at < 0 ? early[collected.indexOf(child)]! : late[at]!
  })
  return { own: rest, children }
}

/** The columns of a join, of which the slices have found the ids alone. */
async function withTied(node: Joined, ties: TiedBuckets, call: ReplayCall): Promise<NodePartial> {
  const { name, idField, relationField, to } = node
  const children = childrenOf(node)
  const plan: Aggregation = { kind: 'tied', name, children, idField, ties }
  const relation = { kind: 'term', field: relationField, term: to } as const
  const gather = { kind: 'aggregations', nodes: [plan], maxBytes: call.maxBytes }
  const outcome = await call.searcher.search(
    call.snapshot,
    {
      ...call.plan,
      query: { kind: 'constantScore', query: amongVisible(relation, call.visible) },
      gather: gatherPlan(NO_HITS, [gather], NO_LIMITS),
    },
    call.options,
  )
  call.replays.set(node, outcome)
  const [found] = outcome.result.parts[0] as readonly NodePartial[]
  const { own, children: below } = found!
  return { own, children: await replaySamples(children, below, call) }
}

async function collectBelow(
  node: Aggregation,
  nodes: readonly Aggregation[],
  samples: SampledDocs,
  { searcher, snapshot, plan, options, maxBytes, replays }: ReplayCall,
): Promise<readonly NodePartial[]> {
  const gather = { kind: 'aggregations', nodes, samples, maxBytes }
  const replay = {
    ...plan,
    query: documentsOf(samples),
    gather: gatherPlan(NO_HITS, [gather], NO_LIMITS),
  }
  const outcome = await searcher.search(snapshot, replay, options)
  replays.set(node, outcome)
  return outcome.result.parts[0] as readonly NodePartial[]
}

/** Matches the whole documents of samples: as a join does that has been found. */
function documentsOf({ leaves }: SampledDocs): Query {
  return {
    kind: 'join',
    relationField: '',
    idField: '',
    finds: 'children',
    relations: [],
    query: MATCH_ALL,
    scoreMode: 'none',
    min: 1,
    max: ANY_NUMBER,
    found: leaves.map(({ wholes }) => ({
      docs: wholes.filter((doc, i) => i === 0 || wholes[i - 1] !== doc),
      scores: null,
    })),
  }
}

function childrenOf(node: Aggregation): readonly Aggregation[] {
  return node.children as readonly Aggregation[]
}
