/**
 * Keeps the outcome of filters for terms: words of a text come again and again, and a look is cheaper
 * than the filters. A table of pairs of places by a hash of our own: for a Map the
 * engine would have to hash each new string first, which takes longer than all of this. A new term
 * takes its pair's first place, what stood there moves to the second, so that frequent words stay.
 */

const PLACES = 1 << 14
const LONGEST = 48
/** V8 makes shorter parts of a string by copying, longer ones by pointing into it. */
const SLICE_LENGTH = 13

/** Keeps up to 16,384 answers for terms of up to 48 units. */
export class TermMemory<Answer extends {}> {
  readonly #compute: (term: string) => Answer
  readonly #terms: string[] = new Array<string>(PLACES).fill('')
  readonly #answers: (Answer | undefined)[] = new Array<Answer | undefined>(PLACES).fill(undefined)

  /** @param compute what is kept; no part of a longer string may stay in its answers, see `ownString` */
  constructor(compute: (term: string) => Answer) {
    this.#compute = compute
  }

  get(term: string): Answer {
    const { length } = term
    if (length > LONGEST) return this.#compute(term)
    let hash = length
    for (let i = 0; i < length; i++) hash = Math.imul(hash, 31) + term.charCodeAt(i)
    const first = (hash ^ (hash >>> 15)) & (PLACES - 2)
    const terms = this.#terms
    const answers = this.#answers
    if (terms[first] === term) {
      const known = answers[first]
      if (known !== undefined) return known
    }
    if (terms[first + 1] === term) {
      const known = answers[first + 1]
      if (known !== undefined) return known
    }
    const answer = this.#compute(term)
    terms[first + 1] = terms[first]!
    answers[first + 1] = answers[first]
    terms[first] = ownString(term)
    answers[first] = answer
    return answer
  }
}

/** The same string, but no part of another one, which would stay in memory with it. */
export function ownString(text: string): string {
  return text.length < SLICE_LENGTH ? text : ` ${text}`.slice(1)
}
