import { decodedDegrees } from '../../../schema/geo-shape/quantised.ts'
import type { DegreeBox } from '../../../search/scorer/shape/component.ts'
import { geohashOfBits, MAX_GEOHASH_DIGITS } from '../../../util/geohash.ts'
import type { CellEncoder, CellGrid, CellLattice } from './cell-grid.ts'

/** The grid of geohashes: a cell is the bits of its digits, and their number in the lowest four bits. */
export const geohashGrid: CellGrid = {
  minPrecision: 1,
  maxPrecision: MAX_GEOHASH_DIGITS,
  defaultPrecision: 5,
  encoder: digits => new GeohashEncoder(digits),
  lattice: digits => new GeohashLattice(digits),
  text(cell) {
    const bits = BigInt.asUintN(64, cell)
    return geohashOfBits(bits >> 4n, Number(bits & 15n))
  },
}

class GeohashEncoder implements CellEncoder {
  high = 0
  low = 0
  readonly #digits: number

  constructor(digits: number) {
    this.#digits = digits
  }

  encode(lat: number, lon: number): void {
    // Bits of longitudes and of latitudes stand in turn, the highest first.
    const north = lat ^ 0x80000000
    const east = lon ^ 0x80000000
    const high = (spread(east >>> 16) << 1) | spread(north >>> 16)
    const low = (spread(east & 0xffff) << 1) | spread(north & 0xffff)
    // The digits keep 5 bits each, above the four of their number.
    const drop = 60 - 5 * this.#digits
    if (drop >= 32) {
      this.high = 0
      this.low = high >>> (drop - 32)
    } else {
      this.high = high >>> drop
      this.low = drop === 0 ? low : (low >>> drop) | (high << (32 - drop))
    }
    this.low = ((this.low & ~15) | this.#digits) >>> 0
  }
}

class GeohashLattice extends GeohashEncoder implements CellLattice {
  /** Quantised coordinates that a column has, and a row. */
  readonly #width: number
  readonly #height: number

  constructor(digits: number) {
    super(digits)
    this.#width = 2 ** (32 - Math.ceil((5 * digits) / 2))
    this.#height = 2 ** (32 - Math.floor((5 * digits) / 2))
  }

  column(lon: number): number {
    return Math.floor((lon + 2 ** 31) / this.#width)
  }

  row(lat: number): number {
    return Math.floor((lat + 2 ** 31) / this.#height)
  }

  box(
    [west, east]: readonly [number, number],
    [south, north]: readonly [number, number],
  ): DegreeBox {
    const lon = (column: number): number => decodedDegrees(column * this.#width - 2 ** 31, 360)
    const lat = (row: number): number => decodedDegrees(row * this.#height - 2 ** 31, 180)
    return { west: lon(west), east: lon(east + 1), south: lat(south), north: lat(north + 1) }
  }

  find(column: number, row: number): void {
    this.encode(row * this.#height - 2 ** 31, column * this.#width - 2 ** 31)
  }
}

/** Moves bit i of 16 to bit 2i. */
function spread(bits: number): number {
  let at = bits
  at = (at | (at << 8)) & 0x00ff00ff
  at = (at | (at << 4)) & 0x0f0f0f0f
  at = (at | (at << 2)) & 0x33333333
  return (at | (at << 1)) & 0x55555555
}
