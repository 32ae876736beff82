import type { SliceReducer } from '../aggregation-type.ts'
import { bucketsByOwner, type OwnedBuckets } from '../buckets-by-owner.ts'
import { Doubles, Ints } from '../columns.ts'
import type { KeyedPartial } from './bucket-collector.ts'

/** Buckets by owning bucket and a double, merged from slices or shards. */
export class KeyedBuckets implements OwnedBuckets {
  /** Buckets of each owning bucket, in order of first sight. */
  readonly #byOwner: (number[] | undefined)[] = []
  /** The same by key, once keys of the owning bucket do not ascend: until then each one is new. */
  readonly #byKey: (Map<number, number> | undefined)[] = []
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
    const size = this.size + from.length
    this.#keys.ensure(size)
    const sums = this.#counts.ensure(size)
    const buckets = new Int32Array(from.length)
    for (let i = 0; i < buckets.length; i++) {
      const bucket = this.#bucketOf(owners[from[i]!]!, keys[i]!)
      sums[bucket] = sums[bucket]! + counts[i]!
      buckets[i] = bucket
    }
    return buckets
  }

  /** Buckets of an owning bucket, by ascending key. */
  of(owner: number): readonly number[] {
    const found = this.#byOwner[owner] ?? []
    const { values } = this.#keys
    // Slices give their buckets in order: one slice's need no sort.
    const isSorted = found.every((at, i) => i === 0 || values[found[i - 1]!]! < values[at]!)
    return isSorted ? found : found.slice().sort((a, b) => values[a]! - values[b]!)
  }

  #bucketOf(owner: number, key: number): number {
    const own = (this.#byOwner[owner] ??= [])
    let byKey = this.#byKey[owner]
    if (byKey === undefined) {
      if (own.length === 0 || key > this.key(own.at(-1)!)) return this.#append(owner, own, key)
      this.#byKey[owner] = byKey = new Map(own.map(bucket => [this.key(bucket), bucket]))
    }
    const known = byKey.get(key)
    if (known !== undefined) return known
    const bucket = this.#append(owner, own, key)
    byKey.set(key, bucket)
    return bucket
  }

  /** Adds a bucket that has room. */
  #append(owner: number, own: number[], key: number): number {
    const bucket = this.size
    this.#owners.push(owner)
    this.#keys.values[bucket] = key
    own.push(bucket)
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
