/** Frequencies adjusted to the length of their document, as Lucene's `Normalization` classes do. */
import type { Normalization } from '../../../schema/similarity/normalization.ts'
import { countOf, type Explanation, step } from '../explanation.ts'
import { averageOf, log2, type TermFacts } from './term-facts.ts'

type Kind = Normalization['kind']

interface NormalizationType<N> {
  /** The adjusted frequency, a double. */
  adjusted(normalization: N, facts: TermFacts, freq: number, length: number): number
  /** Name and formula in explanations, and its parameters between those that all kinds have. */
  explain(
    normalization: N,
    facts: TermFacts,
    freq: number,
    length: number,
  ): { readonly text: string; readonly details: readonly Explanation[] } | null
}

const TYPES: { readonly [K in Kind]: NormalizationType<Normalization & { readonly kind: K }> } = {
  no: { adjusted: (_normalization, _facts, freq) => freq, explain: () => null },
  h1: {
    adjusted: ({ c }, facts, freq, length) => freq * c * (averageOf(facts) / length),
    explain: ({ c }, facts, freq, length) => ({
      text: 'NormalizationH1, computed as tf * c * (avgfl / fl) from:',
      details: [freqStep(freq), hyperStep(c), averageStep(facts), lengthStep(length)],
    }),
  },
  h2: {
    adjusted: ({ c }, facts, freq, length) => freq * log2(1 + (c * averageOf(facts)) / length),
    explain: ({ c }, facts, freq, length) => ({
      text: 'NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      details: [freqStep(freq), hyperStep(c), averageStep(facts), lengthStep(length)],
    }),
  },
  h3: {
    adjusted({ mu }, { totalTermFreq, tokens }, freq, length) {
      // Lucene computes the prior in float32.
      const occurrences = Math.fround(Math.fround(totalTermFreq) + 1)
      const share = Math.fround(occurrences / Math.fround(Math.fround(tokens) + 1))
      return ((freq + Math.fround(mu * share)) / (length + mu)) * mu
    },
    explain: ({ mu }, { totalTermFreq, tokens }, freq, length) => ({
      text: 'NormalizationH3, computed as (tf + mu * ((F+1) / (T+1))) / (fl + mu) * mu from:',
      details: [
        freqStep(freq),
        step(mu, 'mu, smoothing parameter'),
        step(totalTermFreq, 'F,  total number of occurrences of term across all documents'),
        step(tokens, 'T, total number of tokens of the field across all documents'),
        lengthStep(length),
      ],
    }),
  },
  z: {
    adjusted: ({ z }, facts, freq, length) => freq * (averageOf(facts) / length) ** z,
    explain: ({ z }, facts, freq, length) => ({
      text: 'NormalizationZ, computed as tf * Math.pow(avgfl / fl, z) from:',
      details: [
        freqStep(freq),
        averageStep(facts),
        lengthStep(length),
        step(z, 'z, relates to specificity of the language'),
      ],
    }),
  },
}

/** A frequency adjusted to the length of its document, a double. */
export function adjustedFreq(
  normalization: Normalization,
  facts: TermFacts,
  freq: number,
  length: number,
): number {
  return typeOf(normalization).adjusted(normalization, facts, freq, length)
}

/** Explains the adjustment; that of none has the value 1, as in Lucene. */
export function explainNormalization(
  normalization: Normalization,
  facts: TermFacts,
  freq: number,
  length: number,
): Explanation {
  const explained = typeOf(normalization).explain(normalization, facts, freq, length)
  if (explained === null) return countOf(1, 'no normalization')
  const value = adjustedFreq(normalization, facts, freq, length)
  return step(value, explained.text, explained.details)
}

function typeOf(normalization: Normalization): NormalizationType<Normalization> {
  return TYPES[normalization.kind] as NormalizationType<Normalization>
}

function freqStep(freq: number): Explanation {
  return step(freq, 'tf, number of occurrences of term in the document')
}

function hyperStep(c: number): Explanation {
  return step(c, 'c, hyper-parameter')
}

function averageStep(facts: TermFacts): Explanation {
  return step(averageOf(facts), 'avgfl, average length of field across all documents')
}

function lengthStep(length: number): Explanation {
  return step(length, 'fl, field length of the document')
}
