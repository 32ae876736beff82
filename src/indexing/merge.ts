/**
 * Makes one segment of several: their live documents, leaf after leaf and in order within each, so
 * that the order of sequence numbers stays. Works field after field on what the leaves hold, so no
 * document is parsed again; impacts are made anew for the merged average length.
 */
import type { FieldInfo } from '../codec/directory/format.ts'
import { SegmentWriter } from '../codec/directory/writer.ts'
import { writeIds } from '../codec/ids/writer.ts'
import type { StoredReader } from '../codec/stored/reader.ts'
import { StoredWriter } from '../codec/stored/writer.ts'
import type { Leaf } from '../segment/leaf.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { FieldMerger } from './field-merger.ts'
import { addFieldSections, type NumericColumn } from './field-sections.ts'

/** A segment to merge, with all its sections loaded. */
export interface MergeInput {
  readonly leaf: Leaf
  readonly stored: StoredReader
  /** Its documents that go on, null for all. */
  readonly live: { has(docId: number): boolean } | null
}

/** The merged segment's two files. */
export interface MergedSegment {
  readonly segment: Uint8Array
  readonly stored: Uint8Array
  readonly maxDoc: number
  /** By input, by document its new document, −1 for one that was left out. */
  readonly docMaps: readonly Int32Array[]
}

/**
 * Merges segments.
 * @param segmentId 16 random bytes that the new files carry
 * @param created   milliseconds since 1970
 */
export function mergeSegments(
  inputs: readonly MergeInput[],
  segmentId: Uint8Array,
  created: number,
): MergedSegment {
  let maxDoc = 0
  const docMaps = inputs.map(({ leaf, live }) => {
    const map = new Int32Array(leaf.maxDoc)
    for (let doc = 0; doc < leaf.maxDoc; doc++)
      map[doc] = live === null || live.has(doc) ? maxDoc++ : -1
    return map
  })
  const writer = new SegmentWriter(segmentId)
  const { stored, ids } = mergeDocuments(inputs, docMaps, maxDoc, segmentId)
  writer.addSection('ids', -1, ids)
  const leaves = inputs.map(({ leaf, live }, i) => ({
    leaf,
    docMap: docMaps[i]!,
    hasDeletes: live !== null,
  }))
  const names = new Set<string>()
  for (const { leaf } of inputs) for (const field of leaf.fields()) names.add(field.name)
  const infos: FieldInfo[] = []
  let seqNos: NumericColumn | null = null
  for (const name of [...names].sort()) {
    const field = new FieldMerger(name, leaves, maxDoc).merge()
    if (field === null) continue
    infos.push(addFieldSections(writer, infos.length, field, maxDoc))
    if (name === '_seq_no') seqNos = field.values
  }
  let minSeqNo = -1
  let maxSeqNo = -1
  for (let i = 0; seqNos !== null && i < seqNos.count; i++) {
    const seqNo = seqNos.values.number(i)
    if (minSeqNo < 0 || seqNo < minSeqNo) minSeqNo = seqNo
    if (seqNo > maxSeqNo) maxSeqNo = seqNo
  }
  const segment = writer.finish({
    maxDoc,
    fields: infos,
    storedLength: stored.length,
    minSeqNo,
    maxSeqNo,
    created,
  })
  return { segment, stored, maxDoc, docMaps }
}

function mergeDocuments(
  inputs: readonly MergeInput[],
  docMaps: readonly Int32Array[],
  maxDoc: number,
  segmentId: Uint8Array,
): { stored: Uint8Array; ids: Uint8Array } {
  const stored = new StoredWriter(segmentId)
  const ids = new ByteWriter(maxDoc * 16 + 16)
  const offsets = new Uint32Array(maxDoc + 1)
  for (const [i, input] of inputs.entries()) {
    const map = docMaps[i]!
    const reader = input.leaf.ids()
    let open = -1
    let block: ReturnType<StoredReader['readBlock']> | null = null
    for (let doc = 0; doc < map.length; doc++) {
      const target = map[doc]!
      if (target < 0) continue
      ids.bytes(reader.id(doc))
      offsets[target + 1] = ids.length
      const number = input.stored.blockOf(doc)
      if (block === null || number !== open) {
        block = input.stored.readBlock(number)
        open = number
      }
      stored.add(input.stored.sourceIn(block, doc))
    }
  }
  return { stored: stored.finish(), ids: writeIds(ids.view(), offsets, maxDoc) }
}
