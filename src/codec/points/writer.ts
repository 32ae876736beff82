import type { LongColumn } from '../doc-values/long-column.ts'
import { writePointBlocks } from '../point-blocks.ts'
import { radixSort } from '../radix-sort.ts'
import { POINTS_VERSION } from './format.ts'

/**
 * Writes the points section of one numeric field.
 * @param docs   doc IDs, one for each value, in any order
 * @param values signed 64-bit integers
 * @param count  used length of both
 */
export function writePoints(
  docs: Int32Array,
  values: LongColumn,
  count: number,
  maxDoc: number,
): Uint8Array {
  const high = new Uint32Array(count)
  for (let i = 0; i < count; i++) high[i] = (values.hi[i]! ^ 0x80000000) >>> 0
  return writeWords(docs, [high, values.lo], count, maxDoc)
}

/** As `writePoints`, for values of 1, 2 or 4 unsigned words in columns, most significant first. */
function writeWords(
  docs: Int32Array,
  columns: readonly Uint32Array[],
  count: number,
  maxDoc: number,
): Uint8Array {
  const order = orderOf(docs, columns, count)
  const wordCount = columns.length
  const boundWords = 2 * wordCount
  return writePointBlocks(
    { version: POINTS_VERSION, docs, columns, count, wordCount, boundWords, order, maxDoc },
    (index, start, length) => {
      for (const at of [start, start + length - 1])
        for (const column of columns) index.u32(column[order[at]!]!)
    },
  )
}

/** The points in order of value, then of document. */
function orderOf(docs: Int32Array, columns: readonly Uint32Array[], count: number): Uint32Array {
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  let isInOrder = true
  for (let i = 1; isInOrder && i < count; i++) isInOrder = docs[i - 1]! <= docs[i]!
  radixSort(order, 0, count, isInOrder ? columns : [...columns, docs])
  return order
}
