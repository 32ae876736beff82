/** Comparisons of one query with rows of a leaf, by the kernel where scratch has room, else by its twin. */
import type { VectorElement } from '../../schema/knn-vector/vector-space.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { QueryVector } from './comparison.ts'

/** Rows that are compared at once. */
export const ROWS_AT_ONCE = 256

/** The kernel's number of products of bytes, whose query has two bytes for each component. */
const PRODUCT_OF_BYTES = 4

/** Bytes of the kernel's record (`kernels/assembly/vectors.ts`), and of a list of numbers. */
const RECORD_BYTES = 64
const LIST_BYTES = 4 * ROWS_AT_ONCE

/** Rows in a leaf's memory, and how a query is compared with one of them. */
export interface ComparedRows {
  /** The kernel's number of the comparison. */
  readonly kind: number
  /** Address, a multiple of 16. */
  readonly rows: number
  readonly rowBytes: number
  /** Compares the query with one row without kernels, with the same result. */
  readonly twin: (ord: number) => number
}

/** Bytes of scratch that a postings iterator is counted with. */
export const BYTES_OF_POSTINGS = 2048

/** Scratch for comparing a vector and its codes, as a number of postings iterators. */
export function postingsOfVector(element: VectorElement, length: number): number {
  const rowBytes = 32 + (element === 'float' ? 4 : 2) * length
  const bytes = RECORD_BYTES + aligned(rowBytes) + 2 * LIST_BYTES + 64
  return Math.ceil((2 * bytes) / BYTES_OF_POSTINGS)
}

/** A query against rows of a leaf. */
export class RowComparison {
  /** The results of the last call lie here, from `#first` on. */
  readonly #numbers: Float32Array | Int32Array
  readonly #first: number
  readonly #rows: ComparedRows
  readonly #leaf: Leaf
  /** Address of the kernel's record; −1: there was no room. */
  readonly #record: number
  readonly #ords: number

  constructor(leaf: Leaf, rows: ComparedRows, query: QueryVector) {
    this.#leaf = leaf
    this.#rows = rows
    const { scratch, views } = leaf
    const { rowBytes } = rows
    const isWide = rows.kind === PRODUCT_OF_BYTES
    const queryBytes = aligned(isWide ? 2 * rowBytes : rowBytes)
    const record = scratch.tryAllocate(RECORD_BYTES + queryBytes + 2 * LIST_BYTES)
    const own = record + RECORD_BYTES
    this.#record = record
    this.#ords = own + queryBytes
    if (record < 0) {
      this.#numbers = new Float32Array(ROWS_AT_ONCE)
      this.#first = 0
      return
    }
    const out = this.#ords + LIST_BYTES
    this.#numbers = query instanceof Float32Array ? views.f32 : views.i32
    this.#first = out >> 2
    views.u8.fill(0, own, own + queryBytes)
    if (query instanceof Float32Array) views.f32.set(query, own >> 2)
    else if (isWide) new Int16Array(views.u8.buffer, own, query.length).set(query)
    else views.u8.set(new Uint8Array(query.buffer, query.byteOffset, query.length), own)
    views.i32.set([rows.kind, own, rows.rows, rowBytes, 0, 0, 0, out], record >> 2)
  }

  /**
   * Compares rows, at most `ROWS_AT_ONCE`.
   * @param ords the first `count` of them; null: the run from `first` on
   */
  compare(ords: Int32Array | null, first: number, count: number): void {
    if (this.#record < 0) {
      for (let i = 0; i < count; i++)
        this.#numbers[i] = this.#rows.twin(ords === null ? first + i : ords[i]!)
      return
    }
    const { views, kernels } = this.#leaf
    const word = (this.#record >> 2) + 4
    if (ords !== null)
      views.i32.set(count === ords.length ? ords : ords.subarray(0, count), this.#ords >> 2)
    views.i32[word] = ords === null ? 0 : this.#ords
    views.i32[word + 1] = first
    views.i32[word + 2] = count
    kernels.compareVectors(this.#record)
  }

  /** A result of the last call, by index: float32. */
  result(index: number): number {
    return Math.fround(this.#numbers[this.#first + index]!)
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 64) * 64
}
