/** Statistics of one term by which models score it. */
import type { ScoredTerms, TermCounts } from '../../similarity/scored-terms.ts'

/** Counts of a term and of its field; all but the boost are whole numbers. */
export interface TermFacts {
  /** Float32. */
  readonly boost: number
  /** Documents with the field. */
  readonly docCount: number
  /** Tokens of the field. */
  readonly tokens: number
  /** Documents with the term. */
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** The facts of each of the terms. */
export function factsOf({ boost, field, terms }: ScoredTerms): readonly TermFacts[] {
  return terms.map(
    ({ docFreq, totalTermFreq }: TermCounts): TermFacts => ({
      boost,
      docCount: field.docCount,
      tokens: field.sumTotalTermFreq,
      docFreq,
      totalTermFreq,
    }),
  )
}

/** Tokens of the field in a document that has it, on average. */
export function averageOf({ tokens, docCount }: TermFacts): number {
  return tokens / docCount
}

const LN2 = Math.log(2)

/** The logarithm to base 2 as a quotient, which `Math.log2` may differ from in the last bit. */
export function log2(value: number): number {
  return Math.log(value) / LN2
}
