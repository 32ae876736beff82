import { ByteWriter } from '../../util/byte-writer.ts'
import { appendAboveBase, appendPacked } from '../packed-words.ts'
import { radixSort } from '../radix-sort.ts'
import {
  BOXES_HEADER_BYTES,
  BOXES_PADDING_BYTES,
  BOXES_VERSION,
  POINTS_PER_TILE,
} from './format.ts'
import type { PlanePoints } from './plane-points.ts'

/**
 * Writes the boxes section of one field.
 * @param points in any order
 */
export function writeBoxes(points: PlanePoints, maxDoc: number): Uint8Array {
  const { docs, columns, wordCount, length: count } = points
  const order = tileOrder(points)
  const blockCount = Math.ceil(count / POINTS_PER_TILE)
  const index = new ByteWriter(blockCount * (8 + 16 * wordCount) + 16)
  const data = new ByteWriter(count * 6 * wordCount + 64)
  const gathered = new Uint32Array(POINTS_PER_TILE)
  for (let start = 0; start < count; start += POINTS_PER_TILE) {
    const length = Math.min(POINTS_PER_TILE, count - start)
    let all = 0
    for (let i = 0; i < length; i++) {
      gathered[i] = docs[order[start + i]!]!
      all |= gathered[i]!
    }
    const docBits = 32 - Math.clz32(all)
    index.u32(data.length)
    index.u32(docBits)
    for (const sign of [1, -1])
      for (let first = 0; first < 2 * wordCount; first += wordCount) {
        const coordinate = columns.slice(first, first + wordCount)
        const end = extreme(order, start, length, coordinate, sign)
        for (const column of coordinate) index.u32(column[end]!)
      }
    appendPacked(data, gathered, length, docBits)
    for (const column of columns) {
      for (let i = 0; i < length; i++) gathered[i] = column[order[start + i]!]!
      appendAboveBase(data, gathered, length)
    }
  }
  const out = new ByteWriter(BOXES_HEADER_BYTES + index.length + data.length + 32)
  const dataAt = BOXES_HEADER_BYTES + index.length
  const header = [BOXES_VERSION, wordCount, count, countDistinct(points, maxDoc), blockCount]
  for (const word of header) out.u32(word)
  for (const word of [BOXES_HEADER_BYTES, dataAt, dataAt + data.length, maxDoc]) out.u32(word)
  out.align(BOXES_HEADER_BYTES)
  out.bytes(index.view())
  out.bytes(data.view())
  out.bytes(new Uint8Array(BOXES_PADDING_BYTES))
  return out.view()
}

/** The points tile by tile; equal ones in order of document. */
function tileOrder({ docs, columns, wordCount, length: count }: PlanePoints): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  const first = columns.slice(0, wordCount)
  const second = columns.slice(wordCount)
  radixSort(order, 0, count, [...first, ...second, docs])
  const blocksOfStrip = Math.ceil(Math.sqrt(Math.ceil(count / POINTS_PER_TILE)))
  const strip = blocksOfStrip * POINTS_PER_TILE
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

function countDistinct({ docs, length: count }: PlanePoints, maxDoc: number): number {
  const seen = new Uint8Array(maxDoc)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    if (seen[doc] === 0) distinct++
    seen[doc] = 1
  }
  return distinct
}
