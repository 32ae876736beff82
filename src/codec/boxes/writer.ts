import { writePointBlocks } from '../point-blocks.ts'
import { tileOrder } from '../tile-order.ts'
import { BOXES_VERSION } from './format.ts'
import type { PlanePoints } from './plane-points.ts'

/**
 * Writes the boxes section of one field.
 * @param points in any order
 */
export function writeBoxes(points: PlanePoints, maxDoc: number): Uint8Array {
  const { docs, columns, wordCount, length: count } = points
  const order = tileOrder(docs, columns.slice(0, wordCount), columns.slice(wordCount), count)
  const boundWords = 4 * wordCount
  return writePointBlocks(
    { version: BOXES_VERSION, docs, columns, count, wordCount, boundWords, order, maxDoc },
    (index, start, length) => {
      for (const sign of [1, -1])
        for (let first = 0; first < 2 * wordCount; first += wordCount) {
          const coordinate = columns.slice(first, first + wordCount)
          const end = extreme(order, start, length, coordinate, sign)
          for (const column of coordinate) index.u32(column[end]!)
        }
    },
  )
}

/** Of a block's points, one with the lowest (`sign` 1) or the highest (−1) coordinate. */
function extreme(
  order: Uint32Array,
  start: number,
  length: number,
  coordinate: readonly Uint32Array[],
  sign: number,
): number {
  let best = order[start]!
  for (let i = 1; i < length; i++) {
    const point = order[start + i]!
    for (const column of coordinate) {
      const difference = column[point]! - column[best]!
      if (difference === 0) continue
      if (difference * sign < 0) best = point
      break
    }
  }
  return best
}
