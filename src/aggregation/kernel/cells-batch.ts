/** Counts and extremes of a leaf's numbers by cell, in scratch. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../../search/collector/gather.ts'
import { encodePoint } from '../../search/query/point-value.ts'
import { decodePoint } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { NumberSource } from '../value-source.ts'
import { BATCH_RECORD_BYTES, BatchRecord } from './batch-record.ts'
import { ENCODINGS } from './column-batch.ts'

/** Cells that there is room for. */
const MAX_CELLS = 1 << 14
const CELL_BYTES = 4 + 8 + 8
/** The cells, and a list of the numbers of a batch that lie in none. */
const ROOM_BYTES = CELL_BYTES * MAX_CELLS + 8 * BATCH_DOCS

/** Scratch of cells, beside their column. */
export const CELLS_BYTES: number = BATCH_RECORD_BYTES + ROOM_BYTES + 64

/** Cells that numbers have fallen into, ascending. */
export interface FoundCells {
  readonly level: number
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly counts: Float64Array
}

/** Counts the numbers of documents that all fell into one bucket. */
export class CellsBatch {
  readonly #leaf: Leaf
  readonly #record: BatchRecord
  readonly #at: number
  readonly #others: Float64Array
  /** The min and max number of the column, as sortable integers. */
  readonly #min: bigint
  readonly #max: bigint
  #level = -1
  #cells = 0

  /** Null where the kernel does not read the values, or there is no scratch. */
  static of(leaf: Leaf, reader: NumericValuesReader, source: NumberSource): CellsBatch | null {
    const { encoding, scale, missing, isNanos } = source
    const number = ENCODINGS[encoding]
    if (number === undefined || missing !== null || isNanos) return null
    if (reader.multiValued) return null
    const min = decodePoint(reader.minHi, reader.minLo, encoding) / scale
    const max = decodePoint(reader.maxHi, reader.maxLo, encoding) / scale
    if (Number.isNaN(min) || Number.isNaN(max)) return null
    const mark = leaf.scratch.mark()
    const record = BatchRecord.of(leaf, reader)
    const at = record === null ? -1 : leaf.scratch.tryAllocate(ROOM_BYTES)
    if (record !== null && at >= 0) {
      record.set('encoding', number)
      record.setDouble('scale', scale)
      return new CellsBatch(leaf, record, at, min, max)
    }
    leaf.scratch.release(mark)
    return null
  }

  private constructor(leaf: Leaf, record: BatchRecord, at: number, min: number, max: number) {
    this.#leaf = leaf
    this.#record = record
    this.#at = at
    const list = at + CELL_BYTES * MAX_CELLS
    this.#others = leaf.views.f64.subarray(list >> 3, (list >> 3) + BATCH_DOCS)
    record.set('doubles', list)
    this.#min = encodePoint(min, 'double')
    this.#max = encodePoint(max, 'double')
  }

  get isOpen(): boolean {
    return this.#level >= 0
  }

  /**
   * Opens empty cells.
   * @param level the lowest bits in which sortable numbers of a cell may differ, 0 to 63
   */
  open(level: number): void {
    const first = this.#min >> BigInt(level)
    const last = this.#max >> BigInt(level)
    // Numbers near the highest have cells: those around 0 are spread over more than there is room for.
    const cells = Math.min(MAX_CELLS, Number(last - first) + 1)
    const base = last - BigInt(cells - 1)
    const record = this.#record
    const { i32, u32 } = this.#leaf.views
    const extremes = this.#at
    const counts = extremes + 16 * cells
    this.#level = level
    this.#cells = cells
    record.setLong('base', base)
    record.set('shift', level)
    record.set('keys', cells)
    record.set('mins', extremes)
    record.set('counts', counts)
    u32.fill(0, counts >> 2, (counts >> 2) + cells)
    for (let at = extremes >> 2; at < counts >> 2; at += 4) {
      i32[at] = -1
      i32[at + 1] = 0x7fffffff
      i32[at + 2] = 0
      i32[at + 3] = -0x80000000
    }
  }

  /** Gives the cells up; others may be opened. */
  close(): void {
    this.#level = -1
  }

  /** Adds a batch; returns the numbers that lie in no cell. */
  add(batch: BucketBatch): Float64Array {
    this.#record.point(batch)
    const others = this.#leaf.kernels.countCells(this.#record.address)
    return this.#others.subarray(0, others)
  }

  /** How many cells have numbers. */
  filledCount(): number {
    const { u32 } = this.#leaf.views
    const start = (this.#at >> 2) + 4 * this.#cells
    let filled = 0
    for (let at = start; at < start + this.#cells; at++) if (u32[at] !== 0) filled++
    return filled
  }

  found(): FoundCells {
    // Of all cells few are filled: room for each would be page after page of new memory.
    const filled = this.filledCount()
    const mins = new Float64Array(filled)
    const maxs = new Float64Array(filled)
    const counts = new Float64Array(filled)
    this.#copyTo(new Int32Array(mins.buffer), new Int32Array(maxs.buffer), counts)
    return { level: this.#level, mins, maxs, counts }
  }

  #copyTo(mins: Int32Array, maxs: Int32Array, counts: Float64Array): void {
    const { u32, i32 } = this.#leaf.views
    const atExtremes = this.#at >> 2
    const atCounts = atExtremes + 4 * this.#cells
    let size = 0
    for (let cell = 0; size < counts.length; cell++) {
      const count = u32[atCounts + cell]!
      if (count === 0) continue
      const at = atExtremes + 4 * cell
      writeDouble(mins, size, i32[at]!, i32[at + 1]!)
      writeDouble(maxs, size, i32[at + 2]!, i32[at + 3]!)
      counts[size++] = count
    }
  }
}

/** Writes the double of a sortable integer: of negative ones all bits but that of the sign are turned. */
function writeDouble(words: Int32Array, index: number, low: number, high: number): void {
  const sign = high >> 31
  words[2 * index] = low ^ sign
  words[2 * index + 1] = high ^ (sign & 0x7fffffff)
}
