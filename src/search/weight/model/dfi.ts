/** Divergence from independence, as Lucene's `DFISimilarity`. */
import type { Dfi } from '../../../schema/similarity/dfi.ts'
import { countOf, step } from '../explanation.ts'
import type { ModelType } from './model-type.ts'
import { log2, type TermFacts } from './term-facts.ts'

const MEASURES: Readonly<Record<Dfi['measure'], (freq: number, expected: number) => number>> = {
  standardized: (freq, expected) => (freq - expected) / Math.sqrt(expected),
  saturated: (freq, expected) => (freq - expected) / expected,
  chisquared: (freq, expected) => ((freq - expected) * (freq - expected)) / expected,
}

export const dfi: ModelType<Dfi> = {
  className: 'DFISimilarity',
  scorer({ measure }, facts) {
    const of = MEASURES[measure]
    return (freq, length) => {
      const expected = expectedOf(facts, length)
      return freq <= expected ? 0 : facts.boost * log2(of(freq, expected) + 1)
    }
  },
  explain({ measure }, facts, freq, length) {
    const expected = expectedOf(facts, length)
    if (freq.value <= expected) return { text: 'equals to 0', details: [] }
    const counts = [
      countOf(facts.totalTermFreq, 'F, total number of occurrences of term across all docs'),
      step(length, 'dl, length of field'),
      countOf(facts.tokens, 'T, total number of tokens in the field'),
    ]
    return {
      text: 'computed as boost * log2(measure + 1) from:',
      details: [
        step(facts.boost, 'boost, query boost'),
        step(
          MEASURES[measure](freq.value, expected),
          'measure, computed as independence.score(freq, expected) from:',
          [freq, step(expected, 'expected, computed as (F + 1) * dl / (T + 1) from:', counts)],
        ),
      ],
    }
  },
}

/** How often the term would occur in a document of the length, if lengths alone mattered. */
function expectedOf({ totalTermFreq, tokens }: TermFacts, length: number): number {
  return ((totalTermFreq + 1) * length) / (tokens + 1)
}
