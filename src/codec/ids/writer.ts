import { ByteWriter } from '../../util/byte-writer.ts'
import { murmur3 } from '../../util/murmur3.ts'
import { putBits } from '../packed-bits.ts'
import {
  bucketOf,
  IDS_HEADER_BYTES,
  IDS_PADDING_BYTES,
  IDS_PER_BLOCK,
  IDS_PER_BUCKET,
  IDS_VERSION,
} from './format.ts'
import { appendIdBlock } from './id-block.ts'

/**
 * Writes the ids section.
 * @param ids     UTF-8 of all ids, concatenated
 * @param offsets document i's id is `ids[offsets[i], offsets[i + 1])`; maxDoc + 1 of them
 */
export function writeIds(ids: Uint8Array, offsets: Uint32Array, maxDoc: number): Uint8Array {
  const bucketCount = Math.ceil(maxDoc / IDS_PER_BUCKET)
  const docBits = maxDoc === 0 ? 0 : 32 - Math.clz32(maxDoc - 1)
  const hashes = new Int32Array(maxDoc)
  const starts = new Uint32Array(bucketCount + 1)
  for (let doc = 0; doc < maxDoc; doc++) {
    const hash = murmur3(ids, 0, offsets[doc]!, offsets[doc + 1]!)
    hashes[doc] = hash
    const next = bucketOf(hash, bucketCount) + 1
    starts[next] = starts[next]! + 1
  }
  for (let bucket = 0; bucket < bucketCount; bucket++)
    starts[bucket + 1] = starts[bucket + 1]! + starts[bucket]!
  const free = starts.slice()
  const docs = new Uint32Array(Math.ceil((maxDoc * docBits) / 32) + 1)
  const fingerprints = new Uint8Array(maxDoc)
  // In descending order, so that the newest of equal ids is found first.
  for (let doc = maxDoc - 1; doc >= 0; doc--) {
    const bucket = bucketOf(hashes[doc]!, bucketCount)
    const entry = free[bucket]!
    free[bucket] = entry + 1
    putBits(docs, entry * docBits, doc, docBits)
    fingerprints[entry] = hashes[doc]! & 0xff
  }
  const blocks = new ByteWriter(maxDoc * 8 + 64)
  const blockOffsets = new Uint32Array(Math.ceil(maxDoc / IDS_PER_BLOCK))
  for (let block = 0; block < blockOffsets.length; block++) {
    blockOffsets[block] = blocks.length
    const first = block * IDS_PER_BLOCK
    appendIdBlock(blocks, ids, offsets, first, Math.min(IDS_PER_BLOCK, maxDoc - first))
  }
  const out = new ByteWriter(IDS_HEADER_BYTES + 6 * maxDoc + blocks.length + 128)
  for (const word of [IDS_VERSION, maxDoc, bucketCount, docBits]) out.u32(word)
  out.align(IDS_HEADER_BYTES)
  out.setU32(16, out.length)
  out.array(starts)
  out.setU32(20, out.length)
  out.array(docs)
  out.setU32(24, out.length)
  out.bytes(fingerprints)
  out.align(4)
  out.setU32(28, out.length)
  out.array(blockOffsets)
  out.setU32(32, out.length)
  out.bytes(blocks.view())
  out.setU32(36, out.length)
  out.bytes(new Uint8Array(IDS_PADDING_BYTES))
  return out.view()
}
