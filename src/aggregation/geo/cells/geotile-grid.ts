import { decodedPlace } from '../../../search/scorer/place-values.ts'
import type { DegreeBox } from '../../../search/scorer/shape/component.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { CellEncoder, CellGrid, CellLattice } from './cell-grid.ts'

/** Bits of each coordinate of a tile. */
const COORDINATE_BITS = 29
const COORDINATE_MASK = (1n << BigInt(COORDINATE_BITS)) - 1n

/** The grid of map tiles in Mercator's projection: a cell is its zoom, its column and its row. */
export const geotileGrid: CellGrid = {
  minPrecision: 0,
  maxPrecision: COORDINATE_BITS,
  defaultPrecision: 7,
  encoder: zoom => new TileEncoder(zoom),
  lattice: zoom => new TileEncoder(zoom),
  text(cell) {
    const zoom = cell >> BigInt(2 * COORDINATE_BITS)
    const x = (cell >> BigInt(COORDINATE_BITS)) & COORDINATE_MASK
    return `${zoom}/${x}/${cell & COORDINATE_MASK}`
  },
}

class TileEncoder implements CellEncoder, CellLattice {
  high = 0
  low = 0
  readonly #zoom: number
  readonly #tiles: number

  constructor(zoom: number) {
    this.#zoom = zoom
    this.#tiles = 2 ** zoom
  }

  encode(lat: number, lon: number): void {
    this.find(this.column(lon), this.row(lat))
  }

  column(lon: number): number {
    return this.#within(((decodedPlace(0, lon).lon + 180) / 360) * this.#tiles)
  }

  /** Rows run from north to south. */
  row(lat: number): number {
    const sine = Math.sin((decodedPlace(lat, 0).lat * Math.PI) / 180)
    return this.#within((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * this.#tiles)
  }

  find(column: number, row: number): void {
    this.high = (this.#zoom << (2 * COORDINATE_BITS - 32)) | (column >>> 3)
    this.low = ((column << COORDINATE_BITS) | row) >>> 0
  }

  box(
    [west, east]: readonly [number, number],
    [north, south]: readonly [number, number],
  ): DegreeBox {
    const lon = (column: number): number => (column / this.#tiles) * 360 - 180
    const lat = (row: number): number =>
      (Math.atan(Math.sinh(Math.PI - (2 * Math.PI * row) / this.#tiles)) * 180) / Math.PI
    return { west: lon(west), east: lon(east + 1), south: lat(south + 1), north: lat(north) }
  }

  /** The tile that a coordinate lies in; those beyond an edge lie in the last one. */
  #within(coordinate: number): number {
    return Math.max(0, Math.min(Math.floor(coordinate), this.#tiles - 1))
  }
}

/**
 * The cell of a tile's name, `zoom/x/y`.
 * @throws {IllegalArgumentError} it is none
 */
export function tileOf(text: string): bigint {
  const parts = text.split('/')
  if (parts.length !== 3 || !parts.every(part => /^[+-]?\d{1,10}$/.test(part)))
    throw new IllegalArgumentError(
      `Invalid geotile_grid hash string of ${text}. Must be three integers in a form "zoom/x/y".`,
    )
  const [zoom, x, y] = parts.map(Number) as [number, number, number]
  const { minPrecision, maxPrecision } = geotileGrid
  if (zoom < minPrecision || zoom > maxPrecision) throw invalidZoom(zoom)
  const tiles = 2 ** zoom
  if (x < 0 || x >= tiles || y < 0 || y >= tiles)
    throw new IllegalArgumentError(`Zoom/X/Y combination is not valid: ${zoom}/${x}/${y}`)
  return (
    (BigInt(zoom) << BigInt(2 * COORDINATE_BITS)) |
    (BigInt(x) << BigInt(COORDINATE_BITS)) |
    BigInt(y)
  )
}

/** The error of a zoom that no tile has. */
export function invalidZoom(zoom: number): IllegalArgumentError {
  const { minPrecision, maxPrecision } = geotileGrid
  return new IllegalArgumentError(
    `Invalid geotile_grid precision of ${zoom}. Must be between ${minPrecision} and ${maxPrecision}.`,
  )
}
