import { decodedPlace } from '../../../search/scorer/place-values.ts'
import { optionalPackage } from '../../../util/optional-package.ts'
import type { CellEncoder, CellGrid } from './cell-grid.ts'

/** The part of `h3-js` that is used. */
interface HexLibrary {
  /** The hexagon of a place in degrees, as hexadecimal digits. */
  latLngToCell(lat: number, lng: number, resolution: number): string
}

/** The grid of H3's hexagons, for which `h3-js` must be installed: a cell is its H3 index. */
export const geohexGrid: CellGrid = {
  minPrecision: 0,
  maxPrecision: 15,
  defaultPrecision: 5,
  encoder: resolution => new HexEncoder(resolution, hexLibrary()),
  lattice: () => null,
  text: cell => cell.toString(16),
}

/** @throws {IllegalArgumentError} the package is not installed */
export function hexLibrary(): HexLibrary {
  return optionalPackage<HexLibrary>('h3-js', 'geohex_grid')
}

class HexEncoder implements CellEncoder {
  high = 0
  low = 0
  readonly #resolution: number
  readonly #library: HexLibrary

  constructor(resolution: number, library: HexLibrary) {
    this.#resolution = resolution
    this.#library = library
  }

  encode(lat: number, lon: number): void {
    const place = decodedPlace(lat, lon)
    const digits = this.#library.latLngToCell(place.lat, place.lon, this.#resolution)
    this.high = Number.parseInt(digits.slice(0, -8), 16)
    this.low = Number.parseInt(digits.slice(-8), 16)
  }
}
