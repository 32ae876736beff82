/** Counts the backgrounds of significant terms in one shard, ahead of the search that compares with them. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import { DOC_COUNT_FIELD } from '../../aggregation/doc-counts.ts'
import {
  type Background,
  BackgroundCounts,
  type ClosedBackground,
} from '../../aggregation/significant/background.ts'
import {
  needsCounting,
  type SignificantTerms,
} from '../../aggregation/significant/significant-terms.ts'
import type { ShardSearchOptions } from '../../parallel/search-options.ts'
import type { ShardSearcher } from '../../parallel/shard-search.ts'
import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import { bindJoins, type FoundJoins } from '../../search/query/bind-joins.ts'
import { MATCH_ALL, type Query } from '../../search/query/query.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import { NO_HITS } from './gather-only.ts'

/** The search around the aggregations. */
export interface BackgroundCall {
  readonly searcher: ShardSearcher
  readonly snapshot: Snapshot
  /** Without a profile. */
  readonly options: ShardSearchOptions
  readonly joins: FoundJoins
  readonly maxClauseCount: number
  /** Memory that the buckets of a slice may take. */
  readonly maxBytes: number
}

/**
 * The nodes with what their backgrounds count in a shard; the same objects where none does.
 * @throws {EngineError} as a search
 */
export async function countBackgrounds(
  nodes: readonly Aggregation[],
  call: BackgroundCall,
): Promise<readonly Aggregation[]> {
  if (!nodes.some(comparesTerms)) return nodes
  const counted: Aggregation[] = []
  for (const node of nodes) counted.push(await withBackground(node, call))
  return counted
}

/** Whether a node compares with a background, or one below it. */
export function comparesTerms(node: Aggregation): boolean {
  return node.kind === 'significantTerms' || childrenOf(node).some(comparesTerms)
}

async function withBackground(node: Aggregation, call: BackgroundCall): Promise<Aggregation> {
  if (!comparesTerms(node)) return node
  const children = await countBackgrounds(childrenOf(node), call)
  if (node.kind !== 'significantTerms') return { ...node, children } as Aggregation
  if (!needsCounting(node, hasWeights(call.snapshot))) return { ...node, children }
  return { ...node, children, counted: await countOne(node, call) }
}

async function countOne(
  node: SignificantTerms,
  { searcher, snapshot, options, joins, maxClauseCount, maxBytes }: BackgroundCall,
): Promise<BackgroundCounts> {
  const given = node.background ?? MATCH_ALL
  const { query, top } = gatheredBy(node, given)
  const gather = { kind: 'aggregations', nodes: [top], maxBytes }
  const plan = {
    query: bindJoins(query, joins),
    gather: gatherPlan(NO_HITS, [gather], NO_LIMITS),
    joins,
    maxClauseCount,
    statistics: null,
  }
  const { result } = await searcher.search(snapshot, plan, options)
  let [partial] = result.parts[0] as readonly [NodePartial]
  while (partial.children.length > 0) partial = partial.children[0]!
  return new BackgroundCounts(partial.own as ClosedBackground)
}

/** The search that counts: one for whole documents matches the background, else nested ones are filtered. */
function gatheredBy(
  { values, filter, path }: SignificantTerms,
  background: Query,
): { readonly query: Query; readonly top: Aggregation } {
  const counts: Background = {
    kind: 'background',
    name: '',
    children: [],
    // Documents that lack a value have one in the foreground alone.
    values: values.kind === 'constant' ? values : { ...values, missing: null },
    filter,
  }
  if (path === null) return { query: background, top: counts }
  const matching: Aggregation = { kind: 'filter', name: '', children: [counts], query: background }
  const objects: Aggregation = {
    kind: 'nested',
    name: '',
    children: [matching],
    path,
    parentPath: null,
  }
  return { query: MATCH_ALL, top: objects }
}

function hasWeights({ leaves }: Snapshot): boolean {
  return leaves.some(({ segment }) =>
    segment.file.directory.fields.some(({ name }) => name === DOC_COUNT_FIELD),
  )
}

function childrenOf(node: Aggregation): readonly Aggregation[] {
  return node.children as readonly Aggregation[]
}
