/** A set of words that may ignore case, as code points' simple lower case has it. */
import { lowerCaseText } from './lowercase.ts'

/** Words of a setting; `has` may ignore case. */
export class WordSet {
  readonly #words: Set<string>
  readonly #ignoresCase: boolean

  constructor(words: Iterable<string>, ignoresCase: boolean) {
    this.#words = new Set()
    for (const word of words) this.#words.add(ignoresCase ? lowerCaseText(word) : word)
    this.#ignoresCase = ignoresCase
  }

  has(term: string): boolean {
    return this.#words.has(this.#ignoresCase ? lowerCaseText(term) : term)
  }

  get size(): number {
    return this.#words.size
  }
}
