import type { BitSet } from '../../util/bit-set.ts'
import { ByteWriter } from '../../util/byte-writer.ts'
import { frameFile } from '../file-frame.ts'
import { LIVE_DOCS_HEADER_BYTES, LIVE_DOCS_VERSION } from './format.ts'

/** The whole file of one generation of a segment's live docs. */
export function writeLiveDocs(segmentId: Uint8Array, live: BitSet): Uint8Array {
  const out = new ByteWriter(LIVE_DOCS_HEADER_BYTES + 4 * live.words.length)
  out.u32(LIVE_DOCS_VERSION)
  out.u32(live.size)
  out.u32(live.size - live.count())
  out.u32(0)
  out.array(live.words)
  return frameFile('liveDocs', segmentId, out.view())
}
