/** Buckets by owning bucket and key: open addressing over typed arrays. */
import { Ints } from './columns.ts'

/** Memory of a bucket: its key, its slots, its count and those of a child. */
const BUCKET_BYTES = 48
/** Appended buckets that memory is charged for at once. */
const APPENDED_AT_ONCE = 64

function uncharged(): void {}

/** Numbers pairs of an owner and a key of 64 bits in order of first sight. */
export class BucketTable {
  readonly #owners = new Ints()
  readonly #highs = new Ints()
  readonly #lows = new Ints()
  readonly #charge: (bytes: number) => void
  /** Bucket + 1 by slot; 0: free. */
  #slots = new Int32Array(16)

  /** @param charge charges memory before it is taken; absent: another has charged it */
  constructor(charge: (bytes: number) => void = uncharged) {
    this.#charge = charge
  }

  /** Number of buckets. */
  get size(): number {
    return this.#owners.length
  }

  /** The bucket of a key, a new one at first sight. */
  bucketOf(owner: number, high: number, low: number): number {
    const { values: owners } = this.#owners
    const { values: highs } = this.#highs
    const { values: lows } = this.#lows
    const lowInt = low | 0
    const highInt = high | 0
    const mask = this.#slots.length - 1
    for (let slot = hash(owner, highInt, lowInt) & mask; ; slot = (slot + 1) & mask) {
      const bucket = this.#slots[slot]! - 1
      if (bucket < 0) return this.#add(slot, owner, highInt, lowInt)
      if (lows[bucket] === lowInt && highs[bucket] === highInt && owners[bucket] === owner)
        return bucket
    }
  }

  /** A new bucket that `bucketOf` does not find: another of the same key may exist. */
  append(owner: number, high: number, low: number): number {
    const bucket = this.size
    if (bucket % APPENDED_AT_ONCE === 0) this.#charge(BUCKET_BYTES * APPENDED_AT_ONCE)
    this.#owners.push(owner)
    this.#highs.push(high)
    this.#lows.push(low)
    return bucket
  }

  owner(bucket: number): number {
    return this.#owners.values[bucket]!
  }

  /** Signed upper half of a bucket's key. */
  high(bucket: number): number {
    return this.#highs.values[bucket]!
  }

  /** Unsigned lower half. */
  low(bucket: number): number {
    return this.#lows.values[bucket]! >>> 0
  }

  /** All pairs as plain data, by bucket. */
  packed(): BucketKeys {
    return {
      owners: this.#owners.packed(),
      highs: this.#highs.packed(),
      lows: this.#lows.packed(),
    }
  }

  #add(slot: number, owner: number, high: number, low: number): number {
    const bucket = this.size
    this.#owners.push(owner)
    this.#highs.push(high)
    this.#lows.push(low)
    this.#slots[slot] = bucket + 1
    if (2 * this.size > this.#slots.length) this.#grow()
    return bucket
  }

  #grow(): void {
    // Appended buckets take no slot until now, however many they are.
    let length = this.#slots.length
    while (length < 2 * this.size) length *= 2
    this.#charge(BUCKET_BYTES * (length - this.#slots.length))
    const slots = new Int32Array(length)
    const mask = slots.length - 1
    for (let bucket = 0; bucket < this.size; bucket++) {
      let slot = hash(this.owner(bucket), this.high(bucket), this.#lows.values[bucket]!) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = bucket + 1
    }
    this.#slots = slots
  }
}

/** Owners and keys of buckets in order: plain data. */
export interface BucketKeys {
  readonly owners: Int32Array
  /** Signed upper halves of the keys. */
  readonly highs: Int32Array
  /** Lower halves as signed integers. */
  readonly lows: Int32Array
}

function hash(owner: number, high: number, low: number): number {
  let mixed =
    Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b) ^ Math.imul(owner, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
