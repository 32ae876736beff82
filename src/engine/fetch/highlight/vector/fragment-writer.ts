import type { BoundaryScanner } from '../break/boundary-scanner.ts'
import type { TextEncoder } from '../encoder.ts'
import type { VectorFragment } from './fragments.ts'

/** Tags that terms and phrases take in turn. */
export interface TagLists {
  /** Min one each. */
  readonly preTags: readonly string[]
  readonly postTags: readonly string[]
}

/** Stands between two values. */
const SEPARATOR = ' '

/** Writes the fragments of one text. */
export class FragmentWriter {
  readonly #values: readonly string[]
  readonly #tags: TagLists
  readonly #encode: TextEncoder
  readonly #scanner: BoundaryScanner
  /** The values that the fragments so far were in, and what is ahead of them. */
  #text = ''
  #taken = 0

  /** @param values of which the text consists, one unit apart */
  constructor(
    values: readonly string[],
    tags: TagLists,
    encode: TextEncoder,
    scanner: BoundaryScanner,
  ) {
    this.#values = values
    this.#tags = tags
    this.#encode = encode
    this.#scanner = scanner
  }

  /** A fragment whose ends are moved to where it may be cut. */
  write(fragment: VectorFragment): string {
    const { preTags, postTags } = this.#tags
    const marks = fragment.matches
      .flatMap(({ stretches, ord }) => stretches.map(({ start, end }) => ({ start, end, ord })))
      .sort((a, b) => a.start - b.start)
    // Filters that move offsets about may have put a match ahead of its fragment.
    const from = Math.min(fragment.start, marks[0]?.start ?? fragment.start)
    const { start, end } = this.#cut(from, fragment.end)
    const text = this.#text
    let written = ''
    let at = start
    for (const mark of marks) {
      if (mark.start < at || mark.end > end) continue
      const preTag = preTags[mark.ord % preTags.length]!
      const postTag = postTags[mark.ord % postTags.length]!
      written += this.#encode(text.slice(at, mark.start))
      written += preTag + this.#encode(text.slice(mark.start, mark.end)) + postTag
      at = mark.end
    }
    return written + this.#encode(text.slice(at, end))
  }

  #cut(start: number, end: number): { start: number; end: number } {
    const values = this.#values
    while (this.#text.length < end && this.#taken < values.length)
      this.#text += values[this.#taken++]! + SEPARATOR
    const text = this.#text
    const length = text.length - SEPARATOR.length
    return {
      start: this.#scanner.start(text, start),
      end: length < end ? length : this.#scanner.end(text, end),
    }
  }
}
