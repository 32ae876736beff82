import { BucketTable } from '../bucket-table.ts'

const key = new Float64Array(1)
/** Halves of the key's bits. */
const bits = new Int32Array(key.buffer)

/** Numbers pairs of an owning bucket and a double in order of first sight. */
export class KeyTable {
  readonly #table: BucketTable

  /** @param charge charges memory before it is taken; absent: another has charged it */
  constructor(charge?: (bytes: number) => void) {
    this.#table = new BucketTable(charge)
  }

  /** Number of buckets. */
  get size(): number {
    return this.#table.size
  }

  /** The bucket of a key, a new one at first sight. Of the two zeros there is one bucket. */
  bucketOf(owner: number, of: number): number {
    key[0] = of === 0 ? 0 : of
    return this.#table.bucketOf(owner, bits[1]!, bits[0]!)
  }

  /** A new bucket that `bucketOf` does not find: another of the same key may exist. */
  append(owner: number, of: number): number {
    key[0] = of === 0 ? 0 : of
    return this.#table.append(owner, bits[1]!, bits[0]!)
  }

  /** Owners and keys by bucket. */
  packed(): { readonly owners: Int32Array; readonly keys: Float64Array } {
    const { owners, highs, lows } = this.#table.packed()
    const keys = new Float64Array(owners.length)
    const halves = new Int32Array(keys.buffer)
    for (let bucket = 0; bucket < owners.length; bucket++) {
      halves[2 * bucket] = lows[bucket]!
      halves[2 * bucket + 1] = highs[bucket]!
    }
    return { owners, keys }
  }
}
