import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart } from '../collector/collect-spec.ts'
import { BATCH_DOCS, type MatchBatch } from '../collector/gather.ts'
import { WINDOW_BYTES, windowsOf } from './part-bits.ts'

/**
 * The matches of a part, in batches of windows of a bit set. Where matches are few several windows are
 * one batch: of one in a hundred documents a batch of each window took twice as long.
 */
export class MatchWindows {
  readonly #leaf: Leaf
  readonly #part: LeafPart
  readonly #matches: number
  /** Bytes of the set: those of the next window, and where the last one ends. */
  #byte: number
  readonly #end: number
  /** Windows of the next batch. */
  #count = 1

  /** @param matches address of the leaf's bit set, 0 outside the part */
  constructor(leaf: Leaf, part: LeafPart, matches: number) {
    const { start, bytes } = windowsOf(part, leaf.maxDoc)
    this.#leaf = leaf
    this.#part = part
    this.#matches = matches
    this.#byte = start
    this.#end = start + bytes
  }

  /** Fills a batch with the next matches; false when there are no more. */
  next(batch: MatchBatch): boolean {
    const { kernels } = this.#leaf
    const { leafOrd, minDoc, maxDoc } = this.#part
    while (this.#byte < this.#end) {
      const at = this.#matches + this.#byte
      const bytes = Math.min(this.#count * WINDOW_BYTES, this.#end - this.#byte)
      const count = kernels.countBits(at, bytes)
      if (count > BATCH_DOCS) {
        this.#count /= 2
        continue
      }
      const firstDoc = 8 * this.#byte
      this.#byte += bytes
      if (2 * count <= BATCH_DOCS) this.#count *= 2
      if (count === 0) continue
      const from = Math.max(firstDoc, minDoc)
      const to = Math.min(8 * this.#byte, maxDoc)
      const run = count === to - from ? from : -1
      batch.window(this.#leaf, leafOrd, { at, bytes, firstDoc }, count, run)
      return true
    }
    return false
  }
}
