/** Words cut into parts, and parts joined, each part on a position of its own. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import { JoinedParts } from './joined-parts.ts'
import { givesParts, joinsParts, type WordDelimiterOptions } from './word-delimiter-options.ts'
import { WordParts } from './word-parts.ts'

/** A token to give. */
interface Part {
  readonly term: string
  readonly startOffset: number
  readonly endOffset: number
  readonly positionIncrement: number
}

/** Splits tokens at case changes, digits and delimiters; parts share positions as in Lucene. */
export class WordDelimiterFilter extends TokenFilter {
  readonly #options: WordDelimiterOptions
  readonly #parts: WordParts
  readonly #run = new JoinedParts()
  readonly #all = new JoinedParts()
  readonly #saved = new TokenState()
  #waiting: Part[] = []
  #given = 0
  /** Increments of words not given yet. */
  #increment = 0
  /** Whether the text's first token is still to come. */
  #isFirst = true
  /** Whether the original was given and its parts are still to be cut. */
  #isCutPending = false
  /** Whether the run at hand has given anything, and whether anything follows the original. */
  #hasOutput = false
  #hasFollowing = false

  constructor(input: TokenStream, options: WordDelimiterOptions) {
    super(input)
    this.#options = options
    this.#parts = new WordParts(options)
  }

  next(): boolean {
    const { token } = this
    const options = this.#options
    const parts = this.#parts
    for (;;) {
      if (this.#isCutPending) {
        this.#isCutPending = false
        if (this.#cut()) return true
      }
      if (this.#given < this.#waiting.length) {
        this.#give(this.#waiting[this.#given++]!)
        if (this.#isFirst && token.positionIncrement === 0) token.positionIncrement = 1
        this.#isFirst = false
        return true
      }
      if (!this.input.next()) return false
      if (options.ignoreKeywords && token.isKeyword) return true
      const { term } = token
      this.#increment += token.positionIncrement
      parts.open(term)
      parts.next()
      const isWhole = parts.start === 0 && parts.end === term.length
      if (isWhole || options.protectedWords?.has(term)) {
        this.#takeIncrement()
        return true
      }
      if (parts.end < 0 && !options.preserveOriginal) {
        // Nothing but delimiters leaves no hole, but at the very start.
        if (token.positionIncrement === 1 && !this.#isFirst) this.#increment--
        continue
      }
      this.#saved.copyFrom(token)
      this.#waiting = []
      this.#given = 0
      this.#hasOutput = false
      this.#hasFollowing = !options.preserveOriginal
      this.#isCutPending = true
      if (options.preserveOriginal) {
        this.#takeIncrement()
        return true
      }
    }
  }

  #takeIncrement(): void {
    this.token.positionIncrement = this.#increment
    this.#increment = 0
    this.#isFirst = false
  }

  #give(part: Part): void {
    const { token } = this
    token.clear()
    token.type = this.#saved.type
    token.term = part.term
    token.startOffset = part.startOffset
    token.endOffset = part.endOffset
    token.positionIncrement = part.positionIncrement
  }

  /** Lays out the parts of the word at hand; true when there is one alone, which is then given. */
  #cut(): boolean {
    const options = this.#options
    const parts = this.#parts
    const run = this.#run
    const all = this.#all
    const word = this.#saved.term
    if (parts.end >= 0 && parts.isSingle) {
      const { startOffset, endOffset } = this.#saved
      const start = startOffset + parts.start
      const place = this.#place(parts.start, parts.end)
      // Even where the term is not as long as its place, as far as that makes sense.
      const isInside = this.#isOfPlace() || start > endOffset
      this.#give({
        term: this.#saved.term.slice(parts.start, parts.end),
        startOffset: isInside ? place.startOffset : start,
        endOffset: isInside ? place.endOffset : endOffset,
        positionIncrement: this.#nextIncrement(false),
      })
      this.#isFirst = false
      return true
    }
    let lastJoined = 0
    for (; parts.end >= 0; parts.next()) {
      const { kind } = parts
      if (run.count > 0 && (run.kind & kind) === 0) {
        lastJoined = this.#endRun()
        this.#hasOutput = false
      }
      if (joinsParts(options, kind)) run.add(parts, word, 0)
      if (options.catenateAll) all.add(parts, word, 0)
      if (givesParts(options, kind)) {
        const term = this.#saved.term.slice(parts.start, parts.end)
        this.#wait(term, parts.start, parts.end, this.#nextIncrement(false))
      }
    }
    if (run.count > 0) lastJoined = this.#endRun()
    if (all.count > lastJoined) this.#waitJoined(all)
    all.clear()
    this.#waiting.sort(
      (a, b) => a.startOffset - b.startOffset || b.positionIncrement - a.positionIncrement,
    )
    return false
  }

  /** Gives the run of one kind, unless its one part is given already; returns its number of parts. */
  #endRun(): number {
    const run = this.#run
    const { count } = run
    if (count !== 1 || !givesParts(this.#options, run.kind)) this.#waitJoined(run)
    run.clear()
    return count
  }

  #waitJoined(joined: JoinedParts): void {
    this.#wait(joined.text, joined.from, joined.to, this.#nextIncrement(true))
    this.#increment = 0
  }

  #wait(term: string, from: number, to: number, positionIncrement: number): void {
    const { startOffset, endOffset } = this.#place(from, to)
    this.#waiting.push({ term, startOffset, endOffset, positionIncrement })
  }

  #place(from: number, to: number): { startOffset: number; endOffset: number } {
    const { startOffset, endOffset } = this.#saved
    if (!this.#isOfPlace()) return { startOffset, endOffset }
    return { startOffset: startOffset + from, endOffset: startOffset + to }
  }

  /** Whether the term is as long as its place; else it is a synonym, a stem or the like. */
  #isOfPlace(): boolean {
    const { startOffset, endOffset, term } = this.#saved
    return endOffset - startOffset === term.length
  }

  /** @param isJoined a joined run stands at the position of its last part */
  #nextIncrement(isJoined: boolean): number {
    const increment = Math.max(1, this.#increment)
    if (this.#hasOutput) {
      this.#increment = 0
      return isJoined ? 0 : increment
    }
    this.#hasOutput = true
    if (!this.#hasFollowing) {
      this.#hasFollowing = true
      return 0
    }
    this.#increment = 0
    return increment
  }

  override reset(): void {
    super.reset()
    this.#waiting = []
    this.#given = 0
    this.#increment = 0
    this.#isFirst = true
    this.#isCutPending = false
    this.#run.clear()
    this.#all.clear()
  }
}
