import type { NumericValuesReader } from '../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../search/collector/gather.ts'
import type { PointEncoding } from '../search/scorer/point-encoding.ts'
import type { Leaf } from '../segment/leaf.ts'

/** Offsets of the record that the kernel reads, as in `kernels/assembly/column-batch.ts`. */
const RECORD = {
  presence: 0,
  ranks: 4,
  blocks: 8,
  data: 12,
  addresses: 16,
  docs: 20,
  count: 24,
  capacity: 28,
  indexes: 32,
  highs: 36,
  lows: 40,
  doubles: 44,
  encoding: 48,
  scale: 56,
} as const
const RECORD_BYTES = 64

/** Values of a batch that there is room for. */
const CAPACITY = 2 * BATCH_DOCS

/** Scratch of one column: the record, the documents, and their values in each form. */
export const COLUMN_BATCH_BYTES: number = RECORD_BYTES + 4 * BATCH_DOCS + 20 * CAPACITY + 64

/** Encodings that the kernel decodes, by the number that it knows them by. */
const ENCODINGS: { readonly [E in PointEncoding]?: number } = { long: 0, double: 1, float: 2 }

/** Reads the values of a leaf's column with a kernel, in scratch that lives until the part's end. */
export class ColumnBatch {
  /** Views of the values that were read last. */
  readonly index: Int32Array
  readonly high: Int32Array
  readonly low: Uint32Array
  /** The same as signed integers. */
  readonly ords: Int32Array
  /** Null: the kernel does not decode them. */
  readonly doubles: Float64Array | null
  readonly #leaf: Leaf
  readonly #record: number
  readonly #docs: number

  /**
   * Null where the column has no blocks, or there is no scratch.
   * @param encoding of numbers that are decoded; null: integers are all that is read
   */
  static of(
    leaf: Leaf,
    reader: NumericValuesReader,
    encoding: PointEncoding | null,
    scale: number,
  ): ColumnBatch | null {
    if (!reader.hasBlocks || reader.totalValueCount === 0) return null
    const at = leaf.scratch.tryAllocate(COLUMN_BATCH_BYTES)
    return at < 0 ? null : new ColumnBatch(leaf, reader, encoding, scale, at)
  }

  private constructor(
    leaf: Leaf,
    reader: NumericValuesReader,
    encoding: PointEncoding | null,
    scale: number,
    at: number,
  ) {
    const { i32, u32, f64 } = leaf.views
    const docs = at + RECORD_BYTES
    const indexes = docs + 4 * BATCH_DOCS
    const highs = indexes + 4 * CAPACITY
    const lows = highs + 4 * CAPACITY
    const doubles = lows + 4 * CAPACITY
    const number = encoding === null ? undefined : ENCODINGS[encoding]
    this.#leaf = leaf
    this.#record = at
    this.#docs = docs >> 2
    this.index = i32.subarray(indexes >> 2, (indexes >> 2) + CAPACITY)
    this.high = i32.subarray(highs >> 2, (highs >> 2) + CAPACITY)
    this.low = u32.subarray(lows >> 2, (lows >> 2) + CAPACITY)
    this.ords = i32.subarray(lows >> 2, (lows >> 2) + CAPACITY)
    this.doubles =
      number === undefined ? null : f64.subarray(doubles >> 3, (doubles >> 3) + CAPACITY)
    const column = reader.addresses()
    const set = (offset: number, value: number): void => {
      i32[(at + offset) >> 2] = value
    }
    set(RECORD.presence, column.presence)
    set(RECORD.ranks, column.ranks)
    set(RECORD.blocks, column.blocks)
    set(RECORD.data, column.data)
    set(RECORD.addresses, column.values)
    set(RECORD.docs, docs)
    set(RECORD.capacity, CAPACITY)
    set(RECORD.indexes, indexes)
    set(RECORD.highs, highs)
    set(RECORD.lows, lows)
    set(RECORD.doubles, this.doubles === null ? 0 : doubles)
    set(RECORD.encoding, number ?? 0)
    f64[(at + RECORD.scale) >> 3] = scale
  }

  /** Reads the values of documents; their number, −1 when there is no room for them. */
  read(docs: Int32Array, count: number): number {
    const { views, kernels } = this.#leaf
    views.i32.set(docs.length === count ? docs : docs.subarray(0, count), this.#docs)
    views.i32[(this.#record + RECORD.count) >> 2] = count
    return kernels.readColumn(this.#record)
  }
}
