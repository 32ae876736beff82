/** Tokenizers that run one automaton: it matches the tokens, or what parts them. */

import { type Automaton, DEAD, START } from '../../util/automaton/automaton.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { Tokenizer } from '../token-stream.ts'

/** Steps that one text may take: a start whose match fails late is looked at again from the next. */
const MOST_STEPS = 100_000_000

/** The base of both: finds the longest match that starts at an offset. */
abstract class AutomatonTokenizer extends Tokenizer {
  readonly #automaton: Automaton
  protected at = 0
  /** Units after which to look again where `longest` found nothing. */
  protected pass = 1
  #steps = 0

  constructor(automaton: Automaton) {
    super()
    this.#automaton = automaton
  }

  reset(): void {
    this.at = 0
    this.#steps = 0
  }

  /**
   * Where the longest match that starts at `start` ends; `start` where there is none. −1 where there
   * is none and the text ended before it was decided.
   */
  protected longest(start: number): number {
    const { text } = this
    const automaton = this.#automaton
    let state = START
    let at = start
    let found = start
    while (at < text.length) {
      const point = text.codePointAt(at)!
      state = automaton.step(state, point)
      if (state === DEAD) {
        // A character that starts no match is passed over whole; else, as in Lucene, one unit is.
        this.pass = at === start && point > 0xffff ? 2 : 1
        this.#count(at - start)
        return found
      }
      at += point > 0xffff ? 2 : 1
      if (automaton.accepts(state) !== 0) found = at
    }
    this.#count(at - start)
    return found === start ? -1 : found
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > MOST_STEPS)
      throw new IllegalArgumentError(
        `the pattern takes more than ${MOST_STEPS} steps on a text of ${this.text.length} characters`,
      )
  }

  protected take(start: number, end: number): true {
    const { token } = this
    token.clear()
    token.term = this.text.slice(start, end)
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(end)
    return true
  }
}

/** Tokenizer `simple_pattern`: tokens are the longest matches, from left to right. */
export class SimplePatternTokenizer extends AutomatonTokenizer {
  next(): boolean {
    while (this.at < this.text.length) {
      const start = this.at
      const end = this.longest(start)
      // A match that the text's end cut off ends the tokens, as in Lucene.
      if (end < 0) {
        this.at = this.text.length
        return false
      }
      if (end > start) {
        this.at = end
        return this.take(start, end)
      }
      this.at += this.pass
    }
    return false
  }
}

/** Tokenizer `simple_pattern_split`: tokens are what lies between the longest matches. */
export class SimplePatternSplitTokenizer extends AutomatonTokenizer {
  next(): boolean {
    const { text } = this
    let start = this.at
    while (this.at < text.length) {
      const end = this.longest(this.at)
      if (end < 0) {
        this.at = text.length
        break
      }
      if (end === this.at) {
        this.at += this.pass
        continue
      }
      const tokenEnd = this.at
      this.at = end
      if (tokenEnd > start) return this.take(start, tokenEnd)
      start = end
    }
    return text.length > start && this.take(start, text.length)
  }
}
