import type { BitSet } from '../../util/bit-set.ts'
import { ByteWriter } from '../../util/byte-writer.ts'
import { PARENTS_HEADER_BYTES, PARENTS_VERSION } from './format.ts'

/**
 * Writes the parents section.
 * @param parents the documents that are no nested ones, of all documents of the segment
 */
export function writeParents(parents: BitSet): Uint8Array {
  const bytes = 16 * ((parents.size + 127) >>> 7)
  const out = new ByteWriter(PARENTS_HEADER_BYTES + bytes)
  out.u32(PARENTS_VERSION)
  out.u32(parents.size)
  out.u32(parents.count())
  out.align(PARENTS_HEADER_BYTES)
  out.array(parents.words)
  out.bytes(new Uint8Array(bytes - 4 * parents.words.length))
  return out.view()
}
