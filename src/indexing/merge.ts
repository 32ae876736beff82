/**
 * Merges several segments into one: their live documents leaf by leaf, in order within each, which
 * keeps them sorted by sequence number, unless the index sets another order. Works field by field
 * on the leaves, so no document is parsed again; impacts are computed anew for the merged average
 * length.
 */
import type { FieldInfo } from '../codec/directory/format.ts'
import { SegmentWriter } from '../codec/directory/writer.ts'
import { writeIds } from '../codec/ids/writer.ts'
import { writeParents } from '../codec/parents/writer.ts'
import type { StoredReader } from '../codec/stored/reader.ts'
import { printIndexSort } from '../schema/index-sort.ts'
import type { MergeOrder } from '../schema/merge-order.ts'
import type { Leaf } from '../segment/leaf.ts'
import { BitSet } from '../util/bit-set.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { orderDocs } from './doc-order.ts'
import { addFieldSections, type NumericColumn } from './field-sections.ts'
import { mergeField } from './merge-field.ts'
import { forEachDoc, inArrivalOrder, type MergedDocs } from './merged-docs.ts'
import { mergeStored } from './merged-stored.ts'
import type { SealNumbers } from './seal.ts'

/** A segment to merge, with all its sections loaded. */
export interface MergeInput {
  readonly leaf: Leaf
  readonly stored: StoredReader
  /** Its documents to keep, null for all. */
  readonly live: { has(docId: number): boolean } | null
}

/** The merged segment's two files. */
export interface MergedSegment {
  readonly segment: Uint8Array
  readonly stored: Uint8Array
  readonly maxDoc: number
  /** By input, new document by old one; −1 for a dropped one. */
  readonly docMaps: readonly Int32Array[]
}

/**
 * Merges segments.
 * @param segmentId 16 random bytes, stored in the new files
 * @param created   milliseconds since 1970
 * @param goOn      called every few milliseconds; throws to abandon the merge
 * @param graphFrom the least number of vectors of which a graph is made
 */
export function mergeSegments(
  inputs: readonly MergeInput[],
  segmentId: Uint8Array,
  created: number,
  order: MergeOrder = { kind: 'arrival' },
  goOn: () => void = () => {},
  graphFrom: number = Number.POSITIVE_INFINITY,
): MergedSegment {
  const docs = orderedDocs(inputs, order)
  const sort = order.kind === 'sort' ? printIndexSort(order.sort) : ''
  return writeMerged(inputs, docs, { segmentId, created, sort, graphFrom }, goOn)
}

/** The documents that a merge keeps, as it orders them. */
export function orderedDocs(inputs: readonly MergeInput[], order: MergeOrder): MergedDocs {
  const leaves = inputs.map(({ leaf }) => leaf)
  const live = inputs.map(each => each.live)
  return orderDocs(leaves, inArrivalOrder(leaves, live), order)
}

/** Marks of a merged segment. */
export type MergedMarks = Pick<SealNumbers, 'segmentId' | 'created' | 'sort' | 'graphFrom'>

/** Merges segments whose documents have their new order. */
export function writeMerged(
  inputs: readonly MergeInput[],
  docs: MergedDocs,
  { segmentId, created, sort, graphFrom }: MergedMarks,
  goOn: () => void = () => {},
): MergedSegment {
  const { maxDoc, docMaps } = docs
  const writer = new SegmentWriter(segmentId)
  const stored = mergeStored(
    inputs.map(input => input.stored),
    docs,
    segmentId,
    goOn,
  )
  goOn()
  writer.addSection('ids', -1, mergeIds(inputs, docs))
  goOn()
  const parents = mergeParents(inputs, docs)
  if (parents !== null) writer.addSection('parents', -1, writeParents(parents))
  const leaves = inputs.map(({ leaf, live }, i) => ({
    leaf,
    docMap: docMaps[i]!,
    hasDeletes: live !== null,
  }))
  const names = new Set<string>()
  for (const { leaf } of inputs) for (const field of leaf.fields()) names.add(field.name)
  const graphs = { from: graphFrom ?? Number.POSITIVE_INFINITY, goOn }
  const infos: FieldInfo[] = []
  let seqNos: NumericColumn | null = null
  for (const name of [...names].sort()) {
    goOn()
    const field = mergeField(name, leaves, docs, goOn)
    if (field === null) continue
    infos.push(addFieldSections(writer, infos.length, field, maxDoc, graphs))
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
    sort,
  })
  return { segment, stored, maxDoc, docMaps }
}

/** The documents that are no nested ones; null when none is nested. */
function mergeParents(inputs: readonly MergeInput[], docs: MergedDocs): BitSet | null {
  const readers = inputs.map(({ leaf }) => leaf.parents())
  if (readers.every(reader => reader === null)) return null
  const parents = new BitSet(docs.maxDoc)
  let hasNested = false
  forEachDoc(docs, (leaf, doc, target) => {
    if (readers[leaf]?.has(doc) ?? true) parents.add(target)
    else hasNested = true
  })
  return hasNested ? parents : null
}

function mergeIds(inputs: readonly MergeInput[], docs: MergedDocs): Uint8Array {
  const { maxDoc } = docs
  const ids = new ByteWriter(maxDoc * 16 + 16)
  const offsets = new Uint32Array(maxDoc + 1)
  const readers = inputs.map(({ leaf }) => leaf.ids())
  forEachDoc(docs, (leaf, doc, target) => {
    ids.bytes(readers[leaf]!.id(doc))
    offsets[target + 1] = ids.length
  })
  return writeIds(ids.view(), offsets, maxDoc)
}
