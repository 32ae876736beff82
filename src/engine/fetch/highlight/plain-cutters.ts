/** Where the fragments of `plain` begin. */
import type { WeightedTerm, WeightedTerms } from './weighted-terms.ts'

const NO_SPANS: WeightedTerm['spans'] = []

/** The state of cutting one value. */
export interface Cutter {
  /** Whether a token begins a fragment, asked for each that stands behind another. */
  isNewFragment(term: string, increment: number, end: number): boolean
}

/** Makes the state of cutting a text whose terms count so. */
export type MakeCutter = (text: string, terms: WeightedTerms) => Cutter

/** Cuts wherever a size is reached. */
export class SizeCutter implements Cutter {
  readonly #size: number
  #count = 1

  constructor(size: number) {
    this.#size = size
  }

  isNewFragment(_term: string, _increment: number, end: number): boolean {
    const is = end >= this.#size * this.#count
    if (is) this.#count++
    return is
  }
}

/** The same, but neither within a phrase nor near the text's end. */
export class SpanCutter implements Cutter {
  readonly #size: number
  readonly #length: number
  readonly #terms: WeightedTerms
  #count = 1
  #position = -1
  /** The position behind the span that is under way; −1: none is. */
  #spanEnd = -1

  constructor(size: number, length: number, terms: WeightedTerms) {
    this.#size = size
    this.#length = length
    this.#terms = terms
  }

  isNewFragment(term: string, increment: number, end: number): boolean {
    this.#position += increment
    if (this.#spanEnd <= this.#position) this.#spanEnd = -1
    else if (this.#spanEnd !== -1) return false
    for (const spans of this.#terms.get(term)?.spans ?? NO_SPANS) {
      const spanEnd = spans.endOf(this.#position)
      if (spanEnd === undefined) continue
      this.#spanEnd = spanEnd
      break
    }
    const is = end >= this.#size * this.#count && this.#length - end >= this.#size >>> 1
    if (is) this.#count++
    return is
  }
}
