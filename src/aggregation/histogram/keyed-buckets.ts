import type { SliceReducer } from '../aggregation-type.ts'
import { bucketsByOwner, type OwnedBuckets } from '../buckets-by-owner.ts'
import { Doubles, Ints } from '../columns.ts'
import { isAscending, type KeyedPartial } from './keyed-partial.ts'

/** Buckets by owning bucket and a double, merged from slices or shards. */
export class KeyedBuckets implements OwnedBuckets {
  /** Buckets of each owning bucket, in order of first sight; null: not told apart yet. */
  #byOwner: (number[] | undefined)[] | null = []
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
  add(partial: KeyedPartial, owners: Int32Array): Int32Array {
    const { owners: from, keys, counts } = partial
    const mapped = from.map(owner => owners[owner]!)
    const isFirst = this.size === 0 && from.length > 0
    if (isFirst && isAscending(mapped, keys)) return this.#take(mapped, keys, counts)
    const size = this.size + from.length
    this.#keys.ensure(size)
    const sums = this.#counts.ensure(size)
    const lists = this.#lists()
    const buckets = new Int32Array(from.length)
    let owner = -1
    let own: number[] = []
    let at = 0
    for (let i = 0; i < buckets.length; i++) {
      const key = keys[i]!
      if (mapped[i] !== owner) {
        owner = mapped[i]!
        own = lists[owner] ??= []
        at = 0
      }
      // Slices mostly have the same keys in the same order: only others are looked for.
      while (at < own.length && this.key(own[at]!) < key) at++
      const isNext = at < own.length && this.key(own[at]!) === key
      const bucket = isNext ? own[at++]! : this.#bucketOf(own, owner, key)
      sums[bucket] = sums[bucket]! + counts[i]!
      buckets[i] = bucket
    }
    return buckets
  }

  /** Buckets of an owning bucket, by ascending key. */
  of(owner: number): readonly number[] {
    const found = this.#lists()[owner] ?? []
    const { values } = this.#keys
    // Slices give their buckets in order: one slice's need no sort.
    const isSorted = found.every((at, i) => i === 0 || values[found[i - 1]!]! < values[at]!)
    return isSorted ? found : found.slice().sort((a, b) => values[a]! - values[b]!)
  }

  /** All as plain data, where they lie by owning bucket, each below a limit; null: they do not. */
  inOrder(ownerLimit: number): KeyedPartial | null {
    const { size } = this
    if (this.#byOwner !== null || this.owner(size - 1) >= ownerLimit) return null
    return {
      owners: this.#owners.packed(),
      keys: this.#keys.values.slice(0, size),
      counts: this.#counts.values.slice(0, size),
    }
  }

  /** Takes the first buckets as they are: none occurs twice, so that none is looked for. */
  #take(owners: Int32Array, keys: Float64Array, counts: Float64Array): Int32Array {
    this.#owners.values = owners
    this.#owners.length = owners.length
    this.#keys.values = keys.slice()
    this.#counts.values = counts.slice()
    this.#byOwner = null
    return firstNumbers(owners.length)
  }

  #lists(): (number[] | undefined)[] {
    if (this.#byOwner !== null) return this.#byOwner
    const lists: (number[] | undefined)[] = []
    for (let bucket = 0; bucket < this.size; bucket++)
      (lists[this.owner(bucket)] ??= []).push(bucket)
    this.#byOwner = lists
    return lists
  }

  #bucketOf(own: number[], owner: number, key: number): number {
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

/** The numbers from 0 on. */
function firstNumbers(count: number): Int32Array {
  const numbers = new Int32Array(count)
  for (let i = 0; i < count; i++) numbers[i] = i
  return numbers
}

/** Merges the buckets of slices; a shard gives all. */
export class SliceKeyed implements SliceReducer {
  readonly #buckets = new KeyedBuckets()

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#buckets.add(own as KeyedPartial, owners)
  }

  close(owners: Int32Array): { own: KeyedPartial; buckets: Int32Array } {
    const stays = owners.every((owner, i) => owner === i)
    const own = stays ? this.#buckets.inOrder(owners.length) : null
    if (own !== null) return { own, buckets: firstNumbers(own.owners.length) }
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
