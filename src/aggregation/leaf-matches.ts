import { type DocIdIterator, NO_MORE_DOCS } from '../codec/doc-id-iterator.ts'
import type { Weight } from '../search/weight/weight.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { AggregationSlice } from './aggregation-type.ts'

/**
 * The matches of a query in a leaf, sought in ascending order of documents, mostly. Where a document
 * fell into so many buckets that its pairs come in two batches, the second begins with nested objects
 * of the document again: then the iterator starts anew.
 */
export class LeafMatches {
  readonly #weight: Weight
  readonly #slice: AggregationSlice
  #leaf: Leaf | null = null
  #leafOrd = -1
  #iterator: DocIdIterator | null = null
  /** The document sought last. */
  #sought = -1

  constructor(weight: Weight, slice: AggregationSlice) {
    this.#weight = weight
    this.#slice = slice
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#leaf = leaf
    this.#leafOrd = leafOrd
    this.#start()
  }

  /** Whether nothing matches in the leaf. */
  get isEmpty(): boolean {
    return this.#iterator === null
  }

  /** The first match from a document on, `NO_MORE_DOCS` without one. */
  seek(doc: number): number {
    if (doc < this.#sought) this.#start()
    this.#sought = doc
    const iterator = this.#iterator
    if (iterator === null) return NO_MORE_DOCS
    const at = iterator.docId()
    return at < doc ? iterator.advance(doc) : at
  }

  #start(): void {
    this.#iterator = this.#slice.matches(this.#weight, this.#leaf!, this.#leafOrd)
    this.#sought = -1
  }
}
