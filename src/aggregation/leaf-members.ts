import { bitsBytes } from '../search/bulk/bulk-scratch.ts'
import { notingBytes } from '../search/bulk/noted-documents.ts'
import type { Query } from '../search/query/query.ts'
import type { Weight } from '../search/weight/weight.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { AggregationShard, AggregationSlice } from './aggregation-type.ts'
import { NO_INTS } from './columns.ts'

/** Max bytes of the bits of all filters of one aggregation, in a leaf; those behind are looked up. */
const MAX_NOTED_BYTES = 4 << 20

/** Makes the weights of an aggregation's filters, and reserves what their members are noted in. */
export function memberWeights(
  queries: readonly Query[],
  shard: AggregationShard,
): readonly Weight[] {
  const maxDoc = shard.leaves.reduce((max, leaf) => Math.max(max, leaf.maxDoc), 0)
  const noted = Math.min(queries.length, mostNoted(maxDoc))
  if (noted > 0) shard.reserve(noted * (bitsBytes(maxDoc) + 64) + notingBytes(maxDoc))
  return queries.map(query => shard.weightOf(query))
}

function mostNoted(maxDoc: number): number {
  return Math.floor(MAX_NOTED_BYTES / bitsBytes(maxDoc))
}

/**
 * Tells which documents of a leaf a query matches, asked in ascending order, mostly: where a document fell
 * into so many buckets that its pairs come in two batches, the second begins with lower documents again. Where many
 * are asked for, all documents of the query are noted as bits.
 */
export class LeafMembers {
  readonly #weight: Weight
  readonly #number: number
  readonly #slice: AggregationSlice
  #leaf: Leaf | null = null
  #leafOrd = -1
  #holds: ((docId: number) => boolean) | null = null
  #asked = -1
  /** Address of room for bits; −1: there is none, or the documents are noted. */
  #room = -1
  /** Documents that are still looked up before all are noted. */
  #lookUps = 0
  /** The word of the first bit; −1: documents are looked up. */
  #noted = -1
  #words: Int32Array = NO_INTS

  /** @param number of the filter among those of its aggregation */
  constructor(weight: Weight, number: number, slice: AggregationSlice) {
    this.#weight = weight
    this.#number = number
    this.#slice = slice
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#leaf = leaf
    this.#leafOrd = leafOrd
    this.#noted = -1
    this.#room = -1
    if (this.#number < mostNoted(leaf.maxDoc)) {
      this.#lookUps = this.#slice.lookUpsOfNoting(this.#weight, leaf, leafOrd)
      if (Number.isFinite(this.#lookUps))
        this.#room = leaf.scratch.tryAllocate(bitsBytes(leaf.maxDoc))
    }
    this.#start()
  }

  /** Scripts of the query run on no other document. */
  has(docId: number): boolean {
    if (this.#noted >= 0)
      return ((this.#words[this.#noted + (docId >>> 5)]! >>> (docId & 31)) & 1) > 0
    if (this.#room >= 0 && --this.#lookUps < 0) {
      this.#note()
      return this.has(docId)
    }
    if (docId < this.#asked) this.#start()
    this.#asked = docId
    return this.#holds?.(docId) === true
  }

  #note(): void {
    const leaf = this.#leaf!
    const room = this.#room
    this.#room = -1
    if (!this.#slice.note(this.#weight, leaf, this.#leafOrd, room)) {
      this.#start()
      return
    }
    this.#noted = room >> 2
    this.#words = leaf.views.i32
  }

  #start(): void {
    const leaf = this.#leaf!
    // Where many would be asked for they are noted, so that all that prepares for many is left to that.
    const most = this.#room < 0 ? leaf.maxDoc : 1
    this.#holds = this.#slice.membership(this.#weight, leaf, this.#leafOrd, most)
    this.#asked = -1
  }
}
