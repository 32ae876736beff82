import { ByteWriter } from '../../util/byte-writer.ts'
import type { LongColumn } from '../doc-values/long-column.ts'
import { putBits } from '../packed-bits.ts'
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

const BYTE_VALUES = 256

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
    appendBits(data, gathered, length, docBits)
    for (const column of columns) {
      let min = 0xffffffff
      let max = 0
      for (let i = 0; i < length; i++) {
        const word = column[order[start + i]!]!
        gathered[i] = word
        if (word < min) min = word
        if (word > max) max = word
      }
      for (let i = 0; i < length; i++) gathered[i] = gathered[i]! - min
      const width = 32 - Math.clz32(max - min)
      data.u32(min)
      data.u32(width)
      appendBits(data, gathered, length, width)
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

/**
 * The points in order of value, then of document: a radix sort by bytes from the lowest up, stable
 * at each byte.
 */
function orderOf(docs: Int32Array, columns: readonly Uint32Array[], count: number): Uint32Array {
  let order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  let isInOrder = true
  for (let i = 1; isInOrder && i < count; i++) isInOrder = docs[i - 1]! <= docs[i]!
  const keys = isInOrder ? [] : [docs]
  let other = new Uint32Array(count)
  const starts = new Uint32Array(BYTE_VALUES)
  for (const key of [...keys, ...columns.toReversed()])
    for (let shift = 0; shift < 32; shift += 8) {
      starts.fill(0)
      for (let i = 0; i < count; i++) {
        const byte = (key[i]! >>> shift) & 0xff
        starts[byte] = starts[byte]! + 1
      }
      if (starts[(key[0]! >>> shift) & 0xff] === count) continue
      for (let byte = 0, start = 0; byte < BYTE_VALUES; byte++) {
        const next = start + starts[byte]!
        starts[byte] = start
        start = next
      }
      for (let i = 0; i < count; i++) {
        const point = order[i]!
        const byte = (key[point]! >>> shift) & 0xff
        const index = starts[byte]!
        starts[byte] = index + 1
        other[index] = point
      }
      const sorted = other
      other = order
      order = sorted
    }
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

const packed = new Uint32Array(POINTS_PER_BLOCK + 2)

function appendBits(out: ByteWriter, values: Uint32Array, length: number, width: number): void {
  if (width === 0) return
  packed.fill(0)
  for (let i = 0; i < length; i++) {
    putBits(packed, i * width, values[i]!, width)
  }
  out.array(packed.subarray(0, Math.ceil((length * width) / 32)))
}
