/** Grids of cells that cover the Earth. A cell is an integer of 64 bits that also tells its size. */
import type { DegreeBox } from '../../../search/scorer/shape/component.ts'

/** Finds the cells of places. */
export interface CellEncoder {
  /** The cell found last: its upper half, signed or unsigned. */
  readonly high: number
  /** Its lower half. */
  readonly low: number
  /** Finds the cell of a place. @param lat quantised latitude, a signed integer of 32 bits; `lon` likewise */
  encode(lat: number, lon: number): void
}

/** The cells of one size in columns, from west to east, and rows. */
export interface CellLattice extends Pick<CellEncoder, 'high' | 'low'> {
  /** The column that a quantised longitude lies in, a signed integer of 32 bits. */
  column(lon: number): number
  /** The row that a quantised latitude lies in; those beyond the edge lie in the last one. */
  row(lat: number): number
  /** The box of cells; first and last columns and rows are in it. */
  box(columns: readonly [number, number], rows: readonly [number, number]): DegreeBox
  /** Finds the cell of a column and a row. */
  find(column: number, row: number): void
}

/** A grid. */
export interface CellGrid {
  readonly minPrecision: number
  readonly maxPrecision: number
  /** Of the cells that are asked for without one. */
  readonly defaultPrecision: number
  encoder(precision: number): CellEncoder
  /** Null: its cells stand in no columns and rows. */
  lattice(precision: number): CellLattice | null
  /** The name of a cell. @param cell signed */
  text(cell: bigint): string
}
