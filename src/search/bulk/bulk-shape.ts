/**
 * Decides which searches the kernels run whole, and their form there: scoring clauses, and bit sets
 * that only filter. All others go to the iterators, with the reason of the refusal.
 */
import { appended } from '../../util/lists.ts'
import type { CollectSpec } from '../collector/collect-spec.ts'
import { isBm25 } from '../weight/similarity.ts'
import type { Weight } from '../weight/weight.ts'
import type {
  BooleanWeight,
  DisMaxWeight,
  FunctionScoreWeight,
  Occur,
  PhraseWeight,
  WeightNode,
} from '../weight/weight-node.ts'
import type { BulkRefusal, ScoringClause } from '../weight/weight-type.ts'
import { typeOf } from '../weight/weight-types.ts'
import { canCollectBatches, collectsBatches } from './batch-collector.ts'
import { columnKey } from './column-sorts.ts'

/** A scoring clause that is one term. */
export type TermClause = Extract<ScoringClause, { kind: 'term' }>

/** A search as the kernels run it. */
export interface BulkShape {
  /** Terms that must all match. */
  readonly required: readonly TermClause[]
  /** Null, or the phrase that must match instead of `required`. */
  readonly phrase: PhraseWeight | null
  readonly optional: readonly ScoringClause[]
  /**
   * Tie breaker of the optional clauses, 0 to 1: their score is the max plus this times the others.
   * Null: their sum.
   */
  readonly tieBreaker: number | null
  /** Min number of optional clauses that must match. */
  readonly minimum: number
  /** Terms that must match without scoring. */
  readonly filterTerms: readonly TermClause[]
  /** Other filters and exclusions; neither scores. */
  readonly filters: readonly WeightNode[]
  readonly prohibited: readonly WeightNode[]
  /** Score of every match beside its clauses. */
  readonly constant: number
  /** Whether the score has a required part, which is rounded separately. */
  readonly hasRequired: boolean
  /** Changes the scores of the matches that are hits; null: nothing does. */
  readonly functions: FunctionScoreWeight | null
  /** Other searches: what this one or any of them matches has the best of its scores. */
  readonly alternatives: readonly BulkShape[]
}

/** A window counts the clauses that match in a byte. */
const MAX_COUNTED_CLAUSES = 255
/** A match may be among the hits already, which is looked for hit by hit. */
const MAX_MERGED_HITS = 128
/** Hits are kept in scratch, eight bytes each. */
const MAX_HITS = 65536
/**
 * A score is a multiple of 2⁻²⁶ of its clause's weight, and a double has 53 bits: sums of clauses
 * are exact in any order while (largest weight / smallest weight) · clauses is below this.
 */
const MAX_UNEVENNESS = 2 ** 26

/** The last search whose shape was made: cost, placement and execution of one search all read it. */
let lastWeight: Weight | null = null
let lastSpec: CollectSpec | null = null
let lastShape: BulkShape | BulkRefusal = 'sort'

/** The shape of a search, or why it has none. */
export function bulkShape(weight: Weight, spec: CollectSpec): BulkShape | BulkRefusal {
  if (weight === lastWeight && spec === lastSpec) return lastShape
  lastShape = makeShape(weight, spec)
  lastWeight = weight
  lastSpec = spec
  return lastShape
}

function makeShape(weight: Weight, spec: CollectSpec): BulkShape | BulkRefusal {
  // Without hits to keep, no sort is needed.
  if (spec.topCount > 0 && !canCollectBatches(spec)) return 'sort'
  // Bit sets hold documents that other clauses exclude.
  if (weight.hasScripts || spec.postFilter?.hasScripts === true) return 'script'
  // The iterators stop early.
  if (spec.isInLeafOrder) return 'sort'
  if (spec.terminateAfter > 0) return 'terminate_after'
  if (spec.topCount > MAX_HITS) return 'many_hits'
  const { root } = weight
  if (root.kind === 'functionScore') return functionShape(root, spec)
  const shape = wholeShape(root)
  return shape === 'nested_bool' && mergesHits(spec) ? bestShape(root) : shape
}

/** Whether each alternative may be searched for the hits by itself. */
function mergesHits(spec: CollectSpec): boolean {
  if (spec.searchAfter !== null || spec.demands.everyScore) return false
  const isKernels = !collectsBatches(spec, null) || columnKey(spec, spec.minScore) !== null
  return isKernels && spec.topCount <= MAX_MERGED_HITS
}

/** The shape of a disjunction max, alone or beside what does not score, by the shapes of its alternatives. */
function bestShape(root: WeightNode): BulkShape | BulkRefusal {
  const found = alternativesWithin(root)
  if (found === null) return 'nested_bool'
  const shapes: BulkShape[] = []
  for (const node of found) {
    const shape = shapeOf(node, 0)
    if (typeof shape === 'string') return shape
    shapes.push(shape)
  }
  const [first, ...alternatives] = shapes
  return first === undefined ? 'nested_bool' : { ...first, alternatives }
}

/** Nodes of which a match of the root has the best score; null: it has no such form. */
function alternativesWithin(root: WeightNode): readonly WeightNode[] | null {
  if (root.kind === 'disMax') return root.tieBreaker === 0 ? root.children : null
  if (root.kind !== 'boolean' || !root.scored || root.minimumShouldMatch > 0) return null
  const scoring = root.clauses.filter(({ occur }) => occur === 'must' || occur === 'should')
  const [only] = scoring
  if (scoring.length !== 1 || only!.occur !== 'must') return null
  const inner = alternativesWithin(only!.node)
  if (inner === null) return null
  const others = root.clauses.filter(clause => clause !== only)
  return inner.map(node => ({ ...root, clauses: [...others, { ...only!, node }] }))
}

function wholeShape(root: WeightNode): BulkShape | BulkRefusal {
  return root.kind === 'constant' && isCompound(root.child)
    ? shapeOf(root.child, root.score)
    : shapeOf(root, 0)
}

/** The shape of a node under functions, whose scores only collectors read. */
function functionShape(root: FunctionScoreWeight, spec: CollectSpec): BulkShape | BulkRefusal {
  const dropsMatches = root.combination.minScore !== null || spec.minScore !== null
  if (dropsMatches || spec.demands.everyScore) return 'function_score'
  const shape = wholeShape(root.child)
  return typeof shape === 'string' ? shape : { ...shape, functions: root }
}

function isCompound(node: WeightNode): boolean {
  return node.kind === 'boolean' || node.kind === 'phrase'
}

/** @param constant score of every match; 0 when the clauses score */
function shapeOf(node: WeightNode, constant: number): BulkShape | BulkRefusal {
  if (node.kind === 'boolean') return booleanShape(node, constant)
  if (node.kind === 'phrase') {
    const refusal = phraseRefusal(node)
    if (refusal !== null) return refusal
    return simpleShape(NONE, node, NONE, constant)
  }
  if (node.kind === 'disMax') {
    const alternatives = alternativesOf(node)
    if (typeof alternatives === 'string') return alternatives
    return {
      ...simpleShape(NONE, null, NONE, 0),
      optional: alternatives,
      tieBreaker: node.tieBreaker,
      minimum: 1,
      hasRequired: false,
    }
  }
  const clause = typeOf(node.kind).clause(node, true)
  if (typeof clause === 'string') return clause
  if (clause.kind === 'term') return simpleShape([clause], null, NONE, 0)
  return simpleShape(NONE, null, [clause.node], clause.constant)
}

/** A shape of one clause that must match. */
function simpleShape(
  required: readonly TermClause[],
  phrase: PhraseWeight | null,
  filters: readonly WeightNode[],
  constant: number,
): BulkShape {
  return {
    required,
    phrase,
    optional: NONE,
    tieBreaker: null,
    minimum: 0,
    filterTerms: NONE,
    filters,
    prohibited: NONE,
    constant,
    hasRequired: true,
    functions: null,
    alternatives: NONE,
  }
}

const NONE: readonly never[] = []

function booleanShape(node: BooleanWeight, given: number): BulkShape | BulkRefusal {
  let required: TermClause[] = []
  let optional: ScoringClause[] = []
  let filterTerms: TermClause[] = []
  let filters: WeightNode[] = []
  let prohibited: WeightNode[] = []
  let phrase: PhraseWeight | null = null
  let group: BooleanWeight | DisMaxWeight | null = null
  let groupMustMatch = false
  let constant = given
  for (const { occur, node: child } of node.clauses) {
    if (occur === 'must_not') prohibited = appended(prohibited, child)
    else if (occur === 'filter') {
      const inner = child.kind === 'constant' ? child.child : child
      if (inner.kind === 'term')
        filterTerms = appended(filterTerms, { kind: 'term', node: inner, constant: 0 })
      else filters = appended(filters, inner)
    } else if (occur === 'must' && child.kind === 'phrase') {
      const refusal = phrase === null ? phraseRefusal(child) : 'phrase_clause'
      if (refusal !== null) return refusal
      phrase = child
    } else if (group === null && isGroup(child, occur)) {
      group = child
      groupMustMatch = occur === 'must'
    } else {
      const clause = typeOf(child.kind).clause(child, node.scored)
      if (typeof clause === 'string') return clause
      if (occur === 'should') optional = appended(optional, clause)
      else if (clause.kind === 'term') required = appended(required, clause)
      else {
        filters = appended(filters, clause.node)
        constant += clause.constant
      }
    }
  }
  if (phrase !== null && required.length > 0) return 'phrase_clause'
  let mustMatch = required.length + filterTerms.length + filters.length > 0 || phrase !== null
  let minimum = Math.max(node.minimumShouldMatch, mustMatch ? 0 : 1)
  if (group !== null) {
    // The only scoring clause may be a required group: it becomes optional clauses with a minimum.
    // With a constant beside it, it would be rounded once more than the sum of both is. SHOULD
    // clauses may stand beside required ones, from which they are rounded separately anyway.
    const isBesideOthers = phrase !== null || required.length > 0 || constant !== given
    // A minimum above 1 over a single clause: nothing matches.
    const stands = optional.length === 0 && (groupMustMatch ? !isBesideOthers : minimum <= 1)
    const alternatives = stands ? alternativesOf(group) : 'nested_bool'
    if (typeof alternatives !== 'string') {
      optional = alternatives
      if (groupMustMatch)
        minimum = group.kind === 'boolean' ? Math.max(group.minimumShouldMatch, 1) : 1
    } else if (node.scored) return alternatives
    else if (groupMustMatch) {
      filters = appended(filters, group)
      mustMatch = true
      minimum = node.minimumShouldMatch
      group = null
    } else {
      optional = appended(optional, { kind: 'set', node: group, constant: 0 })
      group = null
    }
  }
  const tieBreaker = group?.kind === 'disMax' ? group.tieBreaker : null
  // Beside required clauses, optional ones with neither score nor minimum change nothing.
  const asked = minimum === 0 && !node.scored ? [] : optional
  if (minimum > 1 && asked.length > MAX_COUNTED_CLAUSES) return 'many_clauses'
  if (areUneven(required, constant)) return 'uneven_weights'
  if (tieBreaker === null && areUneven(asked, 0)) return 'uneven_weights'
  return {
    required,
    phrase,
    optional: asked,
    tieBreaker,
    minimum,
    filterTerms,
    filters,
    prohibited,
    constant,
    hasRequired: mustMatch || given > 0,
    functions: null,
    alternatives: NONE,
  }
}

/** Repeated terms of a sloppy phrase must not share a position: only the iterators check that. */
function phraseRefusal({ slop, termIds, similarity }: PhraseWeight): BulkRefusal | null {
  if (!isBm25(similarity)) return 'similarity'
  return slop > 0 && new Set(termIds).size < termIds.length ? 'sloppy_repeats' : null
}

/** A group of alternatives: the analyzed form of a `match` of several words, or a dis_max. */
function isGroup(node: WeightNode, occur: Occur): node is BooleanWeight | DisMaxWeight {
  if (node.kind === 'disMax') return occur === 'must' || occur === 'should'
  if (node.kind !== 'boolean' || occur !== 'must') return false
  return node.clauses.every(clause => clause.occur === 'should')
}

/** The scoring clauses of a group. */
function alternativesOf(node: BooleanWeight | DisMaxWeight): ScoringClause[] | BulkRefusal {
  const children = node.kind === 'disMax' ? node.children : node.clauses.map(each => each.node)
  const clauses: ScoringClause[] = []
  for (const child of children) {
    const clause = typeOf(child.kind).clause(child, node.scored)
    if (typeof clause === 'string') return clause
    clauses.push(clause)
  }
  if (node.kind === 'boolean') return clauses
  // Other tie breakers could lower the total when a clause's score rises.
  const { tieBreaker } = node
  if (!(tieBreaker >= 0 && tieBreaker <= 1)) return 'tie_breaker'
  // The max alone is exact for any weights.
  return tieBreaker > 0 && areUneven(clauses, 0) ? 'uneven_weights' : clauses
}

function areUneven(clauses: readonly ScoringClause[], constant: number): boolean {
  let min = Number.POSITIVE_INFINITY
  let max = 0
  for (let i = -1; i < clauses.length; i++) {
    const weight = i < 0 ? constant : weightOf(clauses[i]!)
    if (weight === 0) continue
    min = Math.min(min, weight)
    max = Math.max(max, weight)
  }
  return (max / min) * (clauses.length + 1) >= MAX_UNEVENNESS
}

function weightOf(clause: ScoringClause): number {
  return clause.kind === 'term' ? (clause.constant ?? clause.node.weight) : clause.constant
}
