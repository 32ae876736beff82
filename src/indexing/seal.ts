/**
 * Makes a segment of a buffer: the live documents, in order of their slots, renumbered without
 * gaps. The buffer is not changed.
 */
import { SegmentWriter } from '../codec/directory/writer.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import { writeIds } from '../codec/ids/writer.ts'
import { NO_NORM_CODE } from '../codec/norms/format.ts'
import { encodeLength } from '../codec/norms/length-code.ts'
import { type FieldPostings, PostingsWriter } from '../codec/postings/writer.ts'
import { StoredWriter } from '../codec/stored/writer.ts'
import { TermsWriter } from '../codec/terms/writer.ts'
import { BitSet } from '../util/bit-set.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import type { BufferMemory } from './buffer-memory.ts'
import type { FieldBuffer } from './field-buffer.ts'
import { addFieldSections, type FieldSections, type NumericColumn } from './field-sections.ts'
import type { InvertedBuffer } from './inverted-buffer.ts'
import { sortedTerms, type TermBytes } from './term-order.ts'

/** What the coordinator knows of the slots. */
export interface SealNumbers {
  /** By slot, `slotCount` of each. */
  readonly seqNos: Float64Array
  readonly versions: Float64Array
  readonly primaryTerms: Float64Array
  /** Slots that were superseded or refused, ascending. */
  readonly deadSlots: Int32Array
  /** 16 random bytes that the segment's files carry. */
  readonly segmentId: Uint8Array
  /** Milliseconds since 1970. */
  readonly created: number
}

/** A segment's two files. */
export interface SealedSegment {
  readonly segment: Uint8Array
  readonly stored: Uint8Array
  readonly maxDoc: number
  /** By slot its document, −1 for a dead one; null when slots are documents. */
  readonly docOfSlot: Int32Array | null
}

/** Encodes the buffer's live documents as a segment. */
export function sealBuffer(buffer: InvertedBuffer, numbers: SealNumbers): SealedSegment {
  const { slotCount } = buffer
  const docOfSlot = new Int32Array(slotCount)
  for (const slot of numbers.deadSlots) docOfSlot[slot] = -1
  let maxDoc = 0
  for (let slot = 0; slot < slotCount; slot++) if (docOfSlot[slot] === 0) docOfSlot[slot] = maxDoc++
  const writer = new SegmentWriter(numbers.segmentId)
  const { stored, ids } = writeDocuments(buffer, docOfSlot, maxDoc, numbers.segmentId)
  writer.addSection('ids', -1, ids)
  const fields: FieldSections[] = []
  for (const field of buffer.fields.values()) {
    const sections = sealField(buffer.memory, field, docOfSlot, maxDoc)
    if (sections !== null) fields.push(sections)
  }
  const columns: [string, Float64Array][] = [
    ['_seq_no', numbers.seqNos],
    ['_version', numbers.versions],
    ['_primary_term', numbers.primaryTerms],
  ]
  let minSeqNo = -1
  let maxSeqNo = -1
  for (const [name, bySlot] of columns) {
    const docs = new Int32Array(maxDoc)
    const values = new LongColumn(Math.max(maxDoc, 1))
    for (let slot = 0; slot < slotCount; slot++) {
      const doc = docOfSlot[slot]!
      if (doc < 0) continue
      docs[doc] = doc
      values.pushNumber(bySlot[slot]!)
    }
    const column: NumericColumn = { docs, values, count: maxDoc }
    if (name === '_seq_no')
      for (let doc = 0; doc < maxDoc; doc++) {
        const seqNo = values.number(doc)
        if (minSeqNo < 0 || seqNo < minSeqNo) minSeqNo = seqNo
        if (seqNo > maxSeqNo) maxSeqNo = seqNo
      }
    if (maxDoc > 0) fields.push(numericField(name, column, name === '_seq_no'))
  }
  // Numbered by name: the file is a function of the documents alone.
  fields.sort((a, b) => (a.name < b.name ? -1 : 1))
  const infos = fields.map((field, number) => addFieldSections(writer, number, field, maxDoc))
  const segment = writer.finish({
    maxDoc,
    fields: infos,
    storedLength: stored.length,
    minSeqNo,
    maxSeqNo,
    created: numbers.created,
  })
  return { segment, stored, maxDoc, docOfSlot: maxDoc === slotCount ? null : docOfSlot }
}

/** A field of numbers alone. */
export function numericField(
  name: string,
  column: NumericColumn,
  hasPoints: boolean,
): FieldSections {
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
    points: hasPoints ? column : null,
  }
}

function writeDocuments(
  buffer: InvertedBuffer,
  docOfSlot: Int32Array,
  maxDoc: number,
  segmentId: Uint8Array,
): { stored: Uint8Array; ids: Uint8Array } {
  const words = (writer: ByteWriter): Uint32Array => new Uint32Array(writer.copy().buffer)
  const idStarts = words(buffer.idOffsets)
  const sourceStarts = words(buffer.sourceOffsets)
  const allIds = buffer.ids.view()
  const allSources = buffer.sources.view()
  const stored = new StoredWriter(segmentId)
  const ids = new ByteWriter(allIds.length)
  const offsets = new Uint32Array(maxDoc + 1)
  for (let slot = 0; slot < docOfSlot.length; slot++) {
    const doc = docOfSlot[slot]!
    if (doc < 0) continue
    const isLast = slot + 1 === docOfSlot.length
    ids.bytes(allIds, idStarts[slot]!, isLast ? allIds.length : idStarts[slot + 1]!)
    offsets[doc + 1] = ids.length
    const end = isLast ? allSources.length : sourceStarts[slot + 1]!
    stored.add(allSources, sourceStarts[slot]!, end)
  }
  return { stored: stored.finish(), ids: writeIds(ids.view(), offsets, maxDoc) }
}

/** Null when no live document has the field. */
function sealField(
  memory: BufferMemory,
  field: FieldBuffer,
  docOfSlot: Int32Array,
  maxDoc: number,
): FieldSections | null {
  const live = new Int32Array(field.docCount)
  let count = 0
  for (let i = 0; i < field.docCount; i++) if (docOfSlot[field.docs[i]!]! >= 0) live[count++] = i
  if (count === 0) return null
  const entries = live.subarray(0, count)
  const hasTerms = field.indexOptions !== 'none' || field.docValues === 'ordinals'
  const inverted = hasTerms ? invert(memory, field, entries, docOfSlot, maxDoc) : null
  const numbers =
    field.docValues === 'numeric' || field.hasPoints
      ? sortedValues(field, entries, docOfSlot)
      : null
  // Texts without a token leave no trace but their norms.
  const isEmpty = (inverted?.postings.termCount ?? 0) === 0 && numbers === null
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
    ordinals: inverted?.ordinals ?? null,
    points: field.hasPoints ? numbers : null,
  }
}

interface Inverted {
  readonly postings: FieldPostings
  readonly termDocCount: number
  readonly averageLength: number
  readonly norms: FieldSections['norms']
  readonly ordinals: NumericColumn | null
}

/** Ints per term while a field is inverted, so that a token touches one cache line. */
const STATE = 4
/** The last document seen, plus one; documents; tokens. Then where the next of each goes. */
const SEEN = 0
const DOCS = 1
const TOKENS = 2

function invert(
  memory: BufferMemory,
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  maxDoc: number,
): Inverted {
  const { terms } = field.tokens
  return memory.withInts(STATE * terms.count, states => {
    const counts = countTokens(field, entries, docOfSlot, states)
    const { termDocCount, tokenCount, pairCount } = counts
    const docFreqs = Int32Array.from({ length: terms.count }, (_, i) => states[STATE * i + DOCS]!)
    const order = sortedTerms(terms, docFreqs)
    const ordinals =
      field.docValues === 'ordinals' ? ordinalColumn(field, entries, docOfSlot, order) : null
    if (field.indexOptions === 'none') {
      const postings = dictionary(field, order, docFreqs, pairCount)
      return { postings, termDocCount, averageLength: 0, norms: null, ordinals }
    }
    // Without frequencies a document counts once for each of its terms.
    const sumTotalTermFreq = field.indexOptions === 'docs' ? pairCount : tokenCount
    const averageLength = termDocCount === 0 ? 0 : Math.fround(sumTotalTermFreq / termDocCount)
    const norms = field.hasNorms ? norm(field, entries, docOfSlot, maxDoc) : null
    const writer = new PostingsWriter({
      hasFreqs: field.indexOptions !== 'docs',
      hasPositions: field.hasPositions,
      norms: norms?.codes ?? null,
      averageLength,
    })
    startPlaces(states, order)
    const positionStart = field.indexOptions === 'docs' ? pairCount : 2 * pairCount
    memory.withInts(positionStart + (field.hasPositions ? tokenCount : 0), places => {
      const postings: SortedPostings = {
        docs: places.subarray(0, pairCount),
        freqs: positionStart === pairCount ? null : places.subarray(pairCount, 2 * pairCount),
        positions: field.hasPositions ? places.subarray(positionStart) : null,
      }
      placeTokens(field, entries, docOfSlot, states, postings)
      writeTerms(writer, terms, order, states, postings)
    })
    return { postings: writer.finish(), termDocCount, averageLength, norms, ordinals }
  })
}

interface TokenCounts {
  readonly termDocCount: number
  readonly tokenCount: number
  /** Documents, over all terms. */
  readonly pairCount: number
}

/** First walk: how many documents and tokens each term has. */
function countTokens(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  states: Int32Array,
): TokenCounts {
  const { log } = field.tokens
  const { docs, logStarts, docCount } = field
  let termDocCount = 0
  let tokenCount = 0
  let pairCount = 0
  for (const entry of entries) {
    const seen = docOfSlot[docs[entry]!]! + 1
    const end = entry + 1 < docCount ? logStarts[entry + 1]! : log.length
    const before = tokenCount
    for (let at = logStarts[entry]!; at < end; at++) {
      const term = log[at]!
      if (term < 0) continue
      tokenCount++
      const state = STATE * term
      states[state + TOKENS] = states[state + TOKENS]! + 1
      if (states[state + SEEN] !== seen) {
        states[state + SEEN] = seen
        states[state + DOCS] = states[state + DOCS]! + 1
        pairCount++
      }
    }
    if (tokenCount > before) termDocCount++
  }
  return { termDocCount, tokenCount, pairCount }
}

/** Counts become the places where each term's documents and tokens start. */
function startPlaces(states: Int32Array, order: Int32Array): void {
  let pairs = 0
  let tokens = 0
  for (const term of order) {
    const state = STATE * term
    const docs = states[state + DOCS]!
    const count = states[state + TOKENS]!
    states[state + SEEN] = 0
    states[state + DOCS] = pairs
    states[state + TOKENS] = tokens
    pairs += docs
    tokens += count
  }
}

/** Postings by term and document; null what the field does not keep. */
interface SortedPostings {
  readonly docs: Int32Array
  readonly freqs: Int32Array | null
  readonly positions: Int32Array | null
}

/** Second walk: each term's documents, frequencies and positions to their places. */
function placeTokens(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  states: Int32Array,
  { docs, freqs, positions }: SortedPostings,
): void {
  const { log } = field.tokens
  const { docs: slots, logStarts, docCount } = field
  for (const entry of entries) {
    const doc = docOfSlot[slots[entry]!]!
    const end = entry + 1 < docCount ? logStarts[entry + 1]! : log.length
    let position = -1
    let increment = 1
    for (let at = logStarts[entry]!; at < end; at++) {
      const term = log[at]!
      if (term < 0) {
        increment = -1 - term
        continue
      }
      const state = STATE * term
      let pair = states[state + DOCS]!
      if (states[state + SEEN] !== doc + 1) {
        states[state + SEEN] = doc + 1
        docs[pair] = doc
        states[state + DOCS] = ++pair
      }
      if (freqs !== null) freqs[pair - 1] = freqs[pair - 1]! + 1
      if (positions !== null) {
        position += increment
        increment = 1
        const place = states[state + TOKENS]!
        positions[place] = position
        states[state + TOKENS] = place + 1
      }
    }
  }
}

/** Each term's places end where the walk left off, and the next one's begin there. */
function writeTerms(
  writer: PostingsWriter,
  { bytes, offsets }: TermBytes,
  order: Int32Array,
  states: Int32Array,
  { docs, freqs, positions }: SortedPostings,
): void {
  let from = 0
  let positionsFrom = 0
  for (const term of order) {
    const end = states[STATE * term + DOCS]!
    const start = offsets[term]!
    writer.addTerm(
      bytes,
      start,
      offsets[term + 1]!,
      docs,
      freqs,
      from,
      end,
      positions,
      positionsFrom,
    )
    from = end
    positionsFrom = states[STATE * term + TOKENS]!
  }
}

/** A dictionary for ordinals alone. */
function dictionary(
  field: FieldBuffer,
  order: Int32Array,
  docFreqs: Int32Array,
  sumDocFreq: number,
): FieldPostings {
  const { bytes, offsets } = field.tokens.terms
  const writer = new DictionaryWriter()
  for (const term of order) writer.add(bytes, offsets[term]!, offsets[term + 1]!, docFreqs[term]!)
  return writer.finish(sumDocFreq)
}

/** Writes the terms of a field that has ordinals and no postings. */
export class DictionaryWriter {
  readonly #terms = new TermsWriter(0)

  add(bytes: Uint8Array, start: number, end: number, docFreq: number): void {
    this.#terms.startTerm(bytes, start, end, { firstBlock: 0, tailAt: 0, positionsAt: 0 })
    this.#terms.entries.varint(docFreq)
  }

  finish(sumDocFreq: number): FieldPostings {
    return {
      terms: this.#terms.finish(),
      postings: new Uint8Array(0),
      positions: null,
      termCount: this.#terms.termCount,
      sumDocFreq,
      sumTotalTermFreq: sumDocFreq,
    }
  }
}

function norm(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  maxDoc: number,
): FieldSections['norms'] {
  const codes = new Uint8Array(maxDoc)
  const isEvery = entries.length === maxDoc && field.normedCount >= field.docCount
  const present = isEvery ? null : new BitSet(maxDoc)
  for (const entry of entries) {
    const doc = docOfSlot[field.docs[entry]!]!
    if (entry >= field.normedCount) {
      codes[doc] = NO_NORM_CODE
      continue
    }
    codes[doc] = encodeLength(field.lengths[entry]!)
    present?.add(doc)
  }
  return { codes, present }
}

function ordinalColumn(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  order: Int32Array,
): NumericColumn | null {
  const { log, terms } = field.tokens
  const ordOf = new Int32Array(terms.count)
  for (const [ord, term] of order.entries()) ordOf[term] = ord
  const docs = new Int32Array(log.length)
  const values = new LongColumn(Math.max(log.length, 1))
  let ords = new Int32Array(16)
  for (const entry of entries) {
    const doc = docOfSlot[field.docs[entry]!]!
    const start = field.logStarts[entry]!
    const end = entry + 1 < field.docCount ? field.logStarts[entry + 1]! : log.length
    const count = end - start
    if (count > ords.length) ords = new Int32Array(count * 2)
    for (let i = 0; i < count; i++) ords[i] = ordOf[log[start + i]!]!
    if (count > 1) ords.subarray(0, count).sort()
    for (let i = 0; i < count; i++) {
      if (i > 0 && ords[i] === ords[i - 1]) continue
      docs[values.length] = doc
      values.push(0, ords[i]!)
    }
  }
  return values.length === 0 ? null : { docs, values, count: values.length }
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

/** Sorts a document's few values in place; many of them by an index. */
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
