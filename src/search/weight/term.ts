import { TermScorer } from '../scorer/term-scorer.ts'
import { explainFrequency, explainIdfOf, freqOf } from './explain-frequency.ts'
import { missOfTerm } from './explain-miss.ts'
import { step } from './explanation.ts'
import { freqScoring } from './freq-scoring.ts'
import { keyText } from './key-text.ts'
import { constantScorer, openPostings, supplier } from './scorer-context.ts'
import { isBm25, type Similarity } from './similarity.ts'
import { docFreqOf } from './step-costs.ts'
import type { TermWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** One term, scored by BM25. */
export const termWeight: WeightType<TermWeight> = {
  supplier(node, context) {
    const state = context.states.terms[node.termId] ?? null
    if (state === null) return null
    return supplier(state.docFreq, () => {
      const postings = openPostings(node.field, state, context)
      if (!node.scored) return constantScorer(context, 0, postings)
      const scorer = new TermScorer(postings, freqScoring(node, context), context.watch)
      context.skippers.push(scorer.skipper)
      return scorer
    })
  },
  explainMiss: missOfTerm,
  explain(node, { score }, at) {
    const { field, term, termId, docFreq, docCount } = node
    if (!node.scored) return step(score, at.text(node))
    const freq = freqOf(field, termId, at)
    const occurrences = step(freq, 'freq, occurrences of term within document')
    const idf = explainIdfOf(docFreq, docCount)
    return explainFrequency(node, `${field}:${term}`, score, freq, occurrences, idf, at)
  },
  count(node, weight, leaves) {
    if (leaves.some(leaf => leaf.numDocs < leaf.maxDoc)) return -1
    return weight.leaves.reduce((sum, states) => sum + docFreqOf(states, node.termId), 0)
  },
  steps: (node, states) => docFreqOf(states, node.termId),
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: (node, states) => docFreqOf(states, node.termId),
  isDivisible: () => true,
  scoreEstimate(node, states) {
    const state = states.terms[node.termId] ?? null
    return state === null ? 0 : node.weight * (1 - 1 / (1 + state.impact))
  },
  clause: node =>
    isBm25(node.similarity)
      ? { kind: 'term', node, constant: node.scored ? null : 0 }
      : 'similarity',
  documentSet(node, states) {
    const state = states.terms[node.termId] ?? null
    return { kind: 'terms', field: node.field, states: state === null ? [] : [state] }
  },
  countScratch(_node, counts) {
    counts.terms++
  },
  cacheKey: node => `t${keyText(node.field)}${keyText(node.term)}`,
  // Reading a single term again is as cheap.
  minUsesToCache: () => null,
  record: {
    write(to, node) {
      to.number(node.id)
      to.text(node.field)
      to.text(node.term)
      to.number(node.termId)
      to.number(node.docCount)
      to.number(node.docFreq)
      to.number(node.boost)
      to.number(node.weight)
      to.number(node.average)
      to.flag(node.scored)
      to.flag(node.similarity !== null)
      if (node.similarity !== null) to.plain(node.similarity)
    },
    read: from => ({
      kind: 'term',
      id: from.number(),
      field: from.text(),
      term: from.text(),
      termId: from.number(),
      docCount: from.number(),
      docFreq: from.number(),
      boost: from.number(),
      weight: from.number(),
      average: from.number(),
      scored: from.flag(),
      similarity: from.flag() ? (from.plain() as Similarity) : null,
    }),
  },
}
