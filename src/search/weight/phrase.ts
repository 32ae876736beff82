import type { TermState } from '../../codec/terms/format.ts'
import { ExactPhraseMatcher, PhraseScorer, SloppyPhraseMatcher } from '../scorer/phrase-scorer.ts'
import { explainPhrase } from './explain-frequency.ts'
import { missOfPhrase } from './explain-miss.ts'
import { freqScoring } from './freq-scoring.ts'
import { keyText, USES_OF_OTHERS } from './key-text.ts'
import { openPostings, supplier } from './scorer-context.ts'
import type { Similarity } from './similarity.ts'
import { docFreqOf, STEPS_OF_POSITIONS, STEPS_TO_ASK } from './step-costs.ts'
import type { PhraseWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Terms at given positions. */
export const phraseWeight: WeightType<PhraseWeight> = {
  supplier(node, context) {
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
      const scoring = freqScoring(node, context)
      const scorer = new PhraseScorer(postings, matcher, isSloppy, scoring, context.watch)
      context.skippers.push(scorer.skipper)
      return scorer
    })
  },
  explainMiss: ({ field, termIds }, at) =>
    missOfPhrase(
      field,
      termIds.map(id => [id]),
      at,
    ),
  explain: (node, match, at) => explainPhrase(node, match, node.termIds, at),
  count: () => -1,
  steps(node, states) {
    let lead = Number.POSITIVE_INFINITY
    for (const termId of node.termIds) lead = Math.min(lead, docFreqOf(states, termId))
    return lead * (STEPS_TO_ASK + STEPS_OF_POSITIONS) * node.termIds.length
  },
  setSteps: () => 0,
  isOfAlternatives: () => false,
  matches: () => Number.NaN,
  isDivisible: () => true,
  scoreEstimate: (node, states) =>
    node.termIds.every(termId => (states.terms[termId] ?? null) !== null) ? node.weight : 0,
  clause: () => 'phrase_clause',
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(node, counts) {
    counts.terms += node.terms.length
    counts.positions += node.terms.length
  },
  cacheKey: node =>
    `h${keyText(node.field)}${node.slop};${node.positions};${node.terms.map(keyText).join('')}`,
  minUsesToCache: () => USES_OF_OTHERS,
  record: {
    write(to, node) {
      to.number(node.id)
      to.text(node.field)
      to.list(node.terms, (out, term) => out.text(term))
      to.list(node.termIds, (out, termId) => out.number(termId))
      to.number(node.docCount)
      to.number(node.boost)
      to.list(node.positions, (out, position) => out.number(position))
      to.number(node.slop)
      to.number(node.weight)
      to.number(node.average)
      to.flag(node.scored)
      to.flag(node.similarity !== null)
      if (node.similarity !== null) to.plain(node.similarity)
    },
    read: from => ({
      kind: 'phrase',
      id: from.number(),
      field: from.text(),
      terms: from.list(input => input.text()),
      termIds: from.list(input => input.number()),
      docCount: from.number(),
      boost: from.number(),
      positions: from.list(input => input.number()),
      slop: from.number(),
      weight: from.number(),
      average: from.number(),
      scored: from.flag(),
      similarity: from.flag() ? (from.plain() as Similarity) : null,
    }),
  },
}
