import type { ScriptRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'

/** Lists of documents or owning buckets in a leaf's arena. */
export interface ArenaList {
  readonly at: number
  readonly values: Int32Array
}

/** Documents that a kernel has given owning buckets, without scores and weights. */
export class HandedBatch implements BucketBatch {
  readonly leaf: Leaf
  readonly leafOrd: number
  readonly count: number
  readonly run: number
  readonly docsAt: number
  readonly owners: Int32Array
  readonly ownersAt: number
  readonly scores = null
  readonly weights = null
  readonly #from: BucketBatch
  readonly #docs: ArenaList | null

  /** @param docs null: those of `from`, all of them */
  constructor(from: BucketBatch, count: number, docs: ArenaList | null, owners: ArenaList) {
    this.leaf = from.leaf
    this.leafOrd = from.leafOrd
    this.count = count
    this.run = docs === null ? from.run : -1
    this.docsAt = docs === null ? from.docsAt : docs.at
    this.owners = owners.values
    this.ownersAt = owners.at
    this.#from = from
    this.#docs = docs
  }

  get scripts(): ScriptRun {
    return this.#from.scripts
  }

  get docs(): Int32Array {
    return this.#docs?.values ?? this.#from.docs
  }
}
