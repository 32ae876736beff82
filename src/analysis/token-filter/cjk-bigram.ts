/** Pairs of neighbouring characters of Han, hiragana, katakana and hangul. */
import { TokenFilter, TokenState, type TokenStream, type UnitRun } from '../token-stream.ts'
import { singleUnit } from '../tokenizer/single-units.ts'

/** Scripts and the types that the standard tokenizer gives them. */
export const CJK_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['han', '<IDEOGRAPHIC>'],
  ['hiragana', '<HIRAGANA>'],
  ['katakana', '<KATAKANA>'],
  ['hangul', '<HANGUL>'],
])

/**
 * Cuts tokens of some types into characters and gives pairs of those that touch; one alone is given
 * by itself. Other tokens pass.
 */
export class CjkBigramFilter extends TokenFilter {
  readonly #types: ReadonlySet<string>
  /** Whether single characters are given too; pairs then stand at the first one's position. */
  readonly #unigrams: boolean
  /** Characters that wait for their neighbours: how many, their texts, where they start and end. */
  #count = 0
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** Which of them comes first in the next pair. */
  #at = 0
  #isPairNext = false
  #lastEndOffset = 0
  /** A token that was read to see whether it touches. */
  readonly #lone = new TokenState()
  #isLone = false
  #isExhausted = false
  /**
   * Characters that come behind the one that waits, without having been tokens: from `#runAt` on, which
   * is the place of the one that waits, to `#runLast`, the place of the last.
   */
  readonly #run: UnitRun = { text: '', start: 0, end: 0 }
  readonly #takesRuns: boolean
  #runAt = 0
  #runLast = 0
  /** Type of the token before, and whether it is one of `#types`. */
  #lastType = ''
  #isLastCjk = false

  constructor(input: TokenStream, types: ReadonlySet<string>, unigrams: boolean) {
    super(input)
    this.#types = types
    this.#unigrams = unigrams
    this.#takesRuns = !unigrams && [...CJK_SCRIPTS.values()].every(type => types.has(type))
  }

  next(): boolean {
    const { token } = this
    for (;;) {
      if (this.#count - this.#at > 1) {
        if (!this.#unigrams || this.#isPairNext) this.#givePair()
        else this.#giveSingle()
        return true
      }
      if (this.#runAt < this.#runLast) {
        this.#giveRunPair()
        return true
      }
      if (this.#takesRuns && this.#count > this.#at && this.#takeRun()) continue
      if (!this.#read()) {
        if (!this.#hasSingle()) return false
        this.#giveSingle()
        return true
      }
      if (token.type !== this.#lastType) {
        this.#lastType = token.type
        this.#isLastCjk = this.#types.has(token.type)
      }
      const isCjk = this.#isLastCjk
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
      this.#count = 0
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
    const count = this.#count
    return this.#unigrams ? count - this.#at === 1 : count === 1 && this.#at === 0
  }

  /** Goes on with characters that the stages before have no more to do with. */
  #takeRun(): boolean {
    if (this.#isLone || this.#isExhausted) return false
    this.#run.start = this.#lastEndOffset
    if (!this.input.takeUnits(this.#run)) return false
    const { text, start, end } = this.#run
    if (this.#at > 64) this.#dropGiven()
    // The first of them meets the one that waits.
    this.#add(singleUnit(text.charCodeAt(start)), start, start + 1)
    this.#lastEndOffset = end
    this.#runAt = start
    this.#runLast = end - 1
    return true
  }

  #giveRunPair(): void {
    const { text } = this.#run
    const at = this.#runAt++
    this.#set(text.slice(at, at + 2), '<DOUBLE>', at, at + 2)
    if (this.#runAt < this.#runLast) return
    // The last of them waits for what follows the run.
    const last = this.#runLast
    this.#texts[this.#at] = singleUnit(text.charCodeAt(last))
    this.#starts[this.#at] = last
    this.#ends[this.#at] = last + 1
  }

  #take(): void {
    const { term, startOffset, endOffset } = this.token
    if (this.#at > 64) this.#dropGiven()
    this.#lastEndOffset = endOffset
    if (term.length === 1) {
      this.#add(term, startOffset, endOffset)
      return
    }
    // A char filter or synonym may have left a term that is not as long as its place.
    const isAligned = endOffset - startOffset === term.length
    for (let i = 0; i < term.length; ) {
      const size = term.codePointAt(i)! > 0xffff ? 2 : 1
      const from = isAligned ? startOffset + i : startOffset
      const text = size === 1 ? singleUnit(term.charCodeAt(i)) : term.slice(i, i + size)
      this.#add(text, from, isAligned ? from + size : endOffset)
      i += size
    }
  }

  #add(text: string, start: number, end: number): void {
    const at = this.#count++
    this.#texts[at] = text
    this.#starts[at] = start
    this.#ends[at] = end
  }

  /** Moves what is still to come to the front, with the one before it. */
  #dropGiven(): void {
    const drop = this.#at - 1
    this.#count -= drop
    for (let i = 0; i < this.#count; i++) {
      this.#texts[i] = this.#texts[i + drop]!
      this.#starts[i] = this.#starts[i + drop]!
      this.#ends[i] = this.#ends[i + drop]!
    }
    this.#at = 1
  }

  #givePair(): void {
    const first = this.#at++
    const second = this.#at
    const text = this.#texts[first]! + this.#texts[second]!
    this.#set(text, '<DOUBLE>', this.#starts[first]!, this.#ends[second]!)
    if (!this.#unigrams) return
    this.token.positionIncrement = 0
    this.token.positionLength = 2
    this.#isPairNext = false
  }

  #giveSingle(): void {
    const at = this.#at
    this.#set(this.#texts[at]!, '<SINGLE>', this.#starts[at]!, this.#ends[at]!)
    // Its pair, where it has one, comes next and moves on.
    if (this.#count - at > 1) this.#isPairNext = true
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
    this.#count = 0
    this.#at = 0
    this.#isPairNext = false
    this.#lastEndOffset = 0
    this.#isLone = false
    this.#isExhausted = false
    this.#runAt = 0
    this.#runLast = 0
  }
}
