/**
 * Bits of the documents of a part in a bit set of its leaf: those windows of the set are read and written
 * that the part touches.
 */
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart } from '../collector/collect-spec.ts'
import { BATCH_DOCS } from '../collector/gather.ts'
import { bitsBytes } from './bulk-scratch.ts'
import { CURSOR } from './plan-record.ts'

/** Bytes of the window of a bit set that gathers get as one batch. */
export const WINDOW_BYTES: number = BATCH_DOCS / 8

/** Reads of bits may run past their end by so much. */
export const READ_PAST_BYTES = 64

/** Bytes of the windows that a part touches in a bit set of its leaf. */
export function windowsOf(part: LeafPart, maxDoc: number): { start: number; bytes: number } {
  const start = WINDOW_BYTES * Math.floor(part.minDoc / BATCH_DOCS)
  const end = WINDOW_BYTES * Math.ceil(part.maxDoc / BATCH_DOCS)
  return { start, bytes: Math.min(end, bitsBytes(maxDoc) - READ_PAST_BYTES) - start }
}

/** Whether bits of accepted documents have no others in the windows of a part. @param accept their address; 0: all */
export function hasPartAlone({ views, maxDoc }: Leaf, part: LeafPart, accept: number): boolean {
  if (accept === 0 || part.minDoc > 0 || part.maxDoc < maxDoc) return false
  const end = 8 * windowsOf(part, maxDoc).bytes
  const words = accept >> 2
  const last = maxDoc >>> 5
  if (maxDoc < end && views.u32[words + last]! >>> (maxDoc & 31) !== 0) return false
  for (let word = last + 1; word < end >>> 5; word++)
    if (views.u32[words + word] !== 0) return false
  return true
}

/** Copies the accepted documents of a part. @param accept address of their bits; 0: all */
export function acceptRange(leaf: Leaf, part: LeafPart, accept: number, to: number): void {
  const { kernels, views, maxDoc } = leaf
  const { start, bytes } = windowsOf(part, maxDoc)
  if (accept === 0) kernels.fillBits(to + start, bytes, 255)
  else views.u8.copyWithin(to + start, accept + start, accept + start + bytes)
  keepPart(leaf, part, to)
}

/** Sets the bits of a cursor's documents in a part. @param to address of bits, 0 outside the part, as they stay */
export function orCursor(leaf: Leaf, part: LeafPart, cursor: number, to: number): void {
  const { kernels, views, maxDoc } = leaf
  const bits = views.i32[(cursor + CURSOR.bits) >> 2]!
  if (bits === 0) {
    kernels.rewindAndOr(cursor, to, part.minDoc, part.maxDoc)
    return
  }
  const { start, bytes } = windowsOf(part, maxDoc)
  kernels.orBits(to + start, bits + start, bytes)
  keepPart(leaf, part, to)
}

/** Clears the bits outside a part in the windows that it touches. */
function keepPart({ views, maxDoc }: Leaf, part: LeafPart, bits: number): void {
  const { start, bytes } = windowsOf(part, maxDoc)
  clearBits(views.u32, bits, 8 * start, part.minDoc)
  clearBits(views.u32, bits, part.maxDoc, 8 * (start + bytes))
}

/** Clears the bits of [from, to). @param bits address of the set */
function clearBits(words: Uint32Array, bits: number, from: number, to: number): void {
  for (let doc = from; doc < to; ) {
    const word = (bits >> 2) + (doc >>> 5)
    const end = Math.min(to, (doc | 31) + 1)
    const mask = end - doc === 32 ? 0xffffffff : (2 ** (end - doc) - 1) * 2 ** (doc & 31)
    words[word] = (words[word]! & ~mask) >>> 0
    doc = end
  }
}
