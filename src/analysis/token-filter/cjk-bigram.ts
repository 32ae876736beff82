/** Pairs of neighbouring characters of Han, hiragana, katakana and hangul. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Scripts and the types that the standard tokenizer gives them. */
export const CJK_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['han', '<IDEOGRAPHIC>'],
  ['hiragana', '<HIRAGANA>'],
  ['katakana', '<KATAKANA>'],
  ['hangul', '<HANGUL>'],
])

/** A character that waits for its neighbour. */
interface Character {
  readonly text: string
  readonly startOffset: number
  readonly endOffset: number
}

/**
 * Cuts tokens of some types into characters and gives pairs of those that touch; one alone is given
 * by itself. Other tokens pass.
 */
export class CjkBigramFilter extends TokenFilter {
  readonly #types: ReadonlySet<string>
  /** Whether single characters are given too; pairs then stand at the first one's position. */
  readonly #unigrams: boolean
  #characters: Character[] = []
  /** Which of them comes first in the next pair. */
  #at = 0
  #isPairNext = false
  #lastEndOffset = 0
  /** A token that was read to see whether it touches. */
  readonly #lone = new TokenState()
  #isLone = false
  #isExhausted = false

  constructor(input: TokenStream, types: ReadonlySet<string>, unigrams: boolean) {
    super(input)
    this.#types = types
    this.#unigrams = unigrams
  }

  next(): boolean {
    const { token } = this
    for (;;) {
      if (this.#characters.length - this.#at > 1) {
        if (!this.#unigrams || this.#isPairNext) this.#givePair()
        else this.#giveSingle()
        return true
      }
      if (!this.#read()) {
        if (!this.#hasSingle()) return false
        this.#giveSingle()
        return true
      }
      const isCjk = this.#types.has(token.type)
      if (isCjk && token.startOffset === this.#lastEndOffset) {
        this.#take()
        continue
      }
      if (this.#hasSingle()) {
        this.#lone.copyFrom(token)
        this.#isLone = true
        this.#giveSingle()
        return true
      }
      if (!isCjk) return true
      this.#characters.length = 0
      this.#at = 0
      this.#take()
    }
  }

  #read(): boolean {
    if (this.#isLone) {
      this.token.copyFrom(this.#lone)
      this.#isLone = false
      return true
    }
    if (!this.#isExhausted && this.input.next()) return true
    this.#isExhausted = true
    return false
  }

  /** Whether one character is left that is in no pair yet, or that is to be given anyhow. */
  #hasSingle(): boolean {
    const { length } = this.#characters
    return this.#unigrams ? length - this.#at === 1 : length === 1 && this.#at === 0
  }

  #take(): void {
    const { term, startOffset, endOffset } = this.token
    if (this.#at > 64) {
      this.#characters.splice(0, this.#at - 1)
      this.#at = 1
    }
    this.#lastEndOffset = endOffset
    // A char filter or synonym may have left a term that is not as long as its place.
    const isAligned = endOffset - startOffset === term.length
    for (let i = 0; i < term.length; ) {
      const size = term.codePointAt(i)! > 0xffff ? 2 : 1
      this.#characters.push({
        text: term.slice(i, i + size),
        startOffset: isAligned ? startOffset + i : startOffset,
        endOffset: isAligned ? startOffset + i + size : endOffset,
      })
      i += size
    }
  }

  #givePair(): void {
    const first = this.#characters[this.#at++]!
    const second = this.#characters[this.#at]!
    this.#set(first.text + second.text, '<DOUBLE>', first.startOffset, second.endOffset)
    if (!this.#unigrams) return
    this.token.positionIncrement = 0
    this.token.positionLength = 2
    this.#isPairNext = false
  }

  #giveSingle(): void {
    const single = this.#characters[this.#at]!
    this.#set(single.text, '<SINGLE>', single.startOffset, single.endOffset)
    // Its pair, where it has one, comes next and moves on.
    if (this.#characters.length - this.#at > 1) this.#isPairNext = true
    else this.#at++
  }

  #set(term: string, type: string, startOffset: number, endOffset: number): void {
    const { token } = this
    token.clear()
    token.term = term
    token.type = type
    token.startOffset = startOffset
    token.endOffset = endOffset
  }

  override reset(): void {
    super.reset()
    this.#characters.length = 0
    this.#at = 0
    this.#isPairNext = false
    this.#lastEndOffset = 0
    this.#isLone = false
    this.#isExhausted = false
  }
}
