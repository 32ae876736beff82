/** Pieces of a text of so many code points, from every place or from where tokens start. */
import { Tokenizer } from '../token-stream.ts'
import type { TokenCharTest } from './char-tokenizer.ts'

/** How an `NgramTokenizer` cuts. */
export interface NgramOptions {
  /** In code points, 1 or more. */
  readonly minGram: number
  readonly maxGram: number
  /** The code points that grams are made of; null for every one. */
  readonly isTokenChar: TokenCharTest | null
  /** Only those that start behind a code point that belongs to none. */
  readonly edgesOnly: boolean
}

/** Tokenizers `ngram` and `edge_ngram`. */
export class NgramTokenizer extends Tokenizer {
  readonly #options: NgramOptions
  /** Units where the gram at hand starts and where its run of token characters ends. */
  #start = 0
  #runEnd = 0
  /** The gram given last: its code points, 0 before the first from this start; and where it ends. */
  #size = 0
  #end = 0

  constructor(options: NgramOptions) {
    super()
    this.#options = options
  }

  reset(): void {
    this.#start = 0
    this.#runEnd = 0
    this.#size = 0
    this.#end = 0
  }

  next(): boolean {
    const { minGram, maxGram, edgesOnly } = this.#options
    for (;;) {
      if (this.#start >= this.#runEnd && !this.#findRun(this.#start)) return false
      if (this.#size === 0) {
        if (this.#grow(minGram)) return this.#take()
      } else if (this.#size < maxGram && this.#grow(1)) return this.#take()
      // No longer gram from here: on to the next start.
      if (edgesOnly) this.#start = this.#runEnd
      else this.#start += this.#unitsAt(this.#start)
      this.#size = 0
      this.#end = this.#start
    }
  }

  /** Moves to the first run of token characters at or behind `from`; false where there is none. */
  #findRun(from: number): boolean {
    const { text } = this
    const { isTokenChar } = this.#options
    let at = from
    if (isTokenChar !== null)
      while (at < text.length && !isTokenChar(text.codePointAt(at)!)) at += this.#unitsAt(at)
    if (at >= text.length) return false
    this.#start = at
    this.#end = at
    this.#size = 0
    if (isTokenChar === null) this.#runEnd = text.length
    else {
      while (at < text.length && isTokenChar(text.codePointAt(at)!)) at += this.#unitsAt(at)
      this.#runEnd = at
    }
    return true
  }

  /** Adds code points to the gram; false where the run has not so many more. */
  #grow(points: number): boolean {
    let end = this.#end
    for (let i = 0; i < points; i++) {
      if (end >= this.#runEnd) return false
      end += this.#unitsAt(end)
    }
    this.#end = end
    this.#size += points
    return true
  }

  #unitsAt(at: number): number {
    const unit = this.text.charCodeAt(at)
    return unit < 0xd800 || unit > 0xdbff || this.text.codePointAt(at)! < 0x10000 ? 1 : 2
  }

  #take(): true {
    const { token } = this
    token.clear()
    token.term = this.text.slice(this.#start, this.#end)
    token.startOffset = this.correctOffset(this.#start)
    token.endOffset = this.correctOffset(this.#end)
    return true
  }
}
