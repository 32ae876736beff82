/**
 * What is done once per shard before its slices run: rewriting, the weight with its statistics and
 * look-ups, and what follows from statistics alone. `rewriteSearch` needs no bytes; `prepareSearch`
 * looks into dictionaries and says which sections must be loaded for the slices.
 */
import { type CollectSpec, needsScores, type TotalHits } from '../search/collector/collect-spec.ts'
import { expandPrefixes } from '../search/query/expand-prefixes.ts'
import type { Query } from '../search/query/query.ts'
import { countClauses, rewrite } from '../search/query/rewrite.ts'
import { rewriteDates } from '../search/query/rewrite-dates.ts'
import { createWeight } from '../search/weight/create-weight.ts'
import { existsCount } from '../search/weight/exists-count.ts'
import { type SectionUse, sectionBit } from '../search/weight/section-use.ts'
import type { Weight, WeightNode } from '../search/weight/weight.ts'
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
  if (countClauses(query) <= most) return
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
  const query = onShard(search.query, leaves, search.needsScores)
  const filter = search.postFilter === null ? null : onShard(search.postFilter, leaves, false)
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
function onShard(query: Query, leaves: readonly Leaf[], scores: boolean): Query {
  // What most searches are is the same on every shard.
  if (query.kind === 'term') return query
  const decided = expandPrefixes(rewriteDates(query, leaves), leaves)
  return decided === query ? query : rewrite(decided, scores)
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
 * The total where statistics tell it: a match-all, one term, a field that exists, or a disjunction of which one term
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
  const root = weight.root.kind === 'constant' ? weight.root.child : weight.root
  const hasDeletes = leaves.some(hasDeleted)
  let matches = -1
  if (root.kind === 'all') matches = leaves.reduce((sum, leaf) => sum + leaf.numDocs, 0)
  else if (root.kind === 'none') matches = 0
  else if (root.kind === 'term' && !hasDeletes) matches = docFreqOf(weight, root)
  else if (root.kind === 'exists') matches = existsCount(weight, root, leaves)
  if (matches >= 0)
    return matches > limit ? { value: limit, relation: 'gte' } : { value: matches, relation: 'eq' }
  if (root.kind !== 'boolean' || hasDeletes || root.minimumShouldMatch > 1) return null
  if (root.clauses.some(clause => clause.occur !== 'should')) return null
  const passes = root.clauses.some(
    ({ node }) => node.kind === 'term' && docFreqOf(weight, node) > limit,
  )
  return passes ? { value: limit, relation: 'gte' } : null
}

function hasDeleted(leaf: Leaf): boolean {
  return leaf.numDocs < leaf.maxDoc
}

function docFreqOf(weight: Weight, node: Extract<WeightNode, { kind: 'term' }>): number {
  let docFreq = 0
  for (const { terms } of weight.leaves) docFreq += terms[node.termId]?.docFreq ?? 0
  return docFreq
}
