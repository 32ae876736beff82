import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import type { Place } from '../../util/geo-distance.ts'

const LAT_STEP = 180 / 2 ** 32
const LON_STEP = 360 / 2 ** 32

/** Reads a document's places from doc values. */
export class PlaceValues {
  readonly #reader: NumericValuesReader | null

  /** @param reader null: no document of the leaf has a value */
  constructor(reader: NumericValuesReader | null) {
    this.#reader = reader
  }

  /** Moves to a document, in any order, and returns how many places it has. */
  open(docId: number): number {
    const reader = this.#reader
    return reader?.advanceExact(docId) === true ? reader.valueCount() : 0
  }

  /** A place of the document. @param index below what `open` returned */
  value(index: number): Place {
    const reader = this.#reader!
    reader.select(index)
    return decodedPlace(reader.hi(), reader.lo())
  }

  /** A place's quantised coordinates as unsigned words. @param index below what `open` returned */
  words(index: number): readonly [lat: number, lon: number] {
    const reader = this.#reader!
    reader.select(index)
    return [(reader.hi() ^ 0x80000000) >>> 0, (reader.lo() ^ 0x80000000) >>> 0]
  }
}

/** The place of two quantised coordinates, signed integers of 32 bits or their bits. */
export function decodedPlace(lat: number, lon: number): Place {
  return { lat: (lat | 0) * LAT_STEP, lon: (lon | 0) * LON_STEP }
}
