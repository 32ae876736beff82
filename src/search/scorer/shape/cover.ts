import type { WordBox } from '../../../codec/triangles/reader.ts'
import type { Corners } from '../../../schema/geo-shape/corners.ts'
import { quantised } from '../../../schema/geo-shape/quantised.ts'
import type { DegreeBox } from './component.ts'

/** The box around corners. */
export function coverOfCorners({ lons, lats }: Corners): DegreeBox {
  return {
    west: lons.reduce((a, b) => Math.min(a, b)),
    east: lons.reduce((a, b) => Math.max(a, b)),
    south: lats.reduce((a, b) => Math.min(a, b)),
    north: lats.reduce((a, b) => Math.max(a, b)),
  }
}

/** A box of quantised coordinates that is no smaller. */
export function wordsOfBox({ west, east, south, north }: DegreeBox): WordBox {
  return {
    west: word(quantised(west, 360) - 1),
    east: word(quantised(east, 360) + 1),
    south: word(quantised(south, 180) - 1),
    north: word(quantised(north, 180) + 1),
  }
}

function word(coordinate: number): number {
  return Math.min(Math.max(coordinate, -2147483648), 2147483647) + 2147483648
}
