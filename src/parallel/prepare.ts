/**
 * What is done once per shard before its slices run: rewriting, the weight with its statistics and
 * look-ups, and what follows from statistics alone. `rewriteSearch` needs no bytes; `prepareSearch`
 * looks into dictionaries and says which sections must be loaded for the slices.
 */
import { type CollectSpec, needsScores, type TotalHits } from '../search/collector/collect-spec.ts'
import { createWeight } from '../search/query/create-weight.ts'
import type { Query } from '../search/query/query.ts'
import { clauseCount, onShard, rewrite } from '../search/query/query-ops.ts'
import { type SectionUse, sectionBit } from '../search/weight/section-use.ts'
import type { Weight } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { Leaf } from '../segment/leaf.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError } from '../util/errors.ts'

/** A search as the request gives it, before a shard is looked at. */
export interface SearchPlan {
  readonly query: Query
  readonly postFilter: Query | null
  readonly spec: Omit<CollectSpec, 'postFilter' | 'knownTotal'>
  /** Most clauses of the whole rewritten tree (`indices.query.bool.max_clause_count`). */
  readonly maxClauseCount: number
}

/** The same, rewritten. */
export interface RewrittenSearch {
  readonly query: Query
  readonly postFilter: Query | null
  readonly needsScores: boolean
  readonly spec: SearchPlan['spec']
  /** Nanoseconds; 0 where nobody will ask. */
  readonly rewriteTime: number
}

/** Everything that a shard's slices need, as plain data. */
export interface PreparedSearch {
  readonly weight: Weight
  readonly spec: CollectSpec
  readonly rewriteTime: number
  /** What slices read, the sort's values included, without repeats. */
  readonly sections: readonly SectionUse[]
  /** Postings iterators that one leaf's scorers hold open: what scratch is sized by. */
  readonly openPostings: number
  /** About how many postings and documents all slices will pass. */
  readonly cost: number
}

/**
 * Rewrites the queries of a search.
 * @param times whether a profile will say how long it took
 * @throws {EngineError} `too_many_nested_clauses`
 */
export function rewriteSearch(plan: SearchPlan, times = true): RewrittenSearch {
  const start = times ? nowInNanos() : 0
  const scores = needsScores(plan.spec)
  const query = rewrite(plan.query, scores)
  const postFilter = plan.postFilter === null ? null : rewrite(plan.postFilter, false)
  checkClauses(query, plan.maxClauseCount)
  if (postFilter !== null) checkClauses(postFilter, plan.maxClauseCount)
  const rewriteTime = times ? Math.max(1, nowInNanos() - start) : 0
  return { query, postFilter, needsScores: scores, spec: plan.spec, rewriteTime }
}

function checkClauses(query: Query, most: number): void {
  if (clauseCount(query) <= most) return
  throw new EngineError({
    type: 'too_many_nested_clauses',
    reason: `Query contains too many nested clauses; maxClauseCount is set to ${most}`,
  })
}

/**
 * Makes a shard's weights.
 * @param leaves    its whole snapshot
 * @param describes whether a profile will print the weight's nodes
 */
export function prepareSearch(
  search: RewrittenSearch,
  leaves: readonly Leaf[],
  describes = true,
): PreparedSearch {
  const start = describes ? nowInNanos() : 0
  const query = decided(search.query, leaves, search.needsScores)
  const filter = search.postFilter === null ? null : decided(search.postFilter, leaves, false)
  const rewriteTime = describes ? search.rewriteTime + nowInNanos() - start : 0
  const weight = createWeight(query, leaves, search.needsScores, describes)
  const postFilter = filter === null ? null : createWeight(filter, leaves, false, false)
  const knownTotal = knownTotalOf(weight, search, leaves)
  const given = search.spec
  // Spelt out: a spread would cost more than all the rest of a small search.
  const spec: CollectSpec = {
    topCount: given.topCount,
    sort: given.sort,
    searchAfter: given.searchAfter,
    trackTotalHits: given.trackTotalHits,
    trackScores: given.trackScores,
    minScore: given.minScore,
    terminateAfter: given.terminateAfter,
    deadline: given.deadline,
    postFilter,
    knownTotal,
  }
  return {
    weight,
    spec,
    rewriteTime,
    sections: sectionsOf(weight, spec, leaves),
    openPostings: weight.openPostings + (postFilter?.openPostings ?? 0),
    cost: weight.cost,
  }
}

/** A rewritten query once the shard's own values are known. */
function decided(query: Query, leaves: readonly Leaf[], scores: boolean): Query {
  // What most searches are is the same on every shard.
  if (query.kind === 'term') return query
  const next = onShard(query, leaves)
  return next === query ? query : rewrite(next, scores)
}

function sectionsOf(
  weight: Weight,
  spec: CollectSpec,
  leaves: readonly Leaf[],
): readonly SectionUse[] {
  if (spec.postFilter === null && spec.sort === null) return weight.sections
  const uses = weight.sections.slice()
  for (const { field, kinds } of spec.postFilter?.sections ?? NO_USES) addUse(uses, field, kinds)
  for (const key of leaves.length === 0 ? [] : (spec.sort ?? [])) {
    if (key.kind === 'number') addUse(uses, key.field, NUMERIC_VALUES)
    if (key.kind === 'keyword') addUse(uses, key.field, ORDINALS_WITH_TERMS)
  }
  return uses
}

const NO_USES: readonly SectionUse[] = []
const NUMERIC_VALUES = sectionBit('numericValues')
const ORDINALS_WITH_TERMS = sectionBit('ordinals') | sectionBit('terms')

/** Adds what is read of a field; few fields are. */
function addUse(uses: SectionUse[], field: string, kinds: number): void {
  for (let i = 0; i < uses.length; i++)
    if (uses[i]!.field === field) {
      uses[i] = { field, kinds: uses[i]!.kinds | kinds }
      return
    }
  uses.push({ field, kinds })
}

/**
 * The total where statistics tell it: a match-all, one term, or a disjunction of which one term
 * alone passes the limit; without anything that takes matches away. Null where they do not, and
 * where hits are wanted of an unlimited count, which shall see every match.
 */
function knownTotalOf(
  weight: Weight,
  search: RewrittenSearch,
  leaves: readonly Leaf[],
): TotalHits | null {
  const { trackTotalHits: limit, topCount, terminateAfter, minScore, searchAfter } = search.spec
  if (limit < 0 || (limit === Number.POSITIVE_INFINITY && topCount > 0)) return null
  if (search.postFilter !== null || terminateAfter > 0) return null
  if (minScore !== null || searchAfter !== null) return null
  const matches = WEIGHT_OPS.count(weight.root, weight, leaves)
  if (matches >= 0)
    return matches > limit ? { value: limit, relation: 'gte' } : { value: matches, relation: 'eq' }
  const root = weight.root.kind === 'constant' ? weight.root.child : weight.root
  if (root.kind !== 'boolean' || root.minimumShouldMatch > 1) return null
  if (root.clauses.some(clause => clause.occur !== 'should')) return null
  const passes = root.clauses.some(({ node }) => WEIGHT_OPS.count(node, weight, leaves) > limit)
  return passes ? { value: limit, relation: 'gte' } : null
}
