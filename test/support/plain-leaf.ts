/** Segments straight from plain documents, through the codec's writers: no analysis, no parsing. */
import type { FieldInfo, SectionKind } from '../../src/codec/directory/format.ts'
import { LongColumn } from '../../src/codec/doc-values/long-column.ts'
import { writeNumericDocValues, writeOrdinalDocValues } from '../../src/codec/doc-values/writer.ts'
import { writeIds } from '../../src/codec/ids/writer.ts'
import { encodeLength } from '../../src/codec/norms/length-code.ts'
import { writeNorms } from '../../src/codec/norms/writer.ts'
import { writePoints } from '../../src/codec/points/writer.ts'
import { PostingsWriter } from '../../src/codec/postings/writer.ts'
import { highHalf, lowHalf } from '../../src/search/query/point-value.ts'
import { Leaf, type LeafLoader, type SectionAddress } from '../../src/segment/leaf.ts'
import { liveDocsBytes } from '../../src/segment/live-docs.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { compareBytes, encodeUtf8 } from '../../src/util/bytes.ts'
import type { PlainShape } from './shapes/plain-shapes.ts'
import type { TestArena } from './test-arena.ts'

/** A document as the oracle sees it. A field that is absent is not in its map. */
export interface PlainDocument {
  readonly id: string
  /** Tokens at positions 0, 1, …; an empty string leaves a position out. `[]` is an empty text. */
  readonly text: ReadonlyMap<string, readonly string[]>
  readonly keywords: ReadonlyMap<string, readonly string[]>
  /** Sortable integers, ascending. */
  readonly numbers: ReadonlyMap<string, readonly bigint[]>
  /** Degrees that doc values keep exactly; leaves made here have none. */
  readonly places?: ReadonlyMap<string, readonly { readonly lat: number; readonly lon: number }[]>
  /** Shapes as an index keeps them; leaves made here have none. */
  readonly shapes?: ReadonlyMap<string, PlainShape>
  /** Components of vectors; leaves made here have none. */
  readonly vectors?: ReadonlyMap<string, readonly number[]>
  /** Numbers by feature; leaves made here have none. */
  readonly features?: ReadonlyMap<string, Readonly<Record<string, number>>>
  /** Nested objects by path; leaves made here have none. */
  readonly objects?: ReadonlyMap<string, readonly PlainDocument[]>
  readonly isLive: boolean
}

/** Which fields there are. */
export interface PlainFields {
  readonly text: readonly string[]
  readonly keywords: readonly string[]
  readonly numbers: readonly string[]
}

/** A leaf of these documents, its sections copied into the arena. */
export function plainLeaf(
  arena: TestArena,
  documents: readonly PlainDocument[],
  fields: PlainFields,
  place: { readonly uid: number; readonly ord: number; readonly docBase: number },
  loader: LeafLoader | null = null,
): Leaf {
  const maxDoc = documents.length
  arena.beginLeaf(place.ord)
  const infos: FieldInfo[] = []
  const sections: SectionAddress[] = []
  const add = (kind: SectionKind, field: number, bytes: Uint8Array): void => {
    const { start, length } = arena.section(bytes)
    sections.push({ kind, field, start, length })
  }
  for (const name of fields.text) addText(name)
  for (const name of fields.keywords) addKeyword(name)
  for (const name of fields.numbers) addNumber(name)
  addIds()
  const live = documents.filter(document => document.isLive).length
  let liveDocs = -1
  if (live < maxDoc) {
    const bits = new BitSet(maxDoc)
    documents.forEach((document, doc) => {
      if (document.isLive) bits.add(doc)
    })
    liveDocs = arena.allocate(liveDocsBytes(maxDoc))
    arena.views.i32.set(bits.words, liveDocs >> 2)
  }
  const record = {
    ...place,
    name: 'plain',
    maxDoc,
    arena: 0,
    fields: infos,
    sections,
    keptSets: [],
    liveDocs,
    liveCount: live,
  }
  return new Leaf(record, arena.views, arena.kernelsOf(place.ord), arena.scratch, loader)

  function addText(name: string): void {
    const codes = new Uint8Array(maxDoc)
    const present = new BitSet(maxDoc)
    const terms = new Map<string, { docs: number[]; freqs: number[]; positions: number[] }>()
    let docCount = 0
    let total = 0
    documents.forEach((document, doc) => {
      const tokens = document.text.get(name)
      if (tokens === undefined) return
      present.add(doc)
      const length = tokens.filter(token => token !== '').length
      codes[doc] = encodeLength(length)
      total += length
      if (length > 0) docCount++
      tokens.forEach((token, position) => {
        if (token === '') return
        let postings = terms.get(token)
        if (postings === undefined)
          terms.set(token, (postings = { docs: [], freqs: [], positions: [] }))
        const last = postings.docs.length - 1
        if (postings.docs[last] === doc) postings.freqs[last] = (postings.freqs[last] ?? 0) + 1
        else {
          postings.docs.push(doc)
          postings.freqs.push(1)
        }
        postings.positions.push(position)
      })
    })
    if (present.count() === 0) return
    const averageLength = docCount === 0 ? 1 : Math.fround(total / docCount)
    const writer = new PostingsWriter({
      hasFreqs: true,
      hasPositions: true,
      norms: codes,
      averageLength,
    })
    for (const [term, { docs, freqs, positions }] of sorted(terms))
      writer.addTerm(
        term,
        0,
        term.length,
        Int32Array.from(docs),
        Int32Array.from(freqs),
        0,
        docs.length,
        Int32Array.from(positions),
        0,
      )
    const number = infos.length
    const made = writer.finish()
    infos.push({
      number,
      name,
      indexOptions: 'positions',
      hasNorms: true,
      docValues: 'none',
      valueKind: 'long',
      multiValued: false,
      hasPoints: false,
      docCount,
      sumDocFreq: made.sumDocFreq,
      sumTotalTermFreq: made.sumTotalTermFreq,
      averageLength,
      termCount: made.termCount,
    })
    add('terms', number, made.terms)
    add('postings', number, made.postings)
    if (made.positions !== null) add('positions', number, made.positions)
    add('norms', number, writeNorms(codes, present))
  }

  function addKeyword(name: string): void {
    const terms = new Map<string, number[]>()
    documents.forEach((document, doc) => {
      for (const term of new Set(document.keywords.get(name) ?? [])) {
        const docs = terms.get(term)
        if (docs === undefined) terms.set(term, [doc])
        else docs.push(doc)
      }
    })
    if (terms.size === 0) return
    const writer = new PostingsWriter({
      hasFreqs: false,
      hasPositions: false,
      norms: null,
      averageLength: 0,
    })
    const pairs: [number, number][] = []
    sorted(terms).forEach(([term, docs], ord) => {
      writer.addTerm(term, 0, term.length, Int32Array.from(docs), null, 0, docs.length, null, 0)
      for (const doc of docs) pairs.push([doc, ord])
    })
    pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    const ords = new LongColumn()
    for (const [, ord] of pairs) ords.push(0, ord)
    const docs = Int32Array.from(pairs, pair => pair[0])
    const docCount = new Set(docs).size
    const number = infos.length
    const made = writer.finish()
    infos.push({
      number,
      name,
      indexOptions: 'docs',
      hasNorms: false,
      docValues: 'ordinals',
      valueKind: 'ordinal',
      multiValued: docCount < docs.length,
      hasPoints: false,
      docCount,
      sumDocFreq: made.sumDocFreq,
      sumTotalTermFreq: made.sumTotalTermFreq,
      averageLength: 0,
      termCount: made.termCount,
    })
    add('terms', number, made.terms)
    add('postings', number, made.postings)
    add('ordinals', number, writeOrdinalDocValues(docs, ords, docs.length, maxDoc))
  }

  function addNumber(name: string): void {
    const docs: number[] = []
    const values = new LongColumn()
    documents.forEach((document, doc) => {
      for (const value of document.numbers.get(name) ?? []) {
        docs.push(doc)
        values.push(highHalf(value), lowHalf(value))
      }
    })
    if (docs.length === 0) return
    const list = Int32Array.from(docs)
    const docCount = new Set(docs).size
    const number = infos.length
    infos.push({
      number,
      name,
      indexOptions: 'none',
      hasNorms: false,
      docValues: 'numeric',
      valueKind: 'long',
      multiValued: docCount < docs.length,
      hasPoints: true,
      docCount,
      sumDocFreq: 0,
      sumTotalTermFreq: 0,
      averageLength: 0,
      termCount: 0,
    })
    add('numericValues', number, writeNumericDocValues(list, values, docs.length, maxDoc, 'long'))
    add('points', number, writePoints(list, values, docs.length, maxDoc))
  }

  function addIds(): void {
    const parts = documents.map(document => encodeUtf8(document.id))
    const offsets = new Uint32Array(maxDoc + 1)
    parts.forEach((part, doc) => {
      offsets[doc + 1] = (offsets[doc] ?? 0) + part.length
    })
    add('ids', -1, writeIds(Uint8Array.from(parts.flatMap(part => [...part])), offsets, maxDoc))
  }
}

function sorted<T>(terms: ReadonlyMap<string, T>): [Uint8Array, T][] {
  const entries = [...terms].map(([term, value]): [Uint8Array, T] => [encodeUtf8(term), value])
  return entries.sort((a, b) => compareBytes(a[0], b[0]))
}
