/** Words cut into parts, and parts joined, as paths of a token graph. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import { JoinedParts } from './joined-parts.ts'
import { givesParts, joinsParts, type WordDelimiterOptions } from './word-delimiter-options.ts'
import { WordParts } from './word-parts.ts'

/** A token to give, between two positions of the word's own. */
interface Part {
  /** Null: the slice of the word. */
  readonly term: string | null
  readonly startPosition: number
  readonly endPosition: number
  /** Slice of the word that it covers. */
  readonly from: number
  readonly to: number
}

/** Splits tokens at case changes, digits and delimiters; the parts form a graph. */
export class WordDelimiterGraphFilter extends TokenFilter {
  readonly #options: WordDelimiterOptions
  /** Whether the offsets of parts are those of the parts. */
  readonly #adjustsOffsets: boolean
  readonly #parts: WordParts
  readonly #run = new JoinedParts()
  readonly #all = new JoinedParts()
  readonly #saved = new TokenState()
  #waiting: Part[] = []
  #given = 0
  /** Positions of words that were all delimiters, until the next token. */
  #increment = 0
  #position = 0
  /** Where the last token started: offsets never go back. */
  #lastStartOffset = 0

  constructor(input: TokenStream, options: WordDelimiterOptions, adjustsOffsets: boolean) {
    super(input)
    this.#options = options
    this.#adjustsOffsets = adjustsOffsets
    this.#parts = new WordParts(options)
  }

  next(): boolean {
    const { token } = this
    const options = this.#options
    const parts = this.#parts
    while (this.#given === this.#waiting.length) {
      if (!this.input.next()) return false
      if (options.ignoreKeywords && token.isKeyword) return true
      const { term } = token
      this.#increment += token.positionIncrement
      parts.open(term)
      parts.next()
      const isWhole = parts.start === 0 && parts.end === term.length
      if (isWhole || options.protectedWords?.has(term)) {
        token.positionIncrement = this.#increment
        this.#increment = 0
        return true
      }
      if (parts.end < 0) {
        // Nothing but delimiters: a hole, or the word itself with the increment that it had.
        if (!options.preserveOriginal) continue
        this.#increment = 0
        return true
      }
      this.#cut()
    }
    this.#give(this.#waiting[this.#given++]!)
    return true
  }

  #give(part: Part): void {
    const { token } = this
    const saved = this.#saved
    token.copyFrom(saved)
    // A term of another length than its place is a synonym, a stem or the like.
    const isOfPlace =
      this.#adjustsOffsets && saved.endOffset - saved.startOffset === saved.term.length
    const start = isOfPlace ? saved.startOffset + part.from : saved.startOffset
    const end = isOfPlace ? saved.startOffset + part.to : saved.endOffset
    token.startOffset = Math.max(start, this.#lastStartOffset)
    token.endOffset = Math.max(end, this.#lastStartOffset)
    this.#lastStartOffset = token.startOffset
    token.term = part.term ?? saved.term.slice(part.from, part.to)
    token.positionIncrement = this.#increment + part.startPosition - this.#position
    this.#increment = 0
    token.positionLength = part.endPosition - part.startPosition
    this.#position = part.startPosition
  }

  /** Lays out all parts of the word at hand. */
  #cut(): void {
    const options = this.#options
    const parts = this.#parts
    this.#saved.copyFrom(this.token)
    const word = this.#saved.term
    this.#waiting = []
    this.#given = 0
    let position = 0
    let lastJoined = 0
    const run = this.#run
    const all = this.#all
    if (parts.isSingle) {
      this.#wait(null, 0, 1, parts.start, parts.end)
      position = 1
      parts.next()
    } else {
      const endRun = (): void => {
        if (position === run.startPosition) position++
        lastJoined = run.count
        if (run.count !== 1 || !givesParts(options, run.kind))
          this.#wait(run.text, run.startPosition, position, run.from, run.to)
        run.clear()
      }
      for (; parts.end >= 0; parts.next()) {
        const { kind } = parts
        if (run.count > 0 && (run.kind & kind) === 0) endRun()
        if (joinsParts(options, kind)) run.add(parts, word, position)
        if (options.catenateAll) all.add(parts, word, position)
        if (givesParts(options, kind)) {
          this.#wait(null, position, position + 1, parts.start, parts.end)
          position++
        }
      }
      if (run.count > 0) endRun()
      // Unless that very run was given as a run of one kind.
      if (all.count > lastJoined) {
        if (position === all.startPosition) position++
        this.#wait(all.text, all.startPosition, position, all.from, all.to)
      }
      all.clear()
    }
    // By place in the word, of two that start together the longer first; ahead of all the original.
    this.#waiting.sort((a, b) => a.from - b.from || b.to - a.to)
    if (options.preserveOriginal)
      this.#waiting.unshift({
        term: null,
        startPosition: 0,
        endPosition: Math.max(position, 1),
        from: 0,
        to: this.#saved.term.length,
      })
    this.#position = 0
  }

  #wait(
    term: string | null,
    startPosition: number,
    endPosition: number,
    from: number,
    to: number,
  ): void {
    this.#waiting.push({ term, startPosition, endPosition, from, to })
  }

  override reset(): void {
    super.reset()
    this.#waiting = []
    this.#given = 0
    this.#increment = 0
    this.#position = 0
    this.#lastStartOffset = 0
    this.#run.clear()
    this.#all.clear()
  }
}
