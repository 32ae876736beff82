/**
 * Thai has no blanks between words: runs of it are cut by the dictionary of the machine's ICU, the
 * text around them by the rules of Java's BreakIterator, which Lucene's ThaiTokenizer runs.
 */
import { type Automaton, DEAD, START } from '../../util/automaton/automaton.ts'
import { Tokenizer } from '../token-stream.ts'
import { javaWords, THAI_RULE } from './java-words.ts'

/** Lucene looks at so many units at a time, and cuts there where no line ends among them. */
const PIECE = 1024

const LINE_END = /[\n\r\u0085\u2028\u2029]/
const STARTS_TOKEN = /^[\p{L}\p{Nd}]/u

/** Tokenizer `thai`. */
export class ThaiTokenizer extends Tokenizer {
  readonly #words: Automaton = javaWords()
  readonly #segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  #at = 0
  #pieceEnd = 0
  /** Words of the run of Thai at hand, and where the run starts. */
  #segments: Iterator<Intl.SegmentData> | null = null
  #runStart = 0

  reset(): void {
    this.#words.trim()
    this.#at = 0
    this.#pieceEnd = 0
    this.#segments = null
  }

  next(): boolean {
    const { text } = this
    for (;;) {
      if (this.#segments !== null) {
        const segment = this.#segments.next()
        if (segment.done !== true) {
          const start = this.#runStart + segment.value.index
          if (this.#take(start, start + segment.value.segment.length)) return true
          continue
        }
        this.#segments = null
      }
      if (this.#at >= text.length) return false
      if (this.#at >= this.#pieceEnd) this.#pieceEnd = pieceEnd(text, this.#at)
      const start = this.#at
      const isThai = this.#advance()
      if (isThai) {
        this.#runStart = start
        this.#segments = this.#segmenter.segment(text.slice(start, this.#at))[Symbol.iterator]()
      } else if (this.#take(start, this.#at)) return true
    }
  }

  /** Moves behind the longest match of the rules; true for a run of Thai. */
  #advance(): boolean {
    const { text } = this
    const end = this.#pieceEnd
    let state = START
    let found = this.#at
    let rules = 0
    for (let at = this.#at; at < end; ) {
      const point = text.codePointAt(at)!
      state = this.#words.step(state, point)
      if (state === DEAD) break
      at += point > 0xffff ? 2 : 1
      const accepts = this.#words.accepts(state)
      if (accepts === 0) continue
      found = Math.min(at, end)
      rules = accepts
    }
    this.#at = Math.max(found, this.#at + 1)
    return (rules & THAI_RULE) !== 0
  }

  /** True where what stands there is a token. */
  #take(start: number, end: number): boolean {
    const { text, token } = this
    if (!STARTS_TOKEN.test(text.slice(start, start + 2))) return false
    token.clear()
    token.term = text.slice(start, end)
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(end)
    return true
  }
}

/** Where the piece that starts at `start` ends: behind its last line, or where there is no more. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE
  if (end > text.length) return text.length
  for (let at = end - 1; at >= start; at--) if (LINE_END.test(text[at]!)) return at + 1
  return end
}
