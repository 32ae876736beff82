import { doubleToSortable, sortable } from '../../codec/doc-values/sortable.ts'
import { arcDistance, planeDistance } from '../../util/geo-distance.ts'
import type { PlaceValues } from '../scorer/place-values.ts'
import type { DocNumbers } from './nested-numbers.ts'
import type { SortKey } from './sort-key.ts'

/** The distances of a document's places from each place of a level, ascending, as sortable doubles. */
export class DistanceNumbers implements DocNumbers {
  readonly #values: PlaceValues
  readonly #key: Extract<SortKey, { kind: 'distance' }>
  #distances: number[] = []
  #at = 0

  constructor(values: PlaceValues, key: Extract<SortKey, { kind: 'distance' }>) {
    this.#values = values
    this.#key = key
  }

  advanceExact(docId: number): boolean {
    const { places, metersPerUnit, isPlane } = this.#key
    const count = this.#values.open(docId)
    const distances = this.#distances
    distances.length = 0
    for (let i = 0; i < count; i++) {
      const place = this.#values.value(i)
      for (const from of places) {
        const meters = isPlane ? planeDistance(from, place) : arcDistance(from, place)
        distances.push(meters / metersPerUnit)
      }
    }
    if (distances.length > 1) distances.sort((a, b) => a - b)
    this.#at = 0
    return count > 0
  }

  valueCount(): number {
    return this.#distances.length
  }

  select(index: number): void {
    this.#at = index
  }

  hi(): number {
    doubleToSortable(this.#distances[this.#at]!)
    return sortable.hi
  }

  lo(): number {
    doubleToSortable(this.#distances[this.#at]!)
    return sortable.lo
  }
}
