/**
 * Seals a buffer into a segment: the live documents in order of their slots, renumbered without
 * gaps. The buffer does not change.
 */
import type { PlanePoints } from '../codec/boxes/plane-points.ts'
import { ByteColumn } from '../codec/bytes/byte-column.ts'
import { CompletionColumn } from '../codec/completions/completion-column.ts'
import { SegmentWriter } from '../codec/directory/writer.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import { writeIds } from '../codec/ids/writer.ts'
import { writeParents } from '../codec/parents/writer.ts'
import { StoredWriter } from '../codec/stored/writer.ts'
import type { VectorColumn } from '../codec/vectors/writer.ts'
import { BitSet } from '../util/bit-set.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { pointsOfBytes, pointsOfNumbers, trianglesOfBytes } from './box-points.ts'
import type { BufferMemory } from './buffer-memory.ts'
import { addCompletion } from './completion-record.ts'
import type { FieldBuffer } from './field-buffer.ts'
import { addFieldSections, type FieldSections, type NumericColumn } from './field-sections.ts'
import { invertField } from './invert-field.ts'
import type { InvertedBuffer } from './inverted-buffer.ts'
import type { VectorLog } from './vector-log.ts'

/** Documents that are compressed between two checks of whether to go on. */
const SLOTS_BETWEEN_CHECKS = 64

/** The coordinator's numbers of the slots. */
export interface SealNumbers {
  /** By slot, `slotCount` of each; those of nested documents are filled in. */
  readonly seqNos: Float64Array
  readonly versions: BigInt64Array
  readonly primaryTerms: Float64Array
  /** Superseded or rejected slots, ascending. */
  readonly deadSlots: Int32Array
  /** 16 random bytes, stored in the segment's files. */
  readonly segmentId: Uint8Array
  /** Milliseconds since 1970. */
  readonly created: number
  /** The sort that the segment is marked with, which the caller carries out; '' for none. */
  readonly sort: string
  /** The least number of vectors of which a graph is made; absent: of none. */
  readonly graphFrom?: number
  /** Called every few milliseconds; throws to abandon the seal. Absent: nobody does. */
  readonly goOn?: () => void
}

/** A segment's two files. */
export interface SealedSegment {
  readonly segment: Uint8Array
  readonly stored: Uint8Array
  readonly maxDoc: number
  /** Document by slot, −1 for a dead one; null when slots equal documents. */
  readonly docOfSlot: Int32Array | null
}

/** Encodes the buffer's live documents as a segment. */
export function sealBuffer(buffer: InvertedBuffer, numbers: SealNumbers): SealedSegment {
  const { slotCount } = buffer
  const { graphFrom = Number.POSITIVE_INFINITY, goOn = () => undefined } = numbers
  const docOfSlot = new Int32Array(slotCount)
  for (const slot of numbers.deadSlots) docOfSlot[slot] = -1
  const blocks = buffer.blocks.length === 0 ? null : new Uint32Array(buffer.blocks.copy().buffer)
  if (blocks !== null) shareFates(blocks, docOfSlot, numbers)
  let maxDoc = 0
  for (let slot = 0; slot < slotCount; slot++) if (docOfSlot[slot] === 0) docOfSlot[slot] = maxDoc++
  const writer = new SegmentWriter(numbers.segmentId)
  const { stored, ids } = writeDocuments(buffer, docOfSlot, maxDoc, numbers.segmentId, goOn)
  writer.addSection('ids', -1, ids)
  if (blocks !== null) {
    const parents = parentsOf(blocks, docOfSlot, maxDoc)
    if (parents !== null) writer.addSection('parents', -1, writeParents(parents))
  }
  const fields: FieldSections[] = []
  for (const field of buffer.fields.values()) {
    const sections = sealField(buffer.memory, field, docOfSlot, maxDoc, goOn)
    if (sections !== null) fields.push(sections)
  }
  const { seqNos, versions, primaryTerms } = numbers
  const halves = new Int32Array(versions.buffer, versions.byteOffset, 2 * versions.length)
  const columns: [string, (values: LongColumn, slot: number) => void][] = [
    ['_seq_no', (values, slot) => values.pushNumber(seqNos[slot]!)],
    ['_version', (values, slot) => values.push(halves[2 * slot + 1]!, halves[2 * slot]!)],
    ['_primary_term', (values, slot) => values.pushNumber(primaryTerms[slot]!)],
  ]
  let minSeqNo = -1
  let maxSeqNo = -1
  for (const [name, push] of columns) {
    const docs = new Int32Array(maxDoc)
    const values = new LongColumn(Math.max(maxDoc, 1))
    for (let slot = 0; slot < slotCount; slot++) {
      const doc = docOfSlot[slot]!
      if (doc < 0) continue
      docs[doc] = doc
      push(values, slot)
    }
    const column: NumericColumn = { docs, values, count: maxDoc }
    if (name === '_seq_no')
      for (let doc = 0; doc < maxDoc; doc++) {
        const seqNo = values.number(doc)
        if (minSeqNo < 0 || seqNo < minSeqNo) minSeqNo = seqNo
        if (seqNo > maxSeqNo) maxSeqNo = seqNo
      }
    if (maxDoc > 0) fields.push(metadataField(name, column))
  }
  // Sorted by name: the file is a function of the documents alone.
  fields.sort((a, b) => (a.name < b.name ? -1 : 1))
  const graphs = { from: graphFrom, goOn }
  const infos = fields.map((field, number) => {
    goOn()
    return addFieldSections(writer, number, field, maxDoc, graphs)
  })
  const segment = writer.finish({
    maxDoc,
    fields: infos,
    storedLength: stored.length,
    minSeqNo,
    maxSeqNo,
    created: numbers.created,
    sort: numbers.sort,
  })
  return { segment, stored, maxDoc, docOfSlot: maxDoc === slotCount ? null : docOfSlot }
}

/**
 * Nested documents have the numbers of the whole one, and are dead where it is.
 * @param blocks first and last slot of each
 */
function shareFates(
  blocks: Uint32Array,
  docOfSlot: Int32Array,
  { seqNos, versions, primaryTerms }: SealNumbers,
): void {
  for (let i = 0; i < blocks.length; i += 2) {
    const first = blocks[i]!
    const whole = blocks[i + 1]!
    docOfSlot.fill(docOfSlot[whole]!, first, whole)
    seqNos.fill(seqNos[whole]!, first, whole)
    versions.fill(versions[whole]!, first, whole)
    primaryTerms.fill(primaryTerms[whole]!, first, whole)
  }
}

/** The documents that are no nested ones; null when no live document is nested. */
function parentsOf(blocks: Uint32Array, docOfSlot: Int32Array, maxDoc: number): BitSet | null {
  const parents = new BitSet(maxDoc)
  parents.addRange(0, maxDoc)
  let hasNested = false
  for (let i = 0; i < blocks.length; i += 2)
    for (let slot = blocks[i]!; slot < blocks[i + 1]!; slot++) {
      const doc = docOfSlot[slot]!
      if (doc < 0) continue
      parents.delete(doc)
      hasNested = true
    }
  return hasNested ? parents : null
}

/** A field of one numeric column. */
function metadataField(name: string, column: NumericColumn): FieldSections {
  return {
    name,
    indexOptions: 'none',
    valueKind: 'long',
    postings: null,
    termDocCount: 0,
    averageLength: 0,
    norms: null,
    values: column,
    ordinals: null,
    bytes: null,
    points: null,
    boxes: null,
    triangles: null,
    denseVectors: null,
    graph: null,
    completions: null,
    vectors: null,
  }
}

function writeDocuments(
  buffer: InvertedBuffer,
  docOfSlot: Int32Array,
  maxDoc: number,
  segmentId: Uint8Array,
  goOn: () => void,
): { stored: Uint8Array; ids: Uint8Array } {
  const words = (writer: ByteWriter): Uint32Array => new Uint32Array(writer.copy().buffer)
  const idStarts = words(buffer.idOffsets)
  const recordStarts = words(buffer.recordOffsets)
  const sourceEnds = words(buffer.sourceEnds)
  const allIds = buffer.ids.view()
  const allRecords = buffer.records.view()
  const stored = new StoredWriter(segmentId, Math.ceil(allRecords.length / 2) + 65536)
  const ids = new ByteWriter(allIds.length)
  const offsets = new Uint32Array(maxDoc + 1)
  for (let slot = 0; slot < docOfSlot.length; slot++) {
    const doc = docOfSlot[slot]!
    if (doc < 0) continue
    if (slot % SLOTS_BETWEEN_CHECKS === 0) goOn()
    const isLast = slot + 1 === docOfSlot.length
    ids.bytes(allIds, idStarts[slot]!, isLast ? allIds.length : idStarts[slot + 1]!)
    offsets[doc + 1] = ids.length
    const end = isLast ? allRecords.length : recordStarts[slot + 1]!
    stored.add(allRecords, recordStarts[slot]!, end, sourceEnds[slot]!)
  }
  return { stored: stored.finish(), ids: writeIds(ids.view(), offsets, maxDoc) }
}

/** Null when no live document has the field. */
function sealField(
  memory: BufferMemory,
  field: FieldBuffer,
  docOfSlot: Int32Array,
  maxDoc: number,
  goOn: () => void,
): FieldSections | null {
  goOn()
  const live = new Int32Array(field.docCount)
  let count = 0
  for (let i = 0; i < field.docCount; i++) if (docOfSlot[field.docs[i]!]! >= 0) live[count++] = i
  if (count === 0) return null
  const entries = live.subarray(0, count)
  const hasTerms = field.indexOptions !== 'none' || field.hasOrdinals
  const inverted = hasTerms ? invertField(memory, field, entries, docOfSlot, maxDoc, goOn) : null
  const keepsNumbers =
    field.docValues === 'numeric' ||
    (field.hasPoints && !field.hasOrdinals) ||
    (field.boxWords > 0 && field.byteValues === null)
  const numbers = keepsNumbers ? sortedValues(field, entries, docOfSlot) : null
  const completions = field.takesCompletions ? completionsOf(field, entries, docOfSlot) : null
  const takesBytes = field.byteValues !== null && !field.takesCompletions
  const bytes = takesBytes ? sortedBytes(field, entries, docOfSlot) : null
  // Texts without tokens store only their norms.
  const hasNone = numbers === null && bytes === null && completions === null
  const isEmpty = (inverted?.postings.termCount ?? 0) === 0 && hasNone
  if (isEmpty && !field.hasNorms) return null
  return {
    name: field.name,
    indexOptions: field.indexOptions,
    valueKind: field.valueKind,
    postings: inverted?.postings ?? null,
    termDocCount: inverted?.termDocCount ?? 0,
    averageLength: inverted?.averageLength ?? 0,
    norms: inverted?.norms ?? null,
    values: field.docValues === 'numeric' ? numbers : null,
    ordinals: field.docValues === 'ordinals' ? (inverted?.ordinals ?? null) : null,
    bytes: field.docValues === 'bytes' ? bytes : null,
    points: field.hasPoints ? (numbers ?? inverted?.ordinals ?? null) : null,
    boxes: field.boxWords === 0 ? null : planePoints(field, numbers, bytes),
    triangles: field.takesTriangles && bytes !== null ? trianglesOfBytes(bytes) : null,
    denseVectors:
      field.denseVectors === null || bytes === null
        ? null
        : { ...field.denseVectors, vectors: bytes },
    graph: null,
    completions,
    vectors: field.vectors === null ? null : vectorsOf(field, field.vectors, entries, docOfSlot),
  }
}

/** The field's byte strings by document; null when there are none. */
function sortedBytes(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
): ByteColumn | null {
  const column = new ByteColumn()
  const all = field.byteValues
  for (const entry of entries) {
    const end = entry + 1 < field.docCount ? field.valueStarts[entry + 1]! : (all?.count ?? 0)
    all?.addTo(column, docOfSlot[field.docs[entry]!]!, field.valueStarts[entry]!, end)
  }
  return column.length === 0 ? null : column
}

/** The field's completions; null when there are none. */
function completionsOf(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
): CompletionColumn | null {
  const column = new CompletionColumn(field.hasContexts)
  const all = field.byteValues
  for (const entry of entries) {
    const end = entry + 1 < field.docCount ? field.valueStarts[entry + 1]! : (all?.count ?? 0)
    const doc = docOfSlot[field.docs[entry]!]!
    for (let at = field.valueStarts[entry]!; at < end; at++)
      addCompletion(column, doc, all!.value(at))
  }
  return column.length === 0 ? null : column
}

/** The field's vectors; null when there are none. */
function vectorsOf(
  field: FieldBuffer,
  vectors: VectorLog,
  entries: Int32Array,
  docOfSlot: Int32Array,
): VectorColumn | null {
  const { log, terms } = field.tokens
  const column = new ByteColumn()
  for (const entry of entries) {
    const end = entry + 1 < field.docCount ? field.logStarts[entry + 1]! : log.length
    const own: number[] = []
    for (let at = field.logStarts[entry]!; at < end; at++) if (log[at]! >= 0) own.push(log[at]!)
    const vector = vectors.vector(entry, own, terms)
    if (vector !== null) column.push(docOfSlot[field.docs[entry]!]!, vector, 0, vector.length)
  }
  return column.length === 0 ? null : { parts: vectors.parts, vectors: column }
}

function planePoints(
  { boxWords }: FieldBuffer,
  numbers: NumericColumn | null,
  bytes: ByteColumn | null,
): PlanePoints | null {
  if (bytes !== null) return pointsOfBytes(bytes, boxWords)
  return numbers === null ? null : pointsOfNumbers(numbers)
}

/** The field's numbers by document, ascending within each. */
function sortedValues(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
): NumericColumn | null {
  const { values: all } = field
  const docs = new Int32Array(all.length)
  const values = new LongColumn(Math.max(all.length, 1))
  for (const entry of entries) {
    const doc = docOfSlot[field.docs[entry]!]!
    const start = field.valueStarts[entry]!
    const end = entry + 1 < field.docCount ? field.valueStarts[entry + 1]! : all.length
    const from = values.length
    for (let i = start; i < end; i++) {
      docs[values.length] = doc
      values.push(all.hi[i]!, all.lo[i]!)
    }
    if (end - start > 1) sortRange(values, from, values.length)
  }
  return values.length === 0 ? null : { docs, values, count: values.length }
}

/** Sorts a document's values: a few in place, many by an index. */
function sortRange(values: LongColumn, from: number, to: number): void {
  const { hi, lo } = values
  if (to - from > 32) {
    const order = Array.from({ length: to - from }, (_, i) => from + i)
    order.sort((a, b) => hi[a]! - hi[b]! || lo[a]! - lo[b]!)
    const sortedHi = order.map(i => hi[i]!)
    const sortedLo = order.map(i => lo[i]!)
    hi.set(sortedHi, from)
    lo.set(sortedLo, from)
    return
  }
  for (let i = from + 1; i < to; i++) {
    const h = hi[i]!
    const l = lo[i]!
    let at = i
    while (at > from && (hi[at - 1]! > h || (hi[at - 1] === h && lo[at - 1]! > l))) {
      hi[at] = hi[at - 1]!
      lo[at] = lo[at - 1]!
      at--
    }
    hi[at] = h
    lo[at] = l
  }
}
