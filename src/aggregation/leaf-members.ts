import type { Weight } from '../search/weight/weight.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { AggregationSlice } from './aggregation-type.ts'

/**
 * Tells which documents of a leaf a query matches, asked in ascending order, mostly: where a document fell
 * into so many buckets that its pairs come in two batches, the second begins with lower documents again.
 */
export class LeafMembers {
  readonly #weight: Weight
  readonly #slice: AggregationSlice
  #leaf: Leaf | null = null
  #leafOrd = -1
  #holds: ((docId: number) => boolean) | null = null
  #asked = -1

  constructor(weight: Weight, slice: AggregationSlice) {
    this.#weight = weight
    this.#slice = slice
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#leaf = leaf
    this.#leafOrd = leafOrd
    this.#start()
  }

  /** Scripts of the query run on no other document. */
  has(docId: number): boolean {
    if (docId < this.#asked) this.#start()
    this.#asked = docId
    return this.#holds?.(docId) === true
  }

  #start(): void {
    this.#holds = this.#slice.membership(this.#weight, this.#leaf!, this.#leafOrd)
    this.#asked = -1
  }
}
