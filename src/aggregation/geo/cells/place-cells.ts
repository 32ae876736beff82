import type { GeoBox } from '../../../search/scorer/geo-area.ts'
import { decodedPlace } from '../../../search/scorer/place-values.ts'
import type { CellEncoder } from './cell-grid.ts'
import { CELL_GRIDS, type CellGridName } from './cell-grids.ts'

/** The cells that places fall into: plain data. */
export interface CellPlan {
  readonly grid: CellGridName
  readonly precision: number
  /** Only places in one of these boxes fall into cells; null: all. */
  readonly bounds: readonly GeoBox[] | null
}

/** Finds the cells of those places that lie within the bounds. */
export class PlaceCells {
  readonly #bounds: readonly GeoBox[] | null
  readonly #encoder: CellEncoder

  constructor({ grid, precision, bounds }: CellPlan) {
    this.#bounds = bounds
    this.#encoder = CELL_GRIDS[grid].encoder(precision)
  }

  /** Upper half of the cell found last. */
  get high(): number {
    return this.#encoder.high
  }

  /** Its lower half. */
  get low(): number {
    return this.#encoder.low
  }

  /**
   * Finds the cell of a place.
   * @param lat quantised latitude, a signed integer of 32 bits; `lon` likewise
   * @returns false: the place lies outside the bounds
   */
  find(lat: number, lon: number): boolean {
    if (this.#bounds !== null && !isWithin(this.#bounds, lat, lon)) return false
    this.#encoder.encode(lat, lon)
    return true
  }
}

/** Whether a place of quantised coordinates lies in one of some boxes. */
export function isWithin(boxes: readonly GeoBox[], lat: number, lon: number): boolean {
  const place = decodedPlace(lat, lon)
  return boxes.some(
    ({ south, north, west, east }) =>
      place.lat >= south && place.lat <= north && place.lon >= west && place.lon <= east,
  )
}
