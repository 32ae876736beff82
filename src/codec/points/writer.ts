import { ByteWriter } from '../../util/byte-writer.ts'
import type { LongColumn } from '../doc-values/long-column.ts'
import { appendAboveBase, appendPacked } from '../packed-words.ts'
import { radixSort } from '../radix-sort.ts'
import {
  POINTS_HEADER_BYTES,
  POINTS_PADDING_BYTES,
  POINTS_PER_BLOCK,
  POINTS_VERSION,
} from './format.ts'

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
  const blockCount = Math.ceil(count / POINTS_PER_BLOCK)
  const index = new ByteWriter(blockCount * 24 + 16)
  const data = new ByteWriter(count * 6 + 64)
  const gathered = new Uint32Array(POINTS_PER_BLOCK)
  for (let start = 0; start < count; start += POINTS_PER_BLOCK) {
    const length = Math.min(POINTS_PER_BLOCK, count - start)
    let all = 0
    for (let i = 0; i < length; i++) {
      gathered[i] = docs[order[start + i]!]!
      all |= gathered[i]!
    }
    const docBits = 32 - Math.clz32(all)
    index.u32(data.length)
    index.u32(docBits)
    for (const at of [start, start + length - 1])
      for (const column of columns) index.u32(column[order[at]!]!)
    appendPacked(data, gathered, length, docBits)
    for (const column of columns) {
      for (let i = 0; i < length; i++) gathered[i] = column[order[start + i]!]!
      appendAboveBase(data, gathered, length)
    }
  }
  const out = new ByteWriter(POINTS_HEADER_BYTES + index.length + data.length + 32)
  out.u32(POINTS_VERSION)
  out.u32(wordCount)
  out.u32(count)
  out.u32(countDistinct(docs, count, maxDoc))
  out.u32(blockCount)
  out.u32(POINTS_HEADER_BYTES)
  out.u32(POINTS_HEADER_BYTES + index.length)
  out.u32(POINTS_HEADER_BYTES + index.length + data.length)
  out.u32(maxDoc)
  out.align(POINTS_HEADER_BYTES)
  out.bytes(index.view())
  out.bytes(data.view())
  out.bytes(new Uint8Array(POINTS_PADDING_BYTES))
  return out.view()
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

function countDistinct(docs: Int32Array, count: number, maxDoc: number): number {
  const seen = new Uint8Array(maxDoc)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    if (seen[doc] === 0) distinct++
    seen[doc] = 1
  }
  return distinct
}
