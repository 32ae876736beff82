import type { Leaf } from '../../segment/leaf.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { Ints } from '../columns.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { TiedBuckets, TiedIds } from './tied.ts'

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

  close(owners: Int32Array): { own: TiedBuckets; buckets: Int32Array } {
    const table = this.#table
    const bucketCount = owners.length
    const bucketOf = new Map<number, number>()
    for (const [bucket, owner] of owners.entries()) bucketOf.set(owner, bucket)
    const pairs = new Float64Array(table.size)
    let count = 0
    for (let i = 0; i < table.size; i++) {
      const bucket = bucketOf.get(table.owner(i))
      if (bucket !== undefined) pairs[count++] = table.low(i) * bucketCount + bucket
    }
    const sorted = pairs.subarray(0, count).sort()
    const numbers = new Map<number, number>()
    const starts: number[] = []
    const buckets = sorted.map((pair, i) => {
      const id = Math.floor(pair / bucketCount)
      if (!numbers.has(id)) numbers.set(id, starts.push(i) - 1)
      return pair % bucketCount
    })
    return {
      own: {
        bucketCount,
        starts: Int32Array.from([...starts, count]),
        buckets: Int32Array.from(buckets),
        leaves: this.#leaves.map((leaf, ord) => this.#idsOf(leaf, ord, numbers)),
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

  #idsOf(leaf: Leaf, leafOrd: number, numbers: ReadonlyMap<number, number>): TiedIds {
    const field = this.#idField
    const idCount = leaf.fieldInfo(field) === null ? 0 : (leaf.terms(field)?.termCount ?? 0)
    const ords = new Ints()
    const found = new Ints()
    if (numbers.size > 0)
      for (let ord = 0; ord < idCount; ord++) {
        const number = numbers.get(this.#ordinals.globalOf(leafOrd, ord))
        if (number === undefined) continue
        ords.push(ord)
        found.push(number)
      }
    return { idCount, ords: ords.packed(), numbers: found.packed() }
  }
}
