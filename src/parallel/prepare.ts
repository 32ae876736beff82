/**
 * Preparation of a search, once per shard: rewriting, the weight with its statistics and look-ups,
 * and results that follow from statistics alone. `rewriteSearch` reads no index; `prepareSearch`
 * reads dictionaries and collects the sections that slices need.
 */
import { parseIndexSort } from '../schema/index-sort.ts'
import type { CollectSpec, PreparedGather, TotalHits } from '../search/collector/collect-spec.ts'
import type { LeafCounting } from '../search/collector/gather.ts'
import { type Demands, demandsOf, type GatherPlan } from '../search/collector/gather-plan.ts'
import { isInOrder } from '../search/collector/leaf-order.ts'
import { scopeOf } from '../search/collector/match-scope.ts'
import { bindJoins, type FoundJoins, NO_JOINS } from '../search/query/bind-joins.ts'
import { createWeight } from '../search/query/create-weight.ts'
import type { Query } from '../search/query/query.ts'
import { clauseCount, onShard, rewrite } from '../search/query/query-ops.ts'
import type { ScriptPlan } from '../search/script/script-plan.ts'
import { nestedOf, type SortKey, scriptOf } from '../search/sort/sort-key.ts'
import { scriptSections } from '../search/weight/script-sections.ts'
import { type SectionUse, sectionBit } from '../search/weight/section-use.ts'
import type { TermStatistics } from '../search/weight/term-statistics.ts'
import type { LeafStates, Weight } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { TermFrequencyFilter } from '../segment/uninvert.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError } from '../util/errors.ts'
import { isByDocument } from './first-document.ts'
import { countingOf, demandsOfGathers, prepareGathers } from './gathers.ts'

/** A search as requested, before any shard is read. */
export interface SearchPlan {
  readonly query: Query
  readonly gather: GatherPlan
  /** Documents of the joins in gathers' filters; absent: there are none. */
  readonly joins?: FoundJoins
  /** Max clauses of the whole rewritten tree (`indices.query.bool.max_clause_count`). */
  readonly maxClauseCount: number
  /** Statistics in place of the shard's own; null: none. */
  readonly statistics: TermStatistics | null
}

/** The same, rewritten. */
export interface RewrittenSearch {
  readonly query: Query
  readonly postFilter: Query | null
  /** By level of the sort, the nested documents whose values it reads. */
  readonly nested: readonly (Query | null)[]
  readonly gather: GatherPlan
  readonly joins: FoundJoins
  readonly demands: Demands
  readonly statistics: TermStatistics | null
  /** Nanoseconds; 0 when not measured. */
  readonly rewriteTime: number
}

/** Input of a shard's slices, as plain data. */
export interface PreparedSearch {
  readonly weight: Weight
  readonly spec: CollectSpec
  readonly rewriteTime: number
  /** Sections that slices read, sort columns included, distinct. */
  readonly sections: readonly SectionUse[]
  /** Postings iterators that one leaf's scorers hold open at once; sizes the scratch. */
  readonly openPostings: number
  /** Scratch that gathers have reserved. */
  readonly gatherBytes: number
  /** Estimated matches that gathers see, counted for each of their parts. */
  readonly gathered: number
  /** By leaf, how gathers tell their parts of a whole one; null: they see documents. Empty without gathers. */
  readonly counting: readonly (LeafCounting | null)[]
  /** Estimated postings and documents that all slices will pass. */
  readonly cost: number
  /** Whether slices run scripts: the calling thread then takes no part. */
  readonly hasScripts: boolean
  /** The leaves on the coordinating thread; they stay there. */
  readonly leaves: readonly Leaf[]
}

/**
 * Rewrites the queries of a search.
 * @param times whether a profile will print the time
 * @throws {EngineError} `too_many_nested_clauses`
 */
export function rewriteSearch(plan: SearchPlan, times = true): RewrittenSearch {
  const start = times ? nowInNanos() : 0
  const { gather } = plan
  const demands = demandsOf(gather, demandsOfGathers(gather.others))
  const query = rewrite(plan.query, demands.scores)
  const given = gather.hits.postFilter
  const postFilter = given === null ? null : rewrite(given, false)
  checkClauses(query, plan.maxClauseCount)
  if (postFilter !== null) checkClauses(postFilter, plan.maxClauseCount)
  const nested = (gather.hits.sort ?? NO_KEYS).map(key => {
    const values = nestedOf(key)
    return values === null ? null : rewrite(values.query, false)
  })
  const rewriteTime = times ? Math.max(1, nowInNanos() - start) : 0
  const { statistics } = plan
  return {
    query,
    postFilter,
    nested,
    gather,
    joins: plan.joins ?? NO_JOINS,
    demands,
    statistics,
    rewriteTime,
  }
}

function checkClauses(query: Query, maxClauseCount: number): void {
  if (clauseCount(query) <= maxClauseCount) return
  throw new EngineError({
    type: 'too_many_nested_clauses',
    reason: `Query contains too many nested clauses; maxClauseCount is set to ${maxClauseCount}`,
  })
}

/**
 * Makes a shard's weights.
 * @param leaves    its whole snapshot
 * @param describes whether a profile will print the weight's nodes
 * @param sortOf    what the documents of a leaf are sorted by, by its ord: text as segments keep it
 */
export function prepareSearch(
  search: RewrittenSearch,
  leaves: readonly Leaf[],
  describes = true,
  sortOf: (leafOrd: number) => string = () => '',
): PreparedSearch {
  const { gather, demands } = search
  const start = describes ? nowInNanos() : 0
  const query = decided(search.query, leaves, demands.scores)
  const nestedQueries = search.nested.map(each => each && decided(each, leaves, false))
  const filter = search.postFilter === null ? null : decided(search.postFilter, leaves, false)
  const rewriteTime = describes ? search.rewriteTime + nowInNanos() - start : 0
  const weight = createWeight(query, leaves, demands.scores, describes, search.statistics)
  const postFilter = filter === null ? null : createWeight(filter, leaves, false, false)
  const nested = nestedQueries.map(each => each && createWeight(each, leaves, false, false))
  const knownTotal = demands.totalByStatistics
    ? knownTotalOf(weight, gather.hits.trackTotalHits, leaves)
    : null
  const { hits, limits } = gather
  const gathered: SectionUse[] = []
  const filters: Weight[] = []
  let gatherBytes = 0
  let gathersRunScripts = false
  const others =
    gather.others.length === 0
      ? NO_GATHERS
      : prepareGathers(gather.others, {
          leaves,
          scope: scopeOf(gather, weight),
          use: (field, kinds) => addUse(gathered, field, kinds),
          useTerms: (field, fieldData) => addTerms(gathered, field, fieldData ?? undefined),
          useScript(script) {
            gathersRunScripts = true
            addScript(gathered, script)
          },
          reserve(bytes) {
            gatherBytes += bytes
          },
          weightOf(query) {
            const bound = bindJoins(query, search.joins)
            const rewritten = decided(rewrite(bound, false), leaves, false)
            const made = createWeight(rewritten, leaves, false, false)
            filters.push(made)
            for (const { field, kinds } of made.sections) addUse(gathered, field, kinds)
            return made
          },
        })
  const counting = others.length === 0 ? NO_COUNTING : leaves.map(leaf => countingOf(others, leaf))
  // Written out: a spread would cost more than the rest of a small search.
  const spec: CollectSpec = {
    topCount: hits.topCount,
    sort: hits.sort,
    searchAfter: hits.searchAfter,
    collapse: hits.collapse,
    trackTotalHits: hits.trackTotalHits,
    trackScores: hits.trackScores,
    minScore: limits.minScore,
    terminateAfter: limits.terminateAfter,
    deadline: limits.deadline,
    postFilter,
    nested,
    knownTotal,
    others,
    lists: weight.root.kind === 'hybrid' && hits.topCount > 0 ? weight.root.children.length : 0,
    demands,
    isInLeafOrder:
      stopsInLeaves(gather) && (isByDocument(hits.sort) || areInOrder(hits.sort, leaves, sortOf)),
  }
  return {
    weight,
    spec,
    rewriteTime,
    sections: sectionsOf(weight, spec, gathered, leaves),
    openPostings: [...nested, ...filters].reduce(
      (sum, each) => sum + (each?.openPostings ?? 0),
      weight.openPostings + (postFilter?.openPostings ?? 0),
    ),
    gatherBytes,
    gathered: gather.others.length === 0 ? 0 : gatheredBy(gather, weight, leaves, counting),
    counting,
    cost: weight.cost,
    hasScripts:
      gathersRunScripts ||
      hits.sort?.some(key => scriptOf(key) !== null) === true ||
      [weight, postFilter, ...nested, ...filters].some(each => each?.hasScripts === true),
    leaves,
  }
}

const NO_STATES: LeafStates = { terms: [], expansions: [] }

const NO_COUNTING: readonly null[] = []

function gatheredBy(
  { others }: GatherPlan,
  weight: Weight,
  leaves: readonly Leaf[],
  counting: readonly (LeafCounting | null)[],
): number {
  const parts = demandsOfGathers(others).reduce((sum, demands) => sum + demands.parts, 0)
  const matches = leaves.reduce((sum, leaf, i) => {
    if (counting[i]?.isSure === true) return sum
    const found = WEIGHT_OPS.matches(weight.root, weight.leaves[leaf.ord] ?? NO_STATES, leaf)
    // NaN: a query without an estimate of its matches.
    return sum + (Number.isNaN(found) ? leaf.maxDoc : Math.min(found, leaf.maxDoc))
  }, 0)
  return parts * matches
}

/** A rewritten query with the shard's values resolved. */
function decided(query: Query, leaves: readonly Leaf[], scores: boolean): Query {
  // Most searches are for one term, which is the same on every shard.
  if (query.kind === 'term') return query
  const next = onShard(query, leaves)
  return next === query ? query : rewrite(next, scores)
}

function sectionsOf(
  weight: Weight,
  spec: CollectSpec,
  gathered: readonly SectionUse[],
  leaves: readonly Leaf[],
): readonly SectionUse[] {
  const { collapse } = spec
  if (spec.postFilter === null && spec.sort === null && collapse === null && gathered.length === 0)
    return weight.sections
  const uses = weight.sections.slice()
  for (const { field, kinds, fieldData } of gathered) {
    addUse(uses, field, kinds)
    if (fieldData !== undefined) addTerms(uses, field, fieldData)
  }
  for (const { field, kinds } of spec.postFilter?.sections ?? NO_USES) addUse(uses, field, kinds)
  for (const each of spec.nested) {
    if (each === null) continue
    for (const { field, kinds } of each.sections) addUse(uses, field, kinds)
    addUse(uses, '', PARENTS)
  }
  for (const key of leaves.length === 0 ? [] : (spec.sort ?? [])) {
    if (key.kind === 'number' || key.kind === 'distance') addUse(uses, key.field, NUMERIC_VALUES)
    if (key.kind === 'keyword') addTerms(uses, key.field, key.fieldData)
    if (key.kind === 'id') addUse(uses, '', IDS)
    const script = scriptOf(key)
    if (script !== null) addScript(uses, script)
  }
  if (collapse !== null)
    addUse(uses, collapse.field, collapse.kind === 'number' ? NUMERIC_VALUES : ORDINALS_WITH_TERMS)
  return uses
}

/** Whether matches behind the best of a leaf have no part in the answer. */
function stopsInLeaves({ hits, others, limits }: GatherPlan): boolean {
  const { sort, topCount, trackTotalHits, trackScores, collapse } = hits
  const wantsBestAlone = sort !== null && topCount > 0 && trackTotalHits < 0 && !trackScores
  return wantsBestAlone && collapse === null && others.length === 0 && limits.terminateAfter === 0
}

/** Whether the documents of every leaf are in the order of a sort. */
function areInOrder(
  sort: GatherPlan['hits']['sort'],
  leaves: readonly Leaf[],
  sortOf: (leafOrd: number) => string,
): boolean {
  let last = ''
  for (const { ord } of leaves) {
    const text = sortOf(ord)
    if (text === '') return false
    if (text !== last && !isInOrder(sort ?? [], parseIndexSort(text))) return false
    last = text
  }
  return leaves.length > 0
}

const NO_GATHERS: readonly PreparedGather[] = []
const NO_USES: readonly SectionUse[] = []
const NO_KEYS: readonly SortKey[] = []
const PARENTS = sectionBit('parents')
const NUMERIC_VALUES = sectionBit('numericValues')
const IDS = sectionBit('ids')
const TERMS = sectionBit('terms')
const ORDINALS_WITH_TERMS = sectionBit('ordinals') | sectionBit('terms')

/** Adds a section use; linear search, as there are few fields. */
function addUse(uses: SectionUse[], field: string, kinds: number): void {
  for (let i = 0; i < uses.length; i++)
    if (uses[i]!.field === field) {
      uses[i] = { ...uses[i]!, kinds: uses[i]!.kinds | kinds }
      return
    }
  uses.push({ field, kinds })
}

/** Adds a field's terms by document, uninverted with a filter. */
function addScript(uses: SectionUse[], script: ScriptPlan): void {
  for (const { field, kinds, fieldData } of scriptSections(script)) {
    addUse(uses, field, kinds)
    if (fieldData !== undefined) addTerms(uses, field, fieldData)
  }
}

function addTerms(uses: SectionUse[], field: string, fieldData?: TermFrequencyFilter): void {
  addUse(uses, field, fieldData === undefined ? ORDINALS_WITH_TERMS : TERMS)
  if (fieldData === undefined) return
  const i = uses.findIndex(use => use.field === field)
  uses[i] = { ...uses[i]!, fieldData }
}

/**
 * The total if statistics give it: a node that counts its own documents, or a disjunction with one
 * clause above the limit. Otherwise null.
 */
function knownTotalOf(weight: Weight, limit: number, leaves: readonly Leaf[]): TotalHits | null {
  const matches = WEIGHT_OPS.count(weight.root, weight, leaves)
  if (matches >= 0)
    return matches > limit ? { value: limit, relation: 'gte' } : { value: matches, relation: 'eq' }
  const root = weight.root.kind === 'constant' ? weight.root.child : weight.root
  if (root.kind !== 'boolean' || root.minimumShouldMatch > 1) return null
  if (root.clauses.some(clause => clause.occur !== 'should')) return null
  const passes = root.clauses.some(({ node }) => WEIGHT_OPS.count(node, weight, leaves) > limit)
  return passes ? { value: limit, relation: 'gte' } : null
}
