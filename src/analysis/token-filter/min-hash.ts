/** Min-hash signatures: of all terms' hashes the least in each bucket. */

import { murmur128 } from '../../util/murmur128.ts'
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Options of `min_hash`; all are 1 or more. */
export interface MinHashOptions {
  readonly hashCount: number
  readonly bucketCount: number
  /** How many hashes a bucket keeps. */
  readonly hashSetSize: number
  /** Whether an empty bucket takes the next full one's; for sets of one. */
  readonly rotates: boolean
}

/** A hash as one number, the second half of the murmur hash above. */
type Bucket = bigint[]

const MASK = (1n << 64n) - 1n

/** Replaces the stream by the smallest hashes of its terms. */
export class MinHashFilter extends TokenFilter {
  readonly #options: MinHashOptions
  readonly #bucketSize: number
  /** The hashes of numbers that tell the hash functions apart. */
  readonly #salts: readonly (readonly [bigint, bigint])[]
  /** Per hash function, ascending in each bucket; what is not there is empty. */
  #buckets: Map<number, Bucket>[] = []
  readonly #end = new TokenState()
  #isRead = false
  #hash = 0
  #bucket = 0

  constructor(input: TokenStream, options: MinHashOptions) {
    super(input)
    this.#options = options
    this.#bucketSize = Math.ceil(2 ** 32 / options.bucketCount)
    this.#salts = Array.from({ length: options.hashCount }, (_, i) => {
      const bytes = new Uint8Array(4)
      new DataView(bytes.buffer).setInt32(0, i)
      return murmur128(bytes)
    })
  }

  next(): boolean {
    const { hashCount, bucketCount } = this.#options
    const { token } = this
    let increment = 0
    if (!this.#isRead) {
      if (!this.#readAll()) return false
      increment = 1
    }
    for (; this.#hash < hashCount; this.#hash++, this.#bucket = 0)
      for (; this.#bucket < bucketCount; this.#bucket++) {
        const hash = this.#buckets[this.#hash]?.get(this.#bucket)?.shift()
        if (hash === undefined) continue
        token.clear()
        token.term = this.#term(hash)
        token.positionIncrement = increment
        token.endOffset = this.#lastEndOffset
        token.type = 'MIN_HASH'
        return true
      }
    return false
  }

  #lastEndOffset = 0

  #readAll(): boolean {
    const { token, input } = this
    this.#isRead = true
    this.#buckets = this.#salts.map(() => new Map<number, Bucket>())
    let isFound = false
    while (input.next()) {
      isFound = true
      this.#lastEndOffset = token.endOffset
      const [first, second] = murmur128(Buffer.from(token.term, 'utf16le'))
      for (const [i, salt] of this.#salts.entries()) {
        const low = (first * 37n + salt[0]) & MASK
        const high = (second * 37n + salt[1]) & MASK
        this.#add(this.#buckets[i]!, Math.floor(Number(high >> 32n) / this.#bucketSize), high, low)
      }
    }
    input.end()
    this.#end.copyFrom(token)
    if (isFound && this.#options.rotates && this.#options.hashSetSize === 1) this.#rotate()
    return isFound
  }

  #add(buckets: Map<number, Bucket>, index: number, high: bigint, low: bigint): void {
    const hash = (high << 64n) | low
    let bucket = buckets.get(index)
    if (bucket === undefined) buckets.set(index, (bucket = []))
    if (bucket.length >= this.#options.hashSetSize) {
      if (hash >= bucket[bucket.length - 1]!) return
      // As in Lucene the last one goes even where this hash turns out to be there already.
      bucket.pop()
    }
    let at = 0
    while (at < bucket.length && bucket[at]! < hash) at++
    if (bucket[at] !== hash) bucket.splice(at, 0, hash)
  }

  #rotate(): void {
    const { bucketCount } = this.#options
    for (const buckets of this.#buckets) {
      // An empty bucket takes what the next full one behind it has, around the end.
      const full = [...buckets].sort(([a], [b]) => a - b)
      let behind = 0
      for (let index = 0; index < bucketCount; index++) {
        if (full[behind]?.[0] === index) behind++
        else buckets.set(index, [(full[behind] ?? full[0]!)[1][0]!])
      }
    }
  }

  #term(hash: bigint): string {
    const { hashCount } = this.#options
    const units: number[] = []
    if (hashCount > 1) units.push(this.#hash >>> 16, this.#hash & 0xffff)
    const words = hashCount > 1 ? 6 : 8
    for (let i = 0; i < words; i++) units.push(Number((hash >> BigInt(112 - 16 * i)) & 0xffffn))
    return String.fromCharCode(...units)
  }

  override end(): void {
    if (this.#isRead) this.token.copyFrom(this.#end)
    else super.end()
  }

  override reset(): void {
    super.reset()
    this.#isRead = false
    this.#hash = 0
    this.#bucket = 0
    this.#lastEndOffset = 0
  }
}
