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
    return Int32Array.from(from, (owner, i) => {
      const bucket = this.#bucketOf(owners[owner]!, keys[i]!)
      const sums = this.#counts.ensure(bucket + 1)
      sums[bucket] = sums[bucket]! + counts[i]!
      return bucket
    })
  }

  /** Buckets of an owning bucket, by ascending key. */
  of(owner: number): readonly number[] {
    const found = this.#byOwner[owner]
    return found === undefined ? [] : [...found].sort(([a], [b]) => a - b).map(([, at]) => at)
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
    const buckets = Int32Array.from(lists.flatMap(list => [...list]))
    const closed = Int32Array.from(lists.flatMap((list, owner) => Array.from(list, () => owner)))
    const keys = Float64Array.from(buckets, bucket => this.#buckets.key(bucket))
    const counts = Float64Array.from(buckets, bucket => this.#buckets.count(bucket))
    return { own: { owners: closed, keys, counts }, buckets }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
