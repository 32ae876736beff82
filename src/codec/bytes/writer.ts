import { ByteWriter } from '../../util/byte-writer.ts'
import type { ByteColumn } from './byte-column.ts'
import {
  BYTES_ALL_DOCS,
  BYTES_EQUAL_LENGTHS,
  BYTES_HEADER_BYTES,
  BYTES_MULTI_VALUED,
  BYTES_PADDING_BYTES,
  BYTES_RANK_DOCS,
  BYTES_VERSION,
} from './format.ts'

/**
 * Writes the bytes section of one field.
 * @param column its values by document, those of one document ascending; at least one
 */
export function writeBytes(column: ByteColumn, maxDoc: number): Uint8Array {
  const { docs, length: count } = column
  const presence = new Uint32Array((maxDoc + 31) >>> 5)
  const addresses: number[] = []
  for (let i = 0; i < count; i++) {
    if (i > 0 && docs[i] === docs[i - 1]) continue
    const doc = docs[i]!
    presence[doc >>> 5] = presence[doc >>> 5]! | (1 << (doc & 31))
    addresses.push(i)
  }
  const docCount = addresses.length
  addresses.push(count)
  const length = lengthOfAll(column)
  const data = column.data()
  const hasAll = docCount === maxDoc
  const isMulti = docCount < count
  const flags =
    (hasAll ? BYTES_ALL_DOCS : 0) |
    (isMulti ? BYTES_MULTI_VALUED : 0) |
    (length === null ? 0 : BYTES_EQUAL_LENGTHS)
  const out = new ByteWriter(BYTES_HEADER_BYTES + data.length + 4 * count + 1024)
  for (const word of [BYTES_VERSION, flags, maxDoc, docCount, count, length ?? 0]) out.u32(word)
  out.align(BYTES_HEADER_BYTES)
  if (!hasAll) {
    out.setU32(24, out.length)
    out.array(presence)
    out.setU32(28, out.length)
    out.array(ranksOf(presence, maxDoc))
  }
  if (isMulti) {
    out.setU32(32, out.length)
    out.array(Uint32Array.from(addresses))
  }
  if (length === null) {
    out.setU32(36, out.length)
    out.array(column.ends.subarray(0, count))
  }
  out.setU32(40, out.length)
  out.bytes(data)
  out.setU32(44, out.length)
  out.bytes(new Uint8Array(BYTES_PADDING_BYTES))
  return out.view()
}

/** The length of every value; null where they differ. */
function lengthOfAll(column: ByteColumn): number | null {
  const { ends, length: count } = column
  const first = ends[0]!
  for (let i = 1; i < count; i++) if (ends[i]! - ends[i - 1]! !== first) return null
  return first
}

/** By 512 documents, how many have a value before them. */
function ranksOf(presence: Uint32Array, maxDoc: number): Uint32Array {
  const ranks = new Uint32Array(Math.ceil(maxDoc / BYTES_RANK_DOCS))
  let rank = 0
  for (let doc = 0; doc < maxDoc; doc++) {
    if (doc % BYTES_RANK_DOCS === 0) ranks[doc / BYTES_RANK_DOCS] = rank
    rank += (presence[doc >>> 5]! >>> (doc & 31)) & 1
  }
  return ranks
}
