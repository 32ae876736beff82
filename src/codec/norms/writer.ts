import type { BitSet } from '../../util/bit-set.ts'
import { ByteWriter } from '../../util/byte-writer.ts'
import { NORMS_HEADER_BYTES, NORMS_PADDING_BYTES, NORMS_VERSION } from './format.ts'

/**
 * Writes the norms section of one field.
 * @param codes   length codes by doc ID
 * @param present documents that have the field, or null when all do
 */
export function writeNorms(codes: Uint8Array, present: BitSet | null): Uint8Array {
  const docCount = present === null ? codes.length : present.count()
  const out = new ByteWriter(NORMS_HEADER_BYTES + codes.length * 2 + NORMS_PADDING_BYTES)
  const hasAll = docCount === codes.length
  out.u32(NORMS_VERSION)
  out.u32(codes.length)
  out.u32(0)
  out.u32(docCount)
  out.align(NORMS_HEADER_BYTES)
  out.bytes(codes)
  if (!hasAll && present !== null) {
    out.align(4)
    out.setU32(8, out.length)
    out.array(present.words.subarray(0, (codes.length + 31) >>> 5))
  }
  out.bytes(new Uint8Array(NORMS_PADDING_BYTES))
  return out.view()
}
