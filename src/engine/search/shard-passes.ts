/**
 * Passes that few searches of a shard need: those ahead of the search, whose documents and values it reads,
 * and those behind it, over what it has gathered.
 */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import type { SearchPlan } from '../../parallel/prepare.ts'
import {
  type ShardSearchOptions,
  type ShardSearchOutcome,
  throwIfAborted,
} from '../../parallel/search-options.ts'
import { bindJoins, type FoundJoins, NO_JOINS } from '../../search/query/bind-joins.ts'
import { analyseTexts, comparesTexts } from './analyse-texts.ts'
import { type BackgroundCall, comparesTerms, countBackgrounds } from './count-backgrounds.ts'
import { emitDerived } from './emit-derived.ts'
import { findJoins } from './find-joins.ts'
import type { IndexSearch } from './index-search.ts'
import type { JoinCall } from './join-call.ts'
import { holdsSampler, replaySamples } from './replay-samples.ts'
import type { HeldShard } from './search-targets.ts'
import { bucketBytes } from './shard-plan.ts'
import type { ShardQueries } from './shard-queries.ts'

/** What a search reads of the passes ahead of it. */
export interface PassedAhead {
  readonly joins: FoundJoins
  readonly aggregations: readonly Aggregation[]
}

/** Whether a search has passes ahead. */
export function hasAhead({ joins, hasDerived, aggregations }: IndexSearch): boolean {
  return joins.length > 0 || hasDerived || aggregations.some(comparesTerms)
}

/**
 * Finds the documents of joins, then emits the values of derived fields, then counts backgrounds.
 * @throws {EngineError} as a search
 */
export async function passAhead(
  common: ShardQueries,
  search: IndexSearch,
  held: HeldShard,
  options: ShardSearchOptions,
): Promise<PassedAhead> {
  const { node, signal, charge } = common
  const { maxClauseCount, view, visible } = search
  const { snapshot } = held
  const plain = withoutProfile(options)
  const call: JoinCall = {
    snapshot,
    options: plain,
    maxClauseCount,
    view,
    visible,
    signal,
    charge,
  }
  const joins = search.joins.length === 0 ? NO_JOINS : await findJoins(node, search.joins, call)
  const emitted = search.hasDerived
    ? await emitDerived(node, search, joins, call)
    : search.aggregations
  const apart = apartFrom(common, search, held, joins, plain)
  return { joins, aggregations: await countBackgrounds(emitted, apart) }
}

/** Whether aggregations have passes behind the search. */
export function hasBehind(aggregations: readonly Aggregation[]): boolean {
  return aggregations.some(each => holdsSampler(each) || comparesTexts(each))
}

/** The search that passes behind it go on from. */
export interface PassedSearch {
  readonly aggregations: readonly Aggregation[]
  /** The gathered columns of each. */
  readonly partials: readonly NodePartial[]
  readonly plan: SearchPlan
  readonly options: ShardSearchOptions
  readonly joins: FoundJoins
  /** Receives the searches by sampler, for profiles. */
  readonly replays: Map<Aggregation, ShardSearchOutcome>
}

/**
 * Runs what is below samplers, then analyses texts.
 * @returns partials of each aggregation
 * @throws {EngineError} as a search
 */
export async function passBehind(
  common: ShardQueries,
  search: IndexSearch,
  held: HeldShard,
  { aggregations, partials, plan, options, joins, replays }: PassedSearch,
): Promise<readonly NodePartial[]> {
  const { node, signal, charge } = common
  const sampled = await replaySamples(aggregations, partials, {
    searcher: node.searcher,
    snapshot: held.snapshot,
    plan,
    visible: search.visible && bindJoins(search.visible, joins),
    options,
    check() {
      throwIfAborted(signal)
      node.ensureOpen()
    },
    signal,
    maxBytes: bucketBytes(node),
    replays,
  })
  const apart = apartFrom(common, search, held, joins, withoutProfile(options))
  return analyseTexts(aggregations, sampled, { node, search, signal, charge, ...apart })
}

function withoutProfile(options: ShardSearchOptions): ShardSearchOptions {
  return options.profile === null ? options : { ...options, profile: null }
}

/** Searches of the shard apart from the one that is asked for. */
function apartFrom(
  { node }: ShardQueries,
  { maxClauseCount }: IndexSearch,
  { snapshot }: HeldShard,
  joins: FoundJoins,
  options: ShardSearchOptions,
): BackgroundCall {
  const maxBytes = bucketBytes(node)
  return { searcher: node.searcher, snapshot, options, joins, maxClauseCount, maxBytes }
}
