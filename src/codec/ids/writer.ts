import { ByteWriter } from '../../util/byte-writer.ts'
import { murmur3 } from '../../util/murmur3.ts'
import { IDS_HEADER_BYTES, IDS_VERSION } from './format.ts'

/**
 * The ids section.
 * @param ids     UTF-8 of all ids, one after another
 * @param offsets document i's id is `ids[offsets[i], offsets[i + 1])`; maxDoc + 1 of them
 */
export function writeIds(ids: Uint8Array, offsets: Uint32Array, maxDoc: number): Uint8Array {
  let slotCount = 2
  while (slotCount < maxDoc * 1.5) slotCount *= 2
  const table = new Uint32Array(slotCount)
  const fingerprints = new Uint8Array(slotCount)
  // From the last document down, so that the youngest of equal ids is met first.
  for (let doc = maxDoc - 1; doc >= 0; doc--) {
    const hash = murmur3(ids.subarray(offsets[doc]!, offsets[doc + 1]!), 0)
    let slot = hash & (slotCount - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (slotCount - 1)
    table[slot] = doc + 1
    fingerprints[slot] = hash >>> 24
  }
  const out = new ByteWriter(IDS_HEADER_BYTES + 4 * maxDoc + 5 * slotCount + ids.length + 16)
  const offsetsAt = IDS_HEADER_BYTES
  const tableAt = offsetsAt + 4 * (maxDoc + 1)
  const fingerprintsAt = tableAt + 4 * slotCount
  const bytesAt = fingerprintsAt + slotCount
  out.u32(IDS_VERSION)
  out.u32(maxDoc)
  out.u32(slotCount)
  out.u32(offsetsAt)
  out.u32(tableAt)
  out.u32(fingerprintsAt)
  out.u32(bytesAt)
  out.u32(bytesAt + offsets[maxDoc]! - offsets[0]!)
  for (let doc = 0; doc <= maxDoc; doc++) out.u32(offsets[doc]! - offsets[0]!)
  out.array(table)
  out.bytes(fingerprints)
  out.bytes(ids, offsets[0]!, offsets[maxDoc]!)
  return out.copy()
}
