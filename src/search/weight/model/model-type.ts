import type { Explanation } from '../explanation.ts'
import type { TermFacts } from './term-facts.ts'

/**
 * A kind of model. Its arithmetic is that of Lucene's class: doubles but where it says otherwise, in the
 * same order, so that the score agrees bit for bit once it is rounded to a float32.
 */
export interface ModelType<M> {
  /**
   * The score of frequencies of one term, a double, 0 or more.
   * @returns of a frequency, float32, above 0, and the length of the document in tokens
   */
  scorer(model: M, facts: TermFacts): (freq: number, length: number) => number
  /** The formula in the words of the explanation. */
  readonly className: string
  /** The explanation of a score of the model: the words after the frequency, and its steps. */
  explain(
    model: M,
    facts: TermFacts,
    freq: Explanation,
    length: number,
  ): { readonly text: string; readonly details: readonly Explanation[] }
}
