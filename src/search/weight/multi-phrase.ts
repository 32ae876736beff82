import { ExactPhraseMatcher, PhraseScorer, SloppyPhraseMatcher } from '../scorer/phrase-scorer.ts'
import { explainPhrase, shardDocFreq } from './explain-frequency.ts'
import { missOfPhrase } from './explain-miss.ts'
import { freqScoring } from './freq-scoring.ts'
import { keyText, USES_OF_OTHERS } from './key-text.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { supplier } from './scorer-context.ts'
import { postingsOf, STEPS_OF_POSITIONS } from './step-costs.ts'
import { alternatives } from './term-alternatives.ts'
import type { MultiPhraseWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** A phrase with several alternative terms at each position. */
export const multiPhraseWeight: WeightType<MultiPhraseWeight> = {
  ...ON_ITERATORS,
  supplier(node, context) {
    const positions = node.termIds.map(termIds => alternatives(node.field, termIds, context))
    if (positions.includes(null)) return null
    const present = positions.filter(position => position !== null)
    return supplier(Math.min(...present.map(position => position.cost)), () => {
      const postings = present.map(position => position.open())
      const isSloppy = node.slop > 0
      const matcher = isSloppy
        ? new SloppyPhraseMatcher(postings, node.positions, repeatsOf(node.termIds), node.slop)
        : new ExactPhraseMatcher(postings, node.positions)
      const scoring = freqScoring(node, context)
      const scorer = new PhraseScorer(postings, matcher, isSloppy, scoring, context.watch)
      context.skippers.push(scorer.skipper)
      return scorer
    })
  },
  explainMiss: ({ field, termIds }, at) => missOfPhrase(field, termIds, at),
  explain(node, match, at) {
    const termIds = node.termIds.flat().filter(termId => shardDocFreq(termId, at) > 0)
    return explainPhrase(node, match, termIds, at)
  },
  steps(node, states) {
    let steps = 0
    for (const termIds of node.termIds) steps += STEPS_OF_POSITIONS * postingsOf(states, termIds)
    return steps
  },
  clause: () => 'multi_phrase',
  cacheKey(node) {
    const terms = node.terms.map(each => `${each.length}:${each.map(keyText).join('')}`).join('')
    return `g${keyText(node.field)}${node.slop};${node.positions};${terms}`
  },
  minUsesToCache: () => USES_OF_OTHERS,
}

/** Equal numbers for positions that share a term, directly or through others. */
function repeatsOf(termIds: readonly (readonly number[])[]): number[] {
  const groups = termIds.map((_, i) => i)
  const firstOf = new Map<number, number>()
  for (const [i, ids] of termIds.entries())
    for (const termId of ids) {
      const other = firstOf.get(termId)
      if (other === undefined) {
        firstOf.set(termId, i)
        continue
      }
      const from = groups[i]
      const to = groups[other]!
      for (const [k, group] of groups.entries()) if (group === from) groups[k] = to
    }
  return groups
}
