/** Counts, extremes and exact sums of a leaf's column by owning bucket, in scratch. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { decodePoint } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type Exponents, exponentsOf } from '../exact-sum.ts'
import type { NumberSource } from '../value-source.ts'
import { BATCH_RECORD_BYTES, BatchRecord } from './batch-record.ts'
import { ENCODINGS, RAW } from './column-batch.ts'

/** Owning buckets that there is room for. */
const MAX_OWNERS = 1 << 14
const MAX_CHUNKS = 3
/** Bits of one chunk of a sum: 2¹⁶ values and more are added to an owning bucket's before it is emptied. */
const MAX_CHUNK_BITS = 36
/** Bits that a double holds exactly in either direction. */
const EXACT_BITS = 52
const OWNER_BYTES = 4 + 8 + 8 + 8 * MAX_CHUNKS
/** Exponents of values for which rounding to a chunk's unit neither overflows nor is denormal. */
const MIN_EXPONENT = -900
const MAX_EXPONENT = 900

/** Scratch of one reader of moments, beside its column. */
export const MOMENTS_BYTES: number = BATCH_RECORD_BYTES + OWNER_BYTES * MAX_OWNERS + 5 * 64

/** Figures that are asked for beside counts. */
export interface MomentsAsked {
  readonly sums: boolean
  readonly extremes: boolean
}

/** Receives what the values of an owning bucket have come to since the last time. */
export type MomentsVisit = (
  owner: number,
  count: number,
  min: number,
  max: number,
  /** Parts of the sum of integers not yet divided by their scale, or of decoded numbers. */
  chunks: Float64Array,
) => void

/** Adds up one column of a leaf. */
export class MomentsBatch {
  readonly #leaf: Leaf
  readonly #record: BatchRecord
  readonly #owners: number
  readonly #counts: Uint32Array
  readonly #mins: Float64Array
  readonly #maxs: Float64Array
  readonly #sums: Float64Array
  readonly #chunks: Float64Array
  /** Values that may be added to one sum before it must be emptied. */
  readonly #maxValues: number
  /** No sum has more. */
  #added = 0

  /**
   * Null where the kernel does not read the values, a chunk would be rounded, or there is no scratch.
   * @param asks       whether sums and extremes are asked for
   * @param ownerLimit of owning buckets
   */
  static of(
    leaf: Leaf,
    reader: NumericValuesReader | null,
    source: NumberSource,
    asks: MomentsAsked,
    ownerLimit: number,
  ): MomentsBatch | null {
    const { sums } = asks
    if (reader === null || source.missing !== null || source.isNanos) return null
    // How many values a batch has is known of single ones alone.
    if (reader.multiValued && sums) return null
    if (!(ownerLimit <= MAX_OWNERS) || ENCODINGS[source.encoding] === undefined) return null
    if (Number.isNaN(decodePoint(reader.minHi, reader.minLo, source.encoding))) return null
    if (Number.isNaN(decodePoint(reader.maxHi, reader.maxLo, source.encoding))) return null
    const bits = sums ? exponentsIn(reader, source) : { min: 0, max: -1 }
    if (bits === null) return null
    const span = bits.max + 1 - bits.min
    const chunks = Math.ceil(span / MAX_CHUNK_BITS)
    if (chunks > MAX_CHUNKS) return null
    const mark = leaf.scratch.mark()
    const record = BatchRecord.of(leaf, reader)
    const bytes = 8 * (2 + chunks) * ownerLimit + 8 * MAX_CHUNKS + 4 * ownerLimit
    const at = record === null ? -1 : leaf.scratch.tryAllocate(bytes)
    if (record !== null && at >= 0) {
      record.set('encoding', encodingOf(reader, source))
      return new MomentsBatch(leaf, record, asks, at, ownerLimit, chunks, bits)
    }
    leaf.scratch.release(mark)
    return null
  }

  private constructor(
    leaf: Leaf,
    record: BatchRecord,
    { extremes }: MomentsAsked,
    at: number,
    owners: number,
    chunks: number,
    bits: Exponents,
  ) {
    const { f64, u32 } = leaf.views
    const doublesAt = (address: number, count: number): Float64Array =>
      f64.subarray(address >> 3, (address >> 3) + count)
    const maxs = at + 8 * owners
    const sums = maxs + 8 * owners
    const rounders = sums + 8 * chunks * owners
    const counts = rounders + 8 * MAX_CHUNKS
    this.#leaf = leaf
    this.#record = record
    this.#owners = owners
    this.#mins = doublesAt(at, owners)
    this.#maxs = doublesAt(maxs, owners)
    this.#sums = doublesAt(sums, chunks * owners)
    this.#counts = u32.subarray(counts >> 2, (counts >> 2) + owners)
    this.#chunks = new Float64Array(chunks)
    const width = chunks === 0 ? 0 : Math.ceil((bits.max + 1 - bits.min) / chunks)
    this.#maxValues = chunks === 0 ? Number.POSITIVE_INFINITY : 2 ** (EXACT_BITS - width)
    const table = doublesAt(rounders, MAX_CHUNKS)
    // A chunk's unit is 2^width times that of the next one, the last one's that of the values.
    for (let i = 0; i < MAX_CHUNKS; i++)
      table[i] = i < chunks - 1 ? 1.5 * 2 ** (EXACT_BITS + bits.min + width * (chunks - 1 - i)) : 0
    record.set('mins', at)
    record.set('maxs', maxs)
    record.set('sums', sums)
    record.set('chunks', chunks)
    record.set('extremes', extremes ? 1 : 0)
    record.set('rounders', rounders)
    record.set('counts', counts)
    record.set('ownerLimit', owners)
    this.#clear()
  }

  /** Adds the values of a batch's documents. @param visit called where sums must be emptied first */
  add(batch: BucketBatch, visit: MomentsVisit): void {
    const room = this.#maxValues - batch.count
    if (this.#added > room) this.#added = this.#maxCount()
    if (this.#added > room) this.empty(visit)
    this.#added += batch.count
    this.#record.point(batch)
    this.#leaf.kernels.addMoments(this.#record.address)
  }

  /** Hands over all that was added since the last time. */
  empty(visit: MomentsVisit): void {
    const { length } = this.#chunks
    for (let owner = 0; owner < this.#owners; owner++) {
      const count = this.#counts[owner]!
      if (count === 0) continue
      for (let i = 0; i < length; i++) this.#chunks[i] = this.#sums[owner * length + i]!
      visit(owner, count, this.#mins[owner]!, this.#maxs[owner]!, this.#chunks)
    }
    this.#clear()
  }

  #maxCount(): number {
    let max = 0
    for (let owner = 0; owner < this.#owners; owner++) max = Math.max(max, this.#counts[owner]!)
    return max
  }

  #clear(): void {
    this.#added = 0
    this.#counts.fill(0)
    this.#mins.fill(Number.POSITIVE_INFINITY)
    this.#maxs.fill(Number.NEGATIVE_INFINITY)
    this.#sums.fill(0)
  }
}

/** Of sortable doubles those from 0 on are the doubles themselves. */
function encodingOf({ minHi }: NumericValuesReader, { encoding }: NumberSource): number {
  return encoding === 'double' && minHi >= 0 ? RAW : ENCODINGS[encoding]!
}

/** Exponents of a leaf's values as they are summed; null: some are not finite, or too far apart. */
function exponentsIn(reader: NumericValuesReader, { encoding }: NumberSource): Exponents | null {
  const min = decodePoint(reader.minHi, reader.minLo, encoding)
  const max = decodePoint(reader.maxHi, reader.maxLo, encoding)
  if (!Number.isFinite(min) || !Number.isFinite(max)) return null
  if (encoding === 'long') {
    const size = Math.max(Math.abs(min), Math.abs(max), 1)
    return size >= 2 ** EXACT_BITS ? null : { min: 0, max: exponentsOf(size).max }
  }
  const found = reader.exponents() ?? { min: 0, max: 0 }
  return found.min < MIN_EXPONENT || found.max > MAX_EXPONENT ? null : found
}
