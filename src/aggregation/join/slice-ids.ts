import type { Leaf } from '../../segment/leaf.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { FoundIds } from './tied-buckets.ts'

/** Merges the ids that slices have listed. */
export class SliceIds implements SliceReducer {
  /** Counts are known once the tied documents are found. */
  readonly isLate = true
  readonly #idField: string
  readonly #leaves: readonly Leaf[]
  readonly #ordinals: GlobalOrdinals
  /** Keys are the shard's ords of ids. */
  readonly #table = new BucketTable()

  constructor(idField: string, leaves: readonly Leaf[]) {
    this.#idField = idField
    this.#leaves = leaves
    this.#ordinals = new GlobalOrdinals(idField, leaves, true)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { owners: from, highs, lows } = own as BucketKeys
    for (let i = 0; i < from.length; i++)
      this.#table.bucketOf(owners[from[i]!]!, 0, this.#ordinals.globalOf(highs[i]!, lows[i]!))
    return owners
  }

  close(owners: Int32Array): { own: FoundIds; buckets: Int32Array } {
    const { owners: from, lows } = this.#table.packed()
    const places = new Int32Array(1 + owners.reduce((max, owner) => Math.max(max, owner), -1))
    for (let bucket = 0; bucket < owners.length; bucket++) places[owners[bucket]!] = bucket + 1
    return {
      own: {
        bucketCount: owners.length,
        owners: from,
        ids: lows,
        places,
        idCount: from.length === 0 ? 0 : this.#ordinals.count,
        leaves: this.#leaves.map((leaf, ord) => this.#idsOf(leaf, ord)),
      },
      buckets: owners,
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(owner: number): number {
    return owner
  }

  #idsOf(leaf: Leaf, leafOrd: number): FoundIds['leaves'][number] {
    const field = this.#idField
    const idCount = leaf.fieldInfo(field) === null ? 0 : (leaf.terms(field)?.termCount ?? 0)
    return { idCount, globals: idCount === 0 ? null : this.#ordinals.globalsOf(leafOrd) }
  }
}
