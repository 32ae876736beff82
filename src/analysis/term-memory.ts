/**
 * What became of terms before, kept for the next time: words of a text come again and again, and a
 * look is cheaper than what filters do. Two generations, of which the older one is let go when the
 * younger one is full, so that neither grows and frequent words stay.
 */

const MOST_IN_GENERATION = 8192
const LONGEST = 48
/** V8 makes shorter parts of a string by copying, longer ones by pointing into it. */
const SLICE_LENGTH = 13

/** Keeps up to 16,384 answers for terms of up to 48 units. */
export class TermMemory<Answer> {
  readonly #compute: (term: string) => Answer
  #young = new Map<string, Answer>()
  #old = new Map<string, Answer>()

  /** @param compute what is kept; no part of a longer string may stay in its answers, see `ownString` */
  constructor(compute: (term: string) => Answer) {
    this.#compute = compute
  }

  get(term: string): Answer {
    const known = this.#young.get(term)
    if (known !== undefined) return known
    if (term.length > LONGEST) return this.#compute(term)
    const answer = this.#old.get(term) ?? this.#compute(term)
    if (this.#young.size >= MOST_IN_GENERATION) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(ownString(term), answer)
    return answer
  }
}

/** The same string, but no part of another one, which would stay in memory with it. */
export function ownString(text: string): string {
  return text.length < SLICE_LENGTH ? text : ` ${text}`.slice(1)
}
