/** Shingles: neighbouring tokens joined into one. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Options of `shingle`. */
export interface ShingleOptions {
  /** Tokens in a shingle: 2 ≤ min ≤ max. */
  readonly min: number
  readonly max: number
  /** Whether the single tokens are given too. */
  readonly unigrams: boolean
  /** Whether they are where there are too few for a shingle. */
  readonly unigramsIfNoShingles: boolean
  readonly separator: string
  /** Stands where a filter before took a token out. */
  readonly filler: string
}

/** A token of the window, or the filler of an empty position. */
class WindowToken extends TokenState {
  isFiller = false
}

/** Joins runs of neighbouring tokens into shingles. */
export class ShingleFilter extends TokenFilter {
  readonly #options: ShingleOptions
  /** The tokens from the current position on, at most `max`. */
  readonly #window: WindowToken[] = []
  /** The sizes given at each position, ascending. */
  #sizes: readonly number[]
  /** Index of the next size. */
  #size = 0
  /** The token behind fillers that are still to come. */
  readonly #held = new WindowToken()
  #isHeld = false
  #fillers = 0
  #isOutputHere = false
  #hasShingle = false
  #isExhausted = false
  readonly #end = new TokenState()

  constructor(input: TokenStream, options: ShingleOptions) {
    super(input)
    this.#options = options
    this.#sizes = this.#ownSizes()
    this.#size = this.#sizes.length
  }

  next(): boolean {
    for (;;) {
      if (this.#size >= this.#sizes.length || this.#window.length < this.#sizes[this.#size]!) {
        if (this.#size === 0 && this.#window.length === 0 && this.#isExhausted) return false
        this.#shift()
        if (this.#window.length < this.#sizes[0]!) return false
      }
      const size = this.#sizes[this.#size++]!
      if (this.#isAllFiller(size)) {
        // A shingle of fillers alone is none; a longer one may have a word in it. Where there is
        // none longer the stream ends, and a word behind the filler with it, as in Lucene.
        if (this.#window.length < (this.#sizes[this.#size] ?? Number.MAX_SAFE_INTEGER)) return false
        continue
      }
      this.#give(size)
      return true
    }
  }

  #isAllFiller(size: number): boolean {
    for (let i = 0; i < size; i++) if (!this.#window[i]!.isFiller) return false
    return true
  }

  #give(size: number): void {
    const { token } = this
    const { min, unigrams, separator } = this.#options
    const first = this.#window[0]!
    const last = this.#window[size - 1]!
    token.copyFrom(first)
    let term = first.term
    for (let i = 1; i < size; i++) term += separator + this.#window[i]!.term
    token.term = term
    token.positionIncrement = this.#isOutputHere ? 0 : 1
    if (size > 1) {
      token.type = 'shingle'
      this.#hasShingle = true
    }
    token.endOffset = last.endOffset
    // Without single tokens the shortest shingle is as long as one.
    token.positionLength = unigrams ? size : Math.max(1, size - min + 1)
    this.#isOutputHere = true
  }

  /** Moves the window on by one token and fills it. */
  #shift(): void {
    const { min, max, unigrams, unigramsIfNoShingles } = this.#options
    const window = this.#window
    let spare = window.shift() ?? null
    while (window.length < max) {
      const target: WindowToken = spare ?? new WindowToken()
      spare = null
      if (!this.#read(target)) break
      window.push(target)
    }
    if (unigramsIfNoShingles && !this.#hasShingle && !unigrams && window.length < min)
      this.#sizes = [1, ...this.#ownSizes()]
    this.#size = 0
    this.#isOutputHere = false
  }

  /** Reads a token, or a filler of an empty position before one or before the end. */
  #read(target: WindowToken): boolean {
    const { token } = this
    const most = this.#options.max - 1
    if (this.#fillers > 0) {
      this.#fill(target, this.#held)
      this.#fillers--
      return true
    }
    if (this.#isHeld) {
      target.copyFrom(this.#held)
      target.isFiller = false
      this.#isHeld = false
      return true
    }
    if (this.#isExhausted) return false
    if (this.input.next()) {
      if (token.positionIncrement > 1) {
        this.#held.copyFrom(token)
        this.#isHeld = true
        this.#fill(target, token)
        this.#fillers = Math.min(token.positionIncrement - 1, most) - 1
      } else {
        target.copyFrom(token)
        target.isFiller = false
      }
      return true
    }
    this.#isExhausted = true
    this.input.end()
    this.#end.copyFrom(token)
    this.#fillers = Math.min(token.positionIncrement, most)
    if (this.#fillers === 0) return false
    this.#held.clear()
    this.#held.startOffset = token.endOffset
    this.#held.endOffset = token.endOffset
    return this.#read(target)
  }

  #fill(target: WindowToken, behind: TokenState): void {
    target.copyFrom(behind)
    target.endOffset = target.startOffset
    target.term = this.#options.filler
    target.isFiller = true
  }

  #ownSizes(): number[] {
    const { min, max, unigrams } = this.#options
    const sizes = unigrams ? [1] : []
    for (let size = min; size <= max; size++) sizes.push(size)
    return sizes
  }

  override end(): void {
    if (this.#isExhausted) this.token.copyFrom(this.#end)
    else super.end()
  }

  override reset(): void {
    super.reset()
    this.#window.length = 0
    this.#sizes = this.#ownSizes()
    this.#size = this.#sizes.length
    this.#isHeld = false
    this.#fillers = 0
    this.#isOutputHere = false
    this.#hasShingle = false
    this.#isExhausted = false
  }
}
