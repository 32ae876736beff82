/** Grids of cells that cover the Earth. A cell is an integer of 64 bits that also tells its size. */

/** Finds the cells of places. */
export interface CellEncoder {
  /** The cell found last: its upper half, signed or unsigned. */
  readonly high: number
  /** Its lower half. */
  readonly low: number
  /** Finds the cell of a place. @param lat quantised latitude, a signed integer of 32 bits; `lon` likewise */
  encode(lat: number, lon: number): void
}

/** A grid. */
export interface CellGrid {
  readonly minPrecision: number
  readonly maxPrecision: number
  /** Of the cells that are asked for without one. */
  readonly defaultPrecision: number
  encoder(precision: number): CellEncoder
  /** The name of a cell. @param cell signed */
  text(cell: bigint): string
}
