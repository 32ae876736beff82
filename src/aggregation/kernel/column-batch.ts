import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../../search/collector/gather.ts'
import type { PointEncoding } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { BATCH_RECORD_BYTES, BatchRecord } from './batch-record.ts'

/** Values of a batch that there is room for. */
const CAPACITY = 2 * BATCH_DOCS

const VALUE_BYTES = 20 * CAPACITY

/** Scratch of one column: its record, and the values in each form. */
export const COLUMN_BATCH_BYTES: number = BATCH_RECORD_BYTES + VALUE_BYTES + 64

/** Encodings that the kernels decode, by the number that they know them by. */
export const ENCODINGS: { readonly [E in PointEncoding]?: number } = {
  long: 0,
  double: 1,
  float: 2,
}

/** The encoding of values that kernels take as they are. */
export const RAW = -1

/** Reads the values of a leaf's column with a kernel, in scratch that lives as long as the leaf is open. */
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
  readonly #record: BatchRecord

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
    const mark = leaf.scratch.mark()
    const record = BatchRecord.of(leaf, reader)
    if (record === null) return null
    const values = leaf.scratch.tryAllocate(VALUE_BYTES)
    if (values >= 0) return new ColumnBatch(leaf, record, values, encoding, scale)
    leaf.scratch.release(mark)
    return null
  }

  private constructor(
    leaf: Leaf,
    record: BatchRecord,
    doubles: number,
    encoding: PointEncoding | null,
    scale: number,
  ) {
    const { i32, u32, f64 } = leaf.views
    const indexes = doubles + 8 * CAPACITY
    const highs = indexes + 4 * CAPACITY
    const lows = highs + 4 * CAPACITY
    const number = encoding === null ? undefined : ENCODINGS[encoding]
    this.#leaf = leaf
    this.#record = record
    this.index = i32.subarray(indexes >> 2, (indexes >> 2) + CAPACITY)
    this.high = i32.subarray(highs >> 2, (highs >> 2) + CAPACITY)
    this.low = u32.subarray(lows >> 2, (lows >> 2) + CAPACITY)
    this.ords = i32.subarray(lows >> 2, (lows >> 2) + CAPACITY)
    this.doubles =
      number === undefined ? null : f64.subarray(doubles >> 3, (doubles >> 3) + CAPACITY)
    record.set('capacity', CAPACITY)
    record.set('indexes', indexes)
    record.set('highs', highs)
    record.set('lows', lows)
    record.set('doubles', this.doubles === null ? 0 : doubles)
    record.set('encoding', number ?? 0)
    record.setDouble('scale', scale)
  }

  /** Reads the values of a batch's documents; their number, −1 when there is no room for them. */
  read(batch: BucketBatch): number {
    this.#record.point(batch)
    return this.#leaf.kernels.readColumn(this.#record.address)
  }
}
