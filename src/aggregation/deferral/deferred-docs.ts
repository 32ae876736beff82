import type { AggregationSlice } from '../aggregation-type.ts'
import type { BatchTarget, BucketBatch } from '../bucket-batch.ts'

/** Documents of one leaf and their buckets, in the order in which they were collected: plain data. */
export interface DeferredColumns {
  readonly leafOrd: number
  readonly docs: Int32Array
  readonly buckets: Int32Array
  /** Null: nothing reads them. */
  readonly scores: Float32Array | null
}

const MIN_LIMIT = 1024
/** Of a document: with its bucket and its score. */
const ENTRY_BYTES = 12
/** Memory that a document may be charged for: room grows by doubling, and is copied once a leaf ends. */
export const DEFERRED_DOC_BYTES: number = 3 * ENTRY_BYTES

/** Notes which documents fell into which buckets, for children that are collected once buckets are cut. */
export class DeferredDocs implements BatchTarget {
  readonly #keepsScores: boolean
  readonly #slice: AggregationSlice
  readonly #leaves: DeferredColumns[] = []
  #leafOrd = -1
  #count = 0
  #docs = new Int32Array(0)
  #buckets = new Int32Array(0)
  #scores = new Float32Array(0)

  constructor(keepsScores: boolean, slice: AggregationSlice) {
    this.#keepsScores = keepsScores
    this.#slice = slice
  }

  collect({ leafOrd, count, docs, owners, scores }: BucketBatch): void {
    if (leafOrd !== this.#leafOrd) this.#endLeaf()
    this.#leafOrd = leafOrd
    const from = this.#count
    this.#ensure(from + count)
    for (let i = 0; i < count; i++) {
      this.#docs[from + i] = docs[i]!
      this.#buckets[from + i] = owners === null ? 0 : owners[i]!
    }
    if (this.#keepsScores && scores !== null)
      for (let i = 0; i < count; i++) this.#scores[from + i] = scores[i]!
    this.#count = from + count
  }

  /** All that was noted, by leaf. */
  packed(): readonly DeferredColumns[] {
    this.#endLeaf()
    return this.#leaves
  }

  #ensure(count: number): void {
    const before = this.#docs.length
    if (count <= before) return
    const limit = Math.max(MIN_LIMIT, count, 2 * before)
    this.#slice.charge((limit - before) * ENTRY_BYTES)
    this.#docs = grown(this.#docs, new Int32Array(limit))
    this.#buckets = grown(this.#buckets, new Int32Array(limit))
    if (this.#keepsScores) this.#scores = grown(this.#scores, new Float32Array(limit))
  }

  #endLeaf(): void {
    const count = this.#count
    if (count === 0) return
    this.#slice.charge(count * ENTRY_BYTES)
    this.#leaves.push({
      leafOrd: this.#leafOrd,
      docs: this.#docs.slice(0, count),
      buckets: this.#buckets.slice(0, count),
      scores: this.#keepsScores ? this.#scores.slice(0, count) : null,
    })
    this.#count = 0
  }
}

function grown<T extends Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
