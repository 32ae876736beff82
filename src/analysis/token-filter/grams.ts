/** Parts of terms: all of some lengths, or those that a term starts with. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Lengths of grams, in code points. */
export interface GramLengths {
  /** 1 or more. */
  readonly min: number
  /** Not below `min`. */
  readonly max: number
  /** Whether a term shorter or longer than all grams is given as it is, too. */
  readonly preservesOriginal: boolean
}

/**
 * Grams of each term, those of one start after the other, all at the term's position and with its
 * offsets.
 */
abstract class GramFilter extends TokenFilter {
  protected readonly lengths: GramLengths
  readonly #saved = new TokenState()
  /** Where the code points of the term at hand start, and its end; null between terms. */
  #starts: number[] | null = null
  #from = 0
  #size = 0
  #positionIncrement = 0

  constructor(input: TokenStream, lengths: GramLengths) {
    super(input)
    this.lengths = lengths
  }

  /** Whether grams may start at that code point. */
  protected abstract mayStartAt(from: number): boolean

  next(): boolean {
    const { token } = this
    const { min, max, preservesOriginal } = this.lengths
    for (;;) {
      if (this.#starts === null) {
        if (!this.input.next()) return false
        this.#positionIncrement += token.positionIncrement
        const starts = pointStarts(token.term)
        if (preservesOriginal && starts.length - 1 < min) return this.#give(token.term)
        this.#saved.copyFrom(token)
        this.#starts = starts
        this.#from = 0
        this.#size = min
      }
      const starts = this.#starts
      const count = starts.length - 1
      if (this.#size > max || this.#from + this.#size > count) {
        this.#from++
        this.#size = min
      }
      if (this.mayStartAt(this.#from) && this.#from + this.#size <= count) {
        token.copyFrom(this.#saved)
        const end = starts[this.#from + this.#size]!
        this.#size++
        return this.#give(this.#saved.term.slice(starts[this.#from]!, end))
      }
      this.#starts = null
      if (preservesOriginal && count > max) {
        token.copyFrom(this.#saved)
        return this.#give(this.#saved.term)
      }
    }
  }

  #give(term: string): true {
    this.token.term = term
    this.token.positionIncrement = this.#positionIncrement
    this.#positionIncrement = 0
    return true
  }

  override end(): void {
    super.end()
    // Positions of tokens taken out behind the last one are lost here, as in Lucene.
    this.token.positionIncrement = this.#positionIncrement
  }

  override reset(): void {
    super.reset()
    this.#starts = null
    this.#positionIncrement = 0
  }
}

/** All grams of a term. */
export class NgramFilter extends GramFilter {
  protected mayStartAt(): boolean {
    return true
  }
}

/** The grams that a term starts with. */
export class EdgeNgramFilter extends GramFilter {
  protected mayStartAt(from: number): boolean {
    return from === 0
  }
}

function pointStarts(term: string): number[] {
  const starts: number[] = []
  for (let at = 0; at < term.length; at += term.codePointAt(at)! > 0xffff ? 2 : 1) starts.push(at)
  starts.push(term.length)
  return starts
}
