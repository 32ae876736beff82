/**
 * Where a char filter changed the length of a text: from each noted offset of the output on, so much
 * is added to reach the input, as Lucene's BaseCharFilter keeps it.
 */
import type { OffsetCorrection } from '../token-stream.ts'

/** Notes that are taken for one text: a filter that makes far more of it than it was is stopped. */
export const MOST_GROWTH: number = 1 << 24

/** Offsets in the output, rising, and what is added from there on. */
export class OffsetMap {
  readonly #offsets: number[] = []
  readonly #differences: number[] = []

  /** The difference behind the last offset. */
  get last(): number {
    return this.#differences.at(-1) ?? 0
  }

  /** @param difference all in all, not since the note before */
  add(offset: number, difference: number): void {
    const last = this.#offsets.length - 1
    if (last >= 0 && this.#offsets[last] === offset) {
      this.#differences[last] = difference
      return
    }
    this.#offsets.push(offset)
    this.#differences.push(difference)
  }

  /** Null where nothing was noted. */
  correction(): OffsetCorrection | null {
    if (this.#offsets.length === 0) return null
    return offset => {
      const offsets = this.#offsets
      let low = 0
      let high = offsets.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (offsets[middle]! <= offset) low = middle + 1
        else high = middle
      }
      return low === 0 ? offset : Math.max(0, offset + this.#differences[low - 1]!)
    }
  }
}
