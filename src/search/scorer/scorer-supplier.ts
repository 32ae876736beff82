/**
 * From a weight's node to a scorer on one leaf. A supplier is asked for first: it knows its cost,
 * so that a parent can order its clauses before any of them is opened.
 */

import type { FieldInfo } from '../../codec/directory/format.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { compareLongs } from '../../codec/doc-values/long-column.ts'
import { inverseNorms } from '../../codec/norms/inverse.ts'
import { longWords } from '../../codec/points/reader.ts'
import type { PostingsIterator } from '../../codec/postings/reader.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { assert } from '../../util/assert.ts'
import { BitSet } from '../../util/bit-set.ts'
import { compareBytes } from '../../util/bytes.ts'
import type {
  BooleanWeight,
  ExistsWeight,
  IdsWeight,
  LeafStates,
  MultiTermWeight,
  PhraseWeight,
  PointInterval,
  PointWeight,
  TermWeight,
  WeightNode,
} from '../weight/weight.ts'
import { ConjunctionScorer } from './conjunction-scorer.ts'
import { ConstantScorer } from './constant-scorer.ts'
import { DisjunctionScorer } from './disjunction-scorer.ts'
import {
  AllDocsIterator,
  BitSetIterator,
  DocListIterator,
  PresenceIterator,
} from './doc-set-iterators.ts'
import { MaxScoreScorer } from './max-score-scorer.ts'
import { ExactPhraseMatcher, PhraseScorer, SloppyPhraseMatcher } from './phrase-scorer.ts'
import {
  BoostingScorer,
  RequiredExcludedScorer,
  RequiredOptionalScorer,
} from './required-scorers.ts'
import { exactIterator, type Scorer, type ScorerSupplier, type TwoPhase } from './scorer.ts'
import { type FreqScoring, TermScorer } from './term-scorer.ts'

/** Wraps what is made for a node, so that calls can be counted: how a profile listens. */
export type WrapSupplier = (
  nodeId: number,
  make: () => ScorerSupplier | null,
) => ScorerSupplier | null

/** What scorers of one leaf share. */
export interface ScorerContext {
  readonly leaf: Leaf
  readonly states: LeafStates
  /** True where only the best scores are wanted and blocks may be passed over. */
  readonly prunes: boolean
  /** Null when nobody listens. */
  readonly wrap: WrapSupplier | null
  /** Inverse norms by mean length, kept over the leaves of a slice. */
  readonly inverses: Map<number, Float32Array>
  /** Everything that counts skipped blocks, for the slice's counters. */
  readonly postings: PostingsIterator[]
  readonly skippers: { readonly skipped: number }[]
}

/** A supplier for a node, or null when the node matches nothing in the leaf. */
export function scorerSupplier(node: WeightNode, context: ScorerContext): ScorerSupplier | null {
  const make = (): ScorerSupplier | null => makeSupplier(node, context)
  return context.wrap === null ? make() : context.wrap(node.id, make)
}

function makeSupplier(node: WeightNode, context: ScorerContext): ScorerSupplier | null {
  switch (node.kind) {
    case 'term':
      return termSupplier(node, context)
    case 'phrase':
      return phraseSupplier(node, context)
    case 'all': {
      const { maxDoc } = context.leaf
      return supplier(maxDoc, () =>
        constantScorer(context, node.score, new AllDocsIterator(maxDoc)),
      )
    }
    case 'none':
      return null
    case 'constant': {
      const inner = scorerSupplier(node.child, context)
      if (inner === null) return null
      return {
        cost: () => inner.cost(),
        get: lead => {
          const scorer = inner.get(lead)
          const check = scorer.twoPhase()
          if (check !== null) return constantScorer(context, node.score, check.approximation, check)
          return constantScorer(context, node.score, exactIterator(scorer))
        },
      }
    }
    case 'boolean':
      return booleanSupplier(node, context)
    case 'disMax': {
      const inner = node.children.flatMap(child => scorerSupplier(child, context) ?? [])
      const [only] = inner
      if (only === undefined) return null
      if (inner.length === 1) return only
      return {
        cost: () => sumOfCosts(inner),
        get: lead => {
          const scorers = inner.map(each => each.get(lead))
          return new DisjunctionScorer(scorers, 1, { kind: 'max', tieBreaker: node.tieBreaker })
        },
      }
    }
    case 'boosting': {
      const positive = scorerSupplier(node.positive, context)
      if (positive === null) return null
      const negative = scorerSupplier(node.negative, context)
      return {
        cost: () => positive.cost(),
        get: lead =>
          new BoostingScorer(
            positive.get(lead),
            negative === null ? null : negative.get(positive.cost()),
            node.factor,
            node.boost,
          ),
      }
    }
    case 'multiTerm':
      return multiTermSupplier(node, context)
    case 'point':
      return pointSupplier(node, context)
    case 'exists':
      return existsSupplier(node, context)
    case 'ids':
      return idsSupplier(node, context)
  }
}

function supplier(cost: number, get: (leadCost: number) => Scorer): ScorerSupplier {
  return { cost: () => cost, get }
}

function sumOfCosts(suppliers: readonly ScorerSupplier[]): number {
  let sum = 0
  for (const each of suppliers) sum += each.cost()
  return sum
}

/** A constant scorer whose early end is counted. */
function constantScorer(
  context: ScorerContext,
  score: number,
  approximation: DocIdIterator,
  check: TwoPhase | null = null,
): ConstantScorer {
  const scorer = new ConstantScorer(score, approximation, check)
  context.skippers.push(scorer)
  return scorer
}

// ---- terms and phrases --------------------------------------------------------------------------

function termSupplier(node: TermWeight, context: ScorerContext): ScorerSupplier | null {
  const state = context.states.terms[node.termId] ?? null
  if (state === null) return null
  return supplier(state.docFreq, () => {
    const postings = openPostings(node.field, state, context)
    if (!node.scored) return constantScorer(context, 0, postings)
    const scorer = new TermScorer(postings, freqScoring(node, context))
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

function phraseSupplier(node: PhraseWeight, context: ScorerContext): ScorerSupplier | null {
  const states: TermState[] = []
  let cost = Number.POSITIVE_INFINITY
  for (const termId of node.termIds) {
    const state = context.states.terms[termId] ?? null
    if (state === null) return null
    states.push(state)
    cost = Math.min(cost, state.docFreq)
  }
  return supplier(cost, () => {
    const postings = states.map(state => openPostings(node.field, state, context))
    const isSloppy = node.slop > 0
    const matcher = isSloppy
      ? new SloppyPhraseMatcher(postings, node.positions, node.termIds, node.slop)
      : new ExactPhraseMatcher(postings, node.positions)
    const scorer = new PhraseScorer(postings, matcher, isSloppy, freqScoring(node, context))
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

function openPostings(field: string, state: TermState, context: ScorerContext): PostingsIterator {
  const postings = context.leaf.postings(field, state)
  context.postings.push(postings)
  return postings
}

function freqScoring(node: TermWeight | PhraseWeight, context: ScorerContext): FreqScoring {
  const { leaf, inverses } = context
  let inverse = inverses.get(node.average)
  if (inverse === undefined) {
    inverse = inverseNorms(node.average)
    inverses.set(node.average, inverse)
  }
  const info = leaf.fieldInfo(node.field)
  return {
    weight: node.weight,
    inverse,
    norms: node.scored && info?.hasNorms === true ? leaf.norms(node.field) : null,
    average: node.average,
    impactAverage: info?.averageLength ?? 0,
  }
}

// ---- booleans -----------------------------------------------------------------------------------

function booleanSupplier(node: BooleanWeight, context: ScorerContext): ScorerSupplier | null {
  const required: { supplier: ScorerSupplier; scores: boolean }[] = []
  const optional: ScorerSupplier[] = []
  const prohibited: ScorerSupplier[] = []
  for (const { occur, node: child } of node.clauses) {
    const inner = scorerSupplier(child, context)
    if (inner === null) {
      if (occur === 'must' || occur === 'filter') return null
    } else if (occur === 'should') optional.push(inner)
    else if (occur === 'must_not') prohibited.push(inner)
    else required.push({ supplier: inner, scores: node.scored && occur === 'must' })
  }
  const minimum = node.minimumShouldMatch
  if (optional.length < minimum) return null
  if (required.length === 0 && optional.length === 0) return null
  // Shoulds beside required clauses only score: without scores they need not be opened.
  const usesOptional = optional.length > 0 && (required.length === 0 || minimum > 0 || node.scored)
  // Asked of the children once: every question is a counted call.
  let known = -1
  const cost = (): number => {
    if (known >= 0) return known
    let least = Number.POSITIVE_INFINITY
    for (const each of required) least = Math.min(least, each.supplier.cost())
    if (required.length === 0 || minimum > 0) least = Math.min(least, sumOfCosts(optional))
    return (known = least)
  }
  return {
    cost,
    get: leadCost => {
      const lead = Math.min(leadCost, cost())
      const required_ = requiredScorer(required, lead, context)
      const optional_ = usesOptional ? optionalScorer(node, optional, lead, context) : null
      let positive: Scorer
      if (required_ === null) positive = optional_ as Scorer
      else if (optional_ === null) positive = required_
      else if (minimum > 0)
        positive = new ConjunctionScorer(
          [required_, optional_],
          scoringOf(node, [required_, optional_]),
        )
      else {
        const both = new RequiredOptionalScorer(required_, optional_)
        context.skippers.push(both.skipper)
        positive = both
      }
      if (prohibited.length === 0) return positive
      const excluded = prohibited.map(each => each.get(lead))
      const excluder =
        excluded.length === 1
          ? (excluded[0] as Scorer)
          : new DisjunctionScorer(excluded, 1, { kind: 'sum' })
      return new RequiredExcludedScorer(positive, excluder)
    },
  }
}

function requiredScorer(
  required: readonly { supplier: ScorerSupplier; scores: boolean }[],
  lead: number,
  context: ScorerContext,
): Scorer | null {
  const scorers = required.map(each => each.supplier.get(lead))
  const [only] = scorers
  if (only === undefined) return null
  const scoring = scorers.filter((_, i) => required[i]?.scores === true)
  if (scorers.length > 1) {
    const both = new ConjunctionScorer(scorers, scoring)
    context.skippers.push(both.skipper)
    return both
  }
  return scoring.length === 1 ? only : unscored(only, context)
}

function optionalScorer(
  node: BooleanWeight,
  optional: readonly ScorerSupplier[],
  lead: number,
  context: ScorerContext,
): Scorer {
  const scorers = optional.map(each => each.get(lead))
  const [only] = scorers
  assert(only !== undefined, 'a disjunction has clauses')
  if (scorers.length === 1) return only
  if (node.minimumShouldMatch <= 1 && node.scored && context.prunes) {
    const scorer = new MaxScoreScorer(scorers)
    context.skippers.push(scorer)
    return scorer
  }
  const scorer = new DisjunctionScorer(scorers, node.minimumShouldMatch, { kind: 'sum' })
  context.skippers.push(scorer.skipper)
  return scorer
}

function scoringOf(node: BooleanWeight, scorers: readonly Scorer[]): readonly Scorer[] {
  return node.scored ? scorers : []
}

/** A filter that stands alone scores 0. */
function unscored(scorer: Scorer, context: ScorerContext): Scorer {
  const check = scorer.twoPhase()
  if (check !== null) return constantScorer(context, 0, check.approximation, check)
  return constantScorer(context, 0, exactIterator(scorer))
}

// ---- sets of documents --------------------------------------------------------------------------

function multiTermSupplier(node: MultiTermWeight, context: ScorerContext): ScorerSupplier | null {
  const info = context.leaf.fieldInfo(node.field)
  if (info === null) return null
  const states = context.states.expansions[node.expansionId]
  if (states === undefined || states === null)
    return info.indexOptions === 'none'
      ? ordinalSupplier(node, context)
      : runSupplier(node, info, context)
  const [only] = states
  if (only === undefined) return null
  let cost = 0
  for (const state of states) cost += state.docFreq
  return supplier(Math.min(cost, context.leaf.maxDoc), () => {
    if (states.length === 1)
      return constantScorer(context, node.score, openPostings(node.field, only, context))
    const bits = new BitSet(context.leaf.maxDoc)
    for (const state of states) addPostings(bits, node.field, state, context)
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** Too many terms to list: the worker walks the dictionary itself. */
function runSupplier(
  node: MultiTermWeight,
  info: FieldInfo,
  context: ScorerContext,
): ScorerSupplier {
  return supplier(info.docCount, () => {
    const bits = new BitSet(context.leaf.maxDoc)
    const iterator = context.leaf.terms(node.field)?.iterator()
    for (const { lower, upper } of node.runs) {
      for (let has = iterator?.seekCeil(lower) === true; has; has = iterator?.next() === true) {
        if (iterator === undefined) break
        if (upper !== null && compareBytes(iterator.term(), upper) >= 0) break
        addPostings(bits, node.field, iterator.state(), context)
      }
    }
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** A keyword that is not indexed: its ordinals are held against the runs' places. */
function ordinalSupplier(node: MultiTermWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const ordinals = leaf.ordinals(node.field)
  const iterator = leaf.terms(node.field)?.iterator()
  if (ordinals === null || iterator === undefined) return null
  const ends: number[] = []
  for (const { lower, upper } of node.runs) {
    iterator.seekCeil(lower)
    const from = iterator.ord()
    if (upper !== null) iterator.seekCeil(upper)
    const to = upper === null ? Number.POSITIVE_INFINITY : iterator.ord()
    if (from < to) ends.push(from, to)
  }
  if (ends.length === 0) return null
  return supplier(leaf.maxDoc, () => {
    const approximation = ordinals.values.docs()
    return constantScorer(context, node.score, approximation, {
      approximation,
      matches: () => {
        if (!ordinals.advanceExact(approximation.docId())) return false
        for (let i = 0; i < ordinals.valueCount(); i++) {
          const ord = ordinals.ord(i)
          for (let run = 0; run < ends.length; run += 2)
            if (ord >= ends[run]! && ord < ends[run + 1]!) return true
        }
        return false
      },
      matchCost: () => 20,
    })
  })
}

function pointSupplier(node: PointWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const info = leaf.fieldInfo(node.field)
  if (info === null) return null
  const points = node.indexed && info.hasPoints ? leaf.points(node.field) : null
  const values =
    node.docValues && info.docValues === 'numeric' ? leaf.numericValues(node.field) : null
  if (points === null && values === null) return null
  let cost = leaf.maxDoc
  const ends = node.intervals.map(each => ({
    lower: longWords(each.lowerHi, each.lowerLo),
    upper: longWords(each.upperHi, each.upperLo),
  }))
  if (points !== null) {
    cost = 0
    for (const { lower, upper } of ends) cost += points.estimate(lower, upper)
    if (cost === 0) return null
  }
  return supplier(cost, leadCost => {
    // Few candidates from elsewhere: asking each for its values beats collecting the whole range.
    if (points !== null && (values === null || leadCost * 8 >= cost)) {
      const bits = new BitSet(leaf.maxDoc)
      for (const { lower, upper } of ends) points.intersect(lower, upper, doc => bits.add(doc))
      return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
    }
    assert(values !== null, 'a range has points or values')
    const approximation = values.docs()
    return constantScorer(context, node.score, approximation, {
      approximation,
      matches: () => {
        if (!values.advanceExact(approximation.docId())) return false
        for (let i = 0; i < values.valueCount(); i++) {
          values.select(i)
          if (liesIn(values.hi(), values.lo(), node.intervals)) return true
        }
        return false
      },
      matchCost: () => 20,
    })
  })
}

function liesIn(hi: number, lo: number, intervals: readonly PointInterval[]): boolean {
  for (const each of intervals) {
    if (compareLongs(hi, lo, each.lowerHi, each.lowerLo) < 0) return false
    if (compareLongs(hi, lo, each.upperHi, each.upperLo) <= 0) return true
  }
  return false
}

function existsSupplier(node: ExistsWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const info = leaf.fieldInfo(node.field)
  if (info === null) return null
  let iterator: DocIdIterator | null = null
  if (info.docValues === 'numeric') iterator = leaf.numericValues(node.field)?.docs() ?? null
  else if (info.docValues === 'ordinals')
    iterator = leaf.ordinals(node.field)?.values.docs() ?? null
  else if (info.hasNorms) {
    const norms = leaf.norms(node.field)
    if (norms !== null)
      iterator = new PresenceIterator(leaf.maxDoc, norms.docCount, doc => norms.has(doc))
  }
  if (iterator === null) return null
  const docs = iterator
  return supplier(docs.cost(), () => constantScorer(context, node.score, docs))
}

function idsSupplier(node: IdsWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const reader = leaf.ids()
  const docs: number[] = []
  for (const id of node.ids) {
    const doc = reader.lookup(id, each => leaf.liveDocs === null || leaf.liveDocs.has(each))
    if (doc >= 0) docs.push(doc)
  }
  if (docs.length === 0) return null
  const list = Int32Array.from(docs).sort()
  return supplier(list.length, () => constantScorer(context, node.score, new DocListIterator(list)))
}

function addPostings(bits: BitSet, field: string, state: TermState, context: ScorerContext): void {
  // The iterator is done with when this returns, and so is its scratch.
  const { scratch } = context.leaf
  const mark = scratch.mark()
  const postings = context.leaf.postings(field, state)
  for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) bits.add(doc)
  scratch.release(mark)
}
