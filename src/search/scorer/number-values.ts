import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { decodePoint, type PointEncoding } from './point-encoding.ts'

/** A field's numbers by document: where they are, and what their integers stand for. */
export interface NumberColumn {
  readonly field: string
  readonly encoding: PointEncoding
  /** Divisor of the decoded number; 1 except for scaled floats. */
  readonly scale: number
}

/** Reads a document's numbers as doubles; longs past 2⁵³ are rounded. */
export class NumberValues {
  readonly #reader: NumericValuesReader | null
  readonly #encoding: PointEncoding
  readonly #scale: number
  /** Index of the value that the reader has selected. */
  #selected = 0

  /** @param reader null: no document of the leaf has a value */
  constructor(reader: NumericValuesReader | null, { encoding, scale }: NumberColumn) {
    this.#reader = reader
    this.#encoding = encoding
    this.#scale = scale
  }

  /** Moves to a document, in any order, and returns how many values it has. */
  open(docId: number): number {
    const reader = this.#reader
    this.#selected = 0
    return reader?.advanceExact(docId) === true ? reader.valueCount() : 0
  }

  /** A value of the document, ascending. @param index below what `open` returned */
  value(index: number): number {
    const reader = this.#reader!
    if (index !== this.#selected) {
      reader.select(index)
      this.#selected = index
    }
    const value = decodePoint(reader.hi(), reader.lo(), this.#encoding)
    return this.#scale === 1 ? value : value / this.#scale
  }
}
