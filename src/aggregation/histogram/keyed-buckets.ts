import type { SliceReducer } from '../aggregation-type.ts'
import { bucketsByOwner, type OwnedBuckets } from '../buckets-by-owner.ts'
import { Doubles, Ints } from '../columns.ts'
import type { KeyedPartial } from './bucket-collector.ts'

/** Buckets by owning bucket and a double, merged from slices or shards. */
export class KeyedBuckets implements OwnedBuckets {
  readonly #byOwner: (Map<number, number> | undefined)[] = []
  readonly #owners = new Ints()
  readonly #keys = new Doubles()
  readonly #counts = new Doubles()

  get size(): number {
    return this.#owners.length
  }

  owner(bucket: number): number {
    return this.#owners.values[bucket]!
  }

  key(bucket: number): number {
    return this.#keys.at(bucket)
  }

  count(bucket: number): number {
    return this.#counts.at(bucket)
  }

  /** Adds buckets. @returns the bucket here by bucket there */
  add({ owners: from, keys, counts }: KeyedPartial, owners: Int32Array): Int32Array {
    const buckets = new Int32Array(from.length)
    for (let i = 0; i < buckets.length; i++) {
      const bucket = this.#bucketOf(owners[from[i]!]!, keys[i]!)
      const sums = this.#counts.ensure(bucket + 1)
      sums[bucket] = sums[bucket]! + counts[i]!
      buckets[i] = bucket
    }
    return buckets
  }

  /** Buckets of an owning bucket, by ascending key. */
  of(owner: number): readonly number[] {
    const found = [...(this.#byOwner[owner]?.values() ?? [])]
    const { values } = this.#keys
    // Slices give their buckets in order: one slice's need no sort.
    const isSorted = found.every((at, i) => i === 0 || values[found[i - 1]!]! < values[at]!)
    return isSorted ? found : found.sort((a, b) => values[a]! - values[b]!)
  }

  #bucketOf(owner: number, key: number): number {
    let byKey = this.#byOwner[owner]
    if (byKey === undefined) this.#byOwner[owner] = byKey = new Map()
    const known = byKey.get(key)
    if (known !== undefined) return known
    const bucket = this.size
    this.#owners.push(owner)
    this.#keys.ensure(bucket + 1)[bucket] = key
    byKey.set(key, bucket)
    return bucket
  }
}

/** Merges the buckets of slices; a shard gives all. */
export class SliceKeyed implements SliceReducer {
  readonly #buckets = new KeyedBuckets()

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#buckets.add(own as KeyedPartial, owners)
  }

  close(owners: Int32Array): { own: KeyedPartial; buckets: Int32Array } {
    const lists = bucketsByOwner(this.#buckets, owners)
    const count = lists.reduce((sum, list) => sum + list.length, 0)
    const buckets = new Int32Array(count)
    const closed = new Int32Array(count)
    const keys = new Float64Array(count)
    const counts = new Float64Array(count)
    let to = 0
    for (const [owner, list] of lists.entries())
      for (const bucket of list) {
        buckets[to] = bucket
        closed[to] = owner
        keys[to] = this.#buckets.key(bucket)
        counts[to++] = this.#buckets.count(bucket)
      }
    return { own: { owners: closed, keys, counts }, buckets }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
