import type { Leaf } from '../../segment/leaf.ts'
import type { MatchBatch, SliceGather } from './gather.ts'

/** The gathers of a slice, open on one leaf at a time over all of its parts. */
export class LeafGathers {
  readonly #gathers: readonly SliceGather<unknown>[]
  #leaf: Leaf | null = null
  #leafOrd = -1
  /** Of the leaf's scratch, before the gathers took theirs. */
  #mark = 0

  constructor(gathers: readonly SliceGather<unknown>[]) {
    this.#gathers = gathers
  }

  /** Opens a leaf, unless it is open. @param isWhole whether one part is all of it */
  openLeaf(leaf: Leaf, leafOrd: number, isWhole: boolean): void {
    if (leafOrd === this.#leafOrd) return
    this.closeLeaf()
    this.#leaf = leaf
    this.#leafOrd = leafOrd
    this.#mark = leaf.scratch.mark()
    for (const gather of this.#gathers) gather.openLeaf(leaf, leafOrd, isWhole)
  }

  collect(batch: MatchBatch): void {
    for (const gather of this.#gathers) gather.collect(batch)
  }

  /** Closes the open leaf. */
  closeLeaf(): void {
    if (this.#leaf !== null) for (const gather of this.#gathers) gather.closeLeaf()
    this.release()
  }

  /** Frees the scratch of the gathers, whose batches may be lost. */
  release(): void {
    this.#leaf?.scratch.release(this.#mark)
    this.#leaf = null
    this.#leafOrd = -1
  }

  /** The partial of each. */
  finish(): readonly unknown[] {
    return this.#gathers.map(gather => gather.finish())
  }
}
