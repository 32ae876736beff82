import type { NumericValuesReader, OrdinalsReader } from '../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../search/collector/gather.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { BucketBatch } from './bucket-batch.ts'
import { NO_INTS } from './columns.ts'
import { ColumnBatch } from './kernel/column-batch.ts'
import type { TermSource } from './value-source.ts'

/** Stands for the value of documents that have none. */
export const MISSING_ORD = -1

/** The ordinals of the documents of a batch, read at once: pairs of a document's index and an ord. */
export class OrdinalColumn {
  /** Number of ordinals. */
  count = 0
  /** The index in the batch of each ordinal's document, ascending. */
  index: Int32Array = NO_INTS
  /** Ords in the leaf's dictionary, or `MISSING_ORD`. */
  ords: Int32Array = NO_INTS
  readonly #source: TermSource
  #reader: OrdinalsReader | null = null
  /** Null: ordinals are read one by one. */
  #batch: ColumnBatch | null = null
  /** Arrays of ordinals that are read one by one, which most searches never do. */
  #own = { index: this.index, ords: this.ords }

  constructor(source: TermSource) {
    this.#source = source
  }

  openLeaf(leaf: Leaf): void {
    const { field } = this.#source
    this.#reader = leaf.fieldInfo(field) === null ? null : leaf.ordinals(field)
    this.#batch =
      this.#reader === null || this.#source.missing !== null
        ? null
        : ColumnBatch.of(leaf, this.#reader.values, null, 1)
    if (this.#batch === null) this.#ownArrays()
  }

  get isEmpty(): boolean {
    return this.#reader === null && this.#source.missing === null
  }

  /** Whether some document of the leaf has several values. */
  get isMultiValued(): boolean {
    return this.#reader?.values.multiValued ?? false
  }

  /** The column, where documents without a value have none; null: there is none, or they have one. */
  get plainValues(): NumericValuesReader | null {
    return this.#source.missing === null ? (this.#reader?.values ?? null) : null
  }

  /** One more than the highest ord of the leaf. */
  get ordLimit(): number {
    const values = this.#reader?.values
    return values === undefined || values.docCount === 0 ? 0 : values.maxLo + 1
  }

  /** Reads the ordinals of a batch, ascending within a document. */
  read(batch: BucketBatch): void {
    const found = this.#batch?.read(batch) ?? -1
    if (found >= 0) {
      this.index = this.#batch!.index
      this.ords = this.#batch!.ords
      this.count = found
      return
    }
    this.#ownArrays()
    const { docs, count } = batch
    const reader = this.#reader
    const fillsMissing = this.#source.missing !== null
    let at = 0
    for (let i = 0; i < count; i++) {
      if (reader?.advanceExact(docs[i]!) === true) {
        const values = reader.valueCount()
        if (at + values > this.index.length) this.#grow(at + values)
        for (let k = 0; k < values; k++) {
          this.index[at] = i
          this.ords[at++] = reader.ord(k)
        }
      } else if (fillsMissing) {
        if (at === this.index.length) this.#grow(at + 1)
        this.index[at] = i
        this.ords[at++] = MISSING_ORD
      }
    }
    this.count = at
  }

  /** Leaves the arrays of a batch, which must not be written or grown. */
  #ownArrays(): void {
    this.index = this.#own.index
    this.ords = this.#own.ords
  }

  #grow(count: number): void {
    const capacity = Math.max(count, BATCH_DOCS, 2 * this.index.length)
    const index = new Int32Array(capacity)
    const ords = new Int32Array(capacity)
    index.set(this.index)
    ords.set(this.ords)
    this.#own = { index, ords }
    this.#ownArrays()
  }
}
