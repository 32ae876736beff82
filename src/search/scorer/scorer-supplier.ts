/**
 * From a weight's node to a scorer on one leaf. A supplier is asked for first: it knows its cost,
 * so that a parent can order its clauses before any of them is opened.
 */
import type { TermState } from '../../codec/terms/format.ts'
import { assert } from '../../util/assert.ts'
import type { BooleanWeight, PhraseWeight, TermWeight, WeightNode } from '../weight/weight.ts'
import { type Combination, SUM } from './combination.ts'
import { ConjunctionScorer } from './conjunction-scorer.ts'
import { DisjunctionScorer } from './disjunction-scorer.ts'
import { AllDocsIterator } from './doc-set-iterators.ts'
import {
  existsSupplier,
  idsSupplier,
  multiTermSupplier,
  pointSupplier,
} from './doc-set-suppliers.ts'
import { freqScoring } from './freq-scoring.ts'
import { MaxScoreScorer } from './max-score-scorer.ts'
import { ExactPhraseMatcher, PhraseScorer, SloppyPhraseMatcher } from './phrase-scorer.ts'
import {
  BoostingScorer,
  RequiredExcludedScorer,
  RequiredOptionalScorer,
} from './required-scorers.ts'
import { exactIterator, type Scorer, type ScorerSupplier, totalCost } from './scorer.ts'
import { constantScorer, openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { multiPhraseSupplier, spanSupplier, synonymSupplier } from './several-terms.ts'
import { TermScorer } from './term-scorer.ts'

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
    case 'synonym':
      return synonymSupplier(node, context)
    case 'multiPhrase':
      return multiPhraseSupplier(node, context)
    case 'span':
      return spanSupplier(node, context)
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
          return constantScorer(context, node.score, exactIterator(scorer, context.watch))
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
      let known = -1
      const cost = (): number => (known < 0 ? (known = totalCost(inner)) : known)
      const combination: Combination = { kind: 'max', tieBreaker: node.tieBreaker }
      const style = { minimum: 1, combination, scored: node.scored }
      return { cost, get: lead => disjunction(inner, style, lead, cost(), context) }
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
            context.watch,
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

// ---- terms and phrases --------------------------------------------------------------------------

function termSupplier(node: TermWeight, context: ScorerContext): ScorerSupplier | null {
  const state = context.states.terms[node.termId] ?? null
  if (state === null) return null
  return supplier(state.docFreq, () => {
    const postings = openPostings(node.field, state, context)
    if (!node.scored) return constantScorer(context, 0, postings)
    const scorer = new TermScorer(postings, freqScoring(node, context), context.watch)
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
    const scorer = new PhraseScorer(
      postings,
      matcher,
      isSloppy,
      freqScoring(node, context),
      context.watch,
    )
    context.skippers.push(scorer.skipper)
    return scorer
  })
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
  let knownOptional = -1
  const optionalCost = (): number =>
    knownOptional < 0 ? (knownOptional = totalCost(optional)) : knownOptional
  const cost = (): number => {
    if (known >= 0) return known
    let least = Number.POSITIVE_INFINITY
    for (const each of required) least = Math.min(least, each.supplier.cost())
    if (required.length === 0 || minimum > 0) least = Math.min(least, optionalCost())
    return (known = least)
  }
  const sums = { minimum, combination: SUM, scored: node.scored }
  return {
    cost,
    get: leadCost => {
      const lead = Math.min(leadCost, cost())
      const required_ = requiredScorer(required, lead, context)
      let optional_: Scorer | null = null
      if (usesOptional) {
        const asked = required_ === null ? leadCost : lead
        optional_ = disjunction(optional, sums, asked, optionalCost(), context)
      }
      let positive: Scorer
      if (required_ === null) positive = optional_ as Scorer
      else if (optional_ === null) positive = required_
      else if (minimum > 0)
        positive = new ConjunctionScorer(
          [required_, optional_],
          scoringOf(node, [required_, optional_]),
          context.watch,
        )
      else {
        const both = new RequiredOptionalScorer(required_, optional_, context.watch)
        context.skippers.push(both.skipper)
        positive = both
      }
      if (prohibited.length === 0) return positive
      const excluder = disjunction(prohibited, UNSCORED, lead, totalCost(prohibited), context)
      return new RequiredExcludedScorer(positive, excluder)
    },
  }
}

/** What a disjunction is made for. */
interface DisjunctionStyle {
  readonly minimum: number
  readonly combination: Combination
  readonly scored: boolean
}

const UNSCORED: DisjunctionStyle = { minimum: 1, combination: SUM, scored: false }

/** Past so many clauses windows pay even where they cannot pass over what does not compete. */
const MANY_CLAUSES = 8

/** With fewer postings in 1,024 documents, two or three clauses cost less side by side. */
const SPARSE_POSTINGS = 16

/**
 * Some of several clauses.
 * @param leadCost how often it will be asked: as often as it has postings, and it is run in windows
 */
function disjunction(
  clauses: readonly ScorerSupplier[],
  style: DisjunctionStyle,
  leadCost: number,
  cost: number,
  context: ScorerContext,
): Scorer {
  const scorers = clauses.map(each => each.get(Math.min(leadCost, cost)))
  const [only] = scorers
  assert(only !== undefined, 'a disjunction has clauses')
  if (scorers.length === 1) return only
  const { minimum, combination, scored } = style
  const isSparse = scorers.length <= 3 && cost * 1024 < SPARSE_POSTINGS * context.leaf.maxDoc
  // Windows know no bounds of a maximum.
  const passesOver = context.prunes && combination.kind === 'max'
  if (leadCost >= cost && !isSparse && (!passesOver || scorers.length > MANY_CLAUSES)) {
    const { windows, watch, batches, endDoc, leaf } = context
    const { maxDoc } = leaf
    const options = { minimum, combination, scored, maxDoc, endDoc, windows, watch, batches }
    const scorer = new MaxScoreScorer(scorers, options)
    context.skippers.push(scorer)
    return scorer
  }
  const scorer = new DisjunctionScorer(scorers, minimum, combination, context.watch)
  context.skippers.push(scorer.skipper)
  return scorer
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
    const both = new ConjunctionScorer(scorers, scoring, context.watch)
    context.skippers.push(both.skipper)
    return both
  }
  return scoring.length === 1 ? only : unscored(only, context)
}

function scoringOf(node: BooleanWeight, scorers: readonly Scorer[]): readonly Scorer[] {
  return node.scored ? scorers : []
}

/** A filter that stands alone scores 0. */
function unscored(scorer: Scorer, context: ScorerContext): Scorer {
  const check = scorer.twoPhase()
  if (check !== null) return constantScorer(context, 0, check.approximation, check)
  return constantScorer(context, 0, exactIterator(scorer, context.watch))
}
