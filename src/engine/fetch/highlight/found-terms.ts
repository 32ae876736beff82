import type { SpanPostings } from '../../../search/scorer/spans.ts'
import type { SoughtLike } from './sought.ts'

/** A token of a text. */
export interface Occurrence {
  readonly position: number
  /** In the field's text, UTF-16 units, half open. */
  readonly start: number
  readonly end: number
}

/** Terms of a text that are looked for, each with its tokens in the order of their positions. */
export type FoundTerms = ReadonlyMap<string, readonly Occurrence[]>

/** The terms of a text that a clause accepts. */
export function termsLike(found: FoundTerms, { accepts }: SoughtLike): string[] {
  return [...found.keys()].filter(accepts)
}

/** A term's tokens as the postings of the one document that they are in, which is document 0. */
export class OccurrencePostings implements SpanPostings {
  readonly term: string
  readonly #occurrences: readonly Occurrence[]
  #next = 0

  constructor(term: string, occurrences: readonly Occurrence[]) {
    this.term = term
    this.#occurrences = occurrences
  }

  docId(): number {
    return 0
  }

  advance(): number {
    return 0
  }

  freq(): number {
    return this.#occurrences.length
  }

  nextPosition(): number {
    return this.#occurrences[this.#next++]!.position
  }

  /** The token whose position was told last. */
  current(): Occurrence {
    return this.#occurrences[this.#next - 1]!
  }
}
