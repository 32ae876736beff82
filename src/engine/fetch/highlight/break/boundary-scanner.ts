import type { HighlightOptions } from '../../../dsl/search-body/highlight.ts'
import { sentenceBreaks, wordBreaks } from './passage-breaks.ts'
import type { TextBreaks } from './text-breaks.ts'

/** Moves the ends of a fragment to where it may be cut. */
export interface BoundaryScanner {
  /** The start of a fragment that begins at an offset or somewhat ahead of it. */
  start(text: string, at: number): number
  /** The end of a fragment that ends at an offset or somewhat behind it. */
  end(text: string, at: number): number
}

/** The scanner that options ask for. */
export function boundaryScanner({
  boundaryScanner: name,
  boundaryLocale,
  boundaryChars,
  boundaryMaxScan,
}: HighlightOptions): BoundaryScanner {
  if (name === 'sentence') return new BreakScanner(text => sentenceBreaks(text, boundaryLocale))
  if (name === 'word') return new BreakScanner(text => wordBreaks(text, boundaryLocale))
  return new CharScanner(new Set(boundaryChars), boundaryMaxScan)
}

/** Units that a language's rules are asked of at first: they would take all of a long text for each end. */
const WINDOW = 4096

/** Looks for one of some characters, so many units far. */
class CharScanner implements BoundaryScanner {
  readonly #chars: ReadonlySet<string>
  readonly #maxScan: number

  constructor(chars: ReadonlySet<string>, maxScan: number) {
    this.#chars = chars
    this.#maxScan = maxScan
  }

  start(text: string, at: number): number {
    if (at > text.length || at < 1) return at
    const last = Math.max(0, at - this.#maxScan)
    for (let i = at; i > last; i--) if (this.#chars.has(text[i - 1]!)) return i
    return last === 0 && this.#maxScan > 0 ? 0 : at
  }

  end(text: string, at: number): number {
    if (at > text.length || at < 0) return at
    const last = Math.min(text.length, at + this.#maxScan)
    for (let i = at; i < last; i++) if (this.#chars.has(text[i]!)) return i
    return at
  }
}

/** Cuts by the rules of a language, each end for itself: of the text ahead of it, or behind it. */
class BreakScanner implements BoundaryScanner {
  readonly #breaksOf: (text: string) => TextBreaks

  constructor(breaksOf: (text: string) => TextBreaks) {
    this.#breaksOf = breaksOf
  }

  start(text: string, at: number): number {
    if (at > text.length || at < 1) return at
    const from = Math.max(0, at - WINDOW)
    const near = this.#breaksOf(text.slice(from, at)).preceding(at - from)
    if (near > 0 || from === 0) return from + Math.max(0, near)
    return Math.max(0, this.#breaksOf(text.slice(0, at)).preceding(at))
  }

  end(text: string, at: number): number {
    if (at > text.length || at < 0) return at
    if (at === text.length) return at - 1
    const near = this.#breaksOf(text.slice(at, at + WINDOW)).following(0)
    if (near < WINDOW || at + WINDOW >= text.length) return at + near
    return at + this.#breaksOf(text.slice(at)).following(0)
  }
}
