import { floatText } from '../../util/json/float-text.ts'
import { TermScorer } from '../scorer/term-scorer.ts'
import { explainFrequency, explainIdf, freqOf, shardDocFreq } from './explain-frequency.ts'
import { missOfTerm } from './explain-miss.ts'
import { step } from './explanation.ts'
import { freqScoring } from './freq-scoring.ts'
import { keyText } from './key-text.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { constantScorer, supplier } from './scorer-context.ts'
import { postingsOf, STEPS_OF_POSITIONS } from './step-costs.ts'
import { alternatives } from './term-alternatives.ts'
import type { SynonymWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Synonyms, scored as one term. */
export const synonymWeight: WeightType<SynonymWeight> = {
  ...ON_ITERATORS,
  supplier(node, context) {
    const terms = alternatives(node.field, node.termIds, context)
    if (terms === null) return null
    return supplier(terms.cost, () => {
      const postings = terms.open()
      if (!node.scored) return constantScorer(context, 0, postings)
      const scorer = new TermScorer(postings, freqScoring(node, context), context.watch)
      context.skippers.push(scorer.skipper)
      return scorer
    })
  },
  explainMiss: missOfTerm,
  explain(node, { score }, at) {
    const text = at.text(node)
    if (!node.scored) return step(score, text)
    let freq = 0
    let commonest = node.termIds[0] ?? 0
    for (const termId of node.termIds) {
      if (shardDocFreq(termId, at) > shardDocFreq(commonest, at)) commonest = termId
      freq += freqOf(node.field, termId, at)
    }
    const occurrences = step(freq, `termFreq=${floatText(freq)}`)
    const idf = explainIdf(commonest, node.docCount, at)
    return explainFrequency(node, text, score, freq, occurrences, idf, at)
  },
  steps: (node, states) => STEPS_OF_POSITIONS * postingsOf(states, node.termIds),
  clause: () => 'synonym',
  cacheKey: node => `s${keyText(node.field)}${node.terms.map(keyText).join('')};`,
}
