/**
 * Runs the aggregations below samplers, joins and cut buckets over the documents that these have chosen, a search
 * of the shard for each.
 */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import { collectedWith, deferredOf } from '../../aggregation/deferral/deferred-children.ts'
import type { Joined } from '../../aggregation/join/joined.ts'
import { type FoundIds, tiedBuckets } from '../../aggregation/join/tied-buckets.ts'
import type { SampledDocs } from '../../aggregation/sampler/replay.ts'
import { type FoundSamples, sampledDocs } from '../../aggregation/sampler/sampled-docs.ts'
import type { ClosedSamples } from '../../aggregation/sampler/slice-samples.ts'
import type { ClosedTerms } from '../../aggregation/terms/slice-terms.ts'
import type { Terms } from '../../aggregation/terms/terms-plan.ts'
import type { TermSource } from '../../aggregation/value-source.ts'
import type { SearchPlan } from '../../parallel/prepare.ts'
import type { ShardSearchOptions, ShardSearchOutcome } from '../../parallel/search-options.ts'
import type { ShardSearcher } from '../../parallel/shard-search.ts'
import { gatherPlan, type Limits, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import { ANY_NUMBER } from '../../search/query/join.ts'
import { MATCH_ALL, type Query } from '../../search/query/query.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import { compareBytes, decodeUtf8 } from '../../util/bytes.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { inChunks, inTurns, type Turn } from '../../util/turns.ts'
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
  /** Called between turns; where it throws, the search is given up. */
  readonly check: () => void
  readonly signal: Cancellation
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
  if (node.kind === 'joined') return await withTied(node, own as FoundIds, call)
  const collected = collectedWith(node)
  const early = await replaySamples(collected, partial.children, call)
  const deferred = deferredOf(node)
  if (deferred === null) return { own, children: early }
  const { samples, ...rest } = own as Partial<ClosedSamples>
  const below =
    samples === undefined
      ? await searchAgain(node as Terms, deferred, (own as ClosedTerms<Uint8Array>).keys, call)
      : deferred.length === 0
        ? []
        : await collectBelow(node, deferred, samples, call)
  const late = await replaySamples(deferred, below, call)
  const children = childrenOf(node).map(child => {
    const at = deferred.indexOf(child)
    return at < 0 ? early[collected.indexOf(child)]! : late[at]!
  })
  return { own: rest, children }
}

/** The columns of children below the terms whose buckets stay, of which the slices have noted no documents. */
async function searchAgain(
  node: Terms,
  children: readonly Aggregation[],
  keys: readonly Uint8Array[],
  { searcher, snapshot, plan, options, maxBytes, replays }: ReplayCall,
): Promise<readonly NodePartial[]> {
  const values = node.values as TermSource
  const kept: Aggregation = { kind: 'keptTerms', name: node.name, children, values, keys }
  const gather = { kind: 'aggregations', nodes: [kept], maxBytes }
  const again = {
    ...plan,
    query: isIndexed(values, snapshot) ? withTerms(values.field, keys) : plan.query,
    gather: gatherPlan(NO_HITS, [gather], limitsOf(plan)),
  }
  const outcome = await searcher.search(snapshot, again, options)
  replays.set(node, outcome)
  const [partial] = outcome.result.parts[0] as readonly NodePartial[]
  return partial!.children
}

/** Whether postings tell the documents of each term. */
function isIndexed({ field, format }: TermSource, { leaves }: Snapshot): boolean {
  // Addresses are indexed as numbers.
  if (format.kind === 'ip') return false
  return leaves.every(({ segment }) => {
    const info = segment.file.directory.fields.find(({ name }) => name === field)
    return info === undefined || info.indexOptions !== 'none'
  })
}

/** All documents with one of some terms: of all that the first search has seen, the ones that matter. */
function withTerms(field: string, keys: readonly Uint8Array[]): Query {
  const terms = [...keys].sort(compareBytes).map(decodeUtf8)
  return { kind: 'constantScore', query: { kind: 'termsInSet', field, terms } }
}

/** The columns of a join, of which the slices have found the ids alone. */
async function withTied(node: Joined, found: FoundIds, call: ReplayCall): Promise<NodePartial> {
  const ordered = inTurns(turn => tiedBuckets(found, turn), call.check, call.signal)
  const ties = ordered instanceof Promise ? await ordered : ordered
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
      gather: gatherPlan(NO_HITS, [gather], limitsOf(call.plan)),
    },
    call.options,
  )
  call.replays.set(node, outcome)
  const [partial] = outcome.result.parts[0] as readonly NodePartial[]
  const { own, children: below } = partial!
  return { own, children: await replaySamples(children, below, call) }
}

async function collectBelow(
  node: Aggregation,
  nodes: readonly Aggregation[],
  found: FoundSamples,
  { searcher, snapshot, plan, options, check, signal, maxBytes, replays }: ReplayCall,
): Promise<readonly NodePartial[]> {
  const ordered = inTurns(turn => ordering(found, turn), check, signal)
  const { samples, query } = ordered instanceof Promise ? await ordered : ordered
  const gather = { kind: 'aggregations', nodes, samples, maxBytes }
  const replay = {
    ...plan,
    query,
    gather: gatherPlan(NO_HITS, [gather], limitsOf(plan)),
  }
  const outcome = await searcher.search(snapshot, replay, options)
  replays.set(node, outcome)
  return outcome.result.parts[0] as readonly NodePartial[]
}

/** A second pass ends when its search does; other limits were those of the first one's matches. */
function limitsOf({ gather }: SearchPlan): Limits {
  return { ...NO_LIMITS, deadline: gather.limits.deadline }
}

/** The documents of samples, and the query that matches the whole ones: as a join does that has been found. */
interface OrderedSamples {
  readonly samples: SampledDocs
  readonly query: Query
}

function* ordering(found: FoundSamples, turn: Turn): Generator<void, OrderedSamples, void> {
  const samples = yield* sampledDocs(found, turn)
  const docs: Int32Array[] = []
  for (const { wholes } of samples.leaves) docs.push(yield* distinct(wholes, turn))
  return { samples, query: documentsOf(docs) }
}

/** Each of ascending integers once. */
function* distinct(docs: Int32Array, turn: Turn): Generator<void, Int32Array, void> {
  const found = new Int32Array(docs.length)
  let size = 0
  yield* inChunks(docs.length, turn, (first, end) => {
    for (let i = first; i < end; i++)
      if (i === 0 || docs[i - 1] !== docs[i]) found[size++] = docs[i]!
  })
  return found.subarray(0, size)
}

/** @param docs by leaf, ascending */
function documentsOf(docs: readonly Int32Array[]): Query {
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
    found: docs.map(each => ({ docs: each, scores: null })),
  }
}

function childrenOf(node: Aggregation): readonly Aggregation[] {
  return node.children as readonly Aggregation[]
}
