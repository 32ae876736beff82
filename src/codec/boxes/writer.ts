import { BLOCK_POINTS, writePointBlocks } from '../point-blocks.ts'
import { radixSort } from '../radix-sort.ts'
import { BOXES_VERSION } from './format.ts'
import type { PlanePoints } from './plane-points.ts'

/**
 * Writes the boxes section of one field.
 * @param points in any order
 */
export function writeBoxes(points: PlanePoints, maxDoc: number): Uint8Array {
  const { docs, columns, wordCount, length: count } = points
  const order = tileOrder(points)
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

/** The points tile by tile; equal ones in order of document. */
function tileOrder({ docs, columns, wordCount, length: count }: PlanePoints): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  const first = columns.slice(0, wordCount)
  const second = columns.slice(wordCount)
  radixSort(order, 0, count, [...first, ...second, docs])
  const blocksOfStrip = Math.ceil(Math.sqrt(Math.ceil(count / BLOCK_POINTS)))
  const strip = blocksOfStrip * BLOCK_POINTS
  for (let from = 0; from < count; from += strip)
    radixSort(order, from, Math.min(from + strip, count), second)
  return order
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
