/** Points of a plane and triangles from the values that a field keeps by document. */

import { PlanePoints } from '../codec/boxes/plane-points.ts'
import type { ByteColumn } from '../codec/bytes/byte-column.ts'
import { TRIANGLE_COLUMNS } from '../codec/triangles/format.ts'
import { WordRows } from '../codec/word-rows.ts'
import type { NumericColumn } from './field-sections.ts'

/** Sign bit: flipped, so that words compare as unsigned. */
const SIGN = 0x80000000

/** A point for each value: its two coordinates, most significant byte first. */
export function pointsOfBytes(column: ByteColumn, wordCount: number): PlanePoints {
  const points = new PlanePoints(wordCount)
  pushRows(column, points)
  return points
}

/** A triangle for each value: its words, most significant byte first. */
export function trianglesOfBytes(column: ByteColumn): WordRows {
  const triangles = new WordRows(TRIANGLE_COLUMNS)
  pushRows(column, triangles)
  return triangles
}

function pushRows(column: ByteColumn, rows: WordRows): void {
  const bytes = column.data()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Uint32Array(rows.columns.length)
  for (let i = 0; i < column.length; i++) {
    const start = column.start(i)
    for (let word = 0; word < words.length; word++) words[word] = view.getUint32(start + 4 * word)
    rows.push(column.docs[i]!, words)
  }
}

/** A point for each number: its upper half and its lower half, both signed. */
export function pointsOfNumbers({ docs, values, count }: NumericColumn): PlanePoints {
  const points = new PlanePoints(1)
  for (let i = 0; i < count; i++)
    points.push(docs[i]!, [(values.hi[i]! ^ SIGN) >>> 0, (values.lo[i]! ^ SIGN) >>> 0])
  return points
}
