/** Leaves straight from lists of postings, so that every shape of list can be had at any size. */
import type { FieldInfo, SectionKind } from '../../src/codec/directory/format.ts'
import { LongColumn } from '../../src/codec/doc-values/long-column.ts'
import { writeNumericDocValues, writeOrdinalDocValues } from '../../src/codec/doc-values/writer.ts'
import { CODED_LENGTHS } from '../../src/codec/norms/length-code.ts'
import { writeNorms } from '../../src/codec/norms/writer.ts'
import { writePoints } from '../../src/codec/points/writer.ts'
import { PostingsWriter } from '../../src/codec/postings/writer.ts'
import { DictionaryWriter } from '../../src/indexing/dictionary-writer.ts'
import { highHalf, lowHalf } from '../../src/search/query/point-value.ts'
import type { KeptSets } from '../../src/segment/kept-sets.ts'
import { Leaf, type SectionAddress } from '../../src/segment/leaf.ts'
import { liveDocsBytes } from '../../src/segment/live-docs.ts'
import type { TermBitSets } from '../../src/segment/term-bit-sets.ts'
import type { BitSet } from '../../src/util/bit-set.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import type { TestArena } from './test-arena.ts'

/** The postings of one term. */
export interface PostingsList {
  readonly docs: Int32Array
  readonly freqs: Int32Array
  /** Of document after document, as many as its frequency; null in a field without positions. */
  readonly positions: Int32Array | null
}

/** A field of a leaf. */
export interface PostingsField {
  readonly name: string
  /** In ascending order of their terms. */
  readonly lists: readonly (readonly [term: string, list: PostingsList])[]
  /** Length codes by document; null for a field without norms. */
  readonly codes: Uint8Array | null
}

/** A column of numbers, ascending by document, and their points. */
export interface NumbersField {
  readonly name: string
  readonly docs: Int32Array
  readonly values: readonly bigint[]
}

/** A keyword's ordinals, ascending by document, and its terms, which are ascending too. */
export interface KeywordsField {
  readonly name: string
  readonly docs: Int32Array
  readonly ords: Int32Array
  readonly terms: readonly string[]
}

/** A leaf of these fields; `live` null when nothing is deleted. */
export function postingsLeaf(
  arena: TestArena,
  fields: readonly PostingsField[],
  maxDoc: number,
  live: BitSet | null,
  place: { readonly uid: number; readonly ord: number; readonly docBase: number },
  numbers: NumbersField | null = null,
  keptSets: KeptSets | null = null,
  termBitSets: TermBitSets | null = null,
  keywords: KeywordsField | null = null,
): Leaf {
  const infos: FieldInfo[] = []
  const sections: SectionAddress[] = []
  arena.beginLeaf(place.ord)
  fields.forEach(({ name, lists, codes }, number) => {
    const add = (kind: SectionKind, bytes: Uint8Array): void => {
      const { start, length } = arena.section(bytes)
      sections.push({ kind, field: number, start, length })
    }
    let total = 0
    for (const code of codes ?? []) total += CODED_LENGTHS[code]!
    const averageLength = codes === null ? 7 : Math.fround(Math.max(total, 1) / maxDoc)
    const hasPositions = lists.every(([, { positions }]) => positions !== null)
    const writer = new PostingsWriter({
      hasFreqs: true,
      hasPositions,
      norms: codes,
      averageLength,
    })
    for (const [term, { docs, freqs, positions }] of lists) {
      const bytes = encodeUtf8(term)
      writer.addTerm(bytes, 0, bytes.length, docs, freqs, 0, docs.length, positions, 0)
    }
    const made = writer.finish()
    infos.push({
      number,
      name,
      indexOptions: hasPositions ? 'positions' : 'freqs',
      hasNorms: codes !== null,
      docValues: 'none',
      valueKind: 'long',
      multiValued: false,
      hasPoints: false,
      docCount: maxDoc,
      sumDocFreq: made.sumDocFreq,
      sumTotalTermFreq: Math.max(total, made.sumTotalTermFreq),
      averageLength,
      termCount: made.termCount,
    })
    add('terms', made.terms)
    add('postings', made.postings)
    if (made.positions !== null) add('positions', made.positions)
    if (codes !== null) add('norms', writeNorms(codes, null))
  })
  if (numbers !== null && numbers.docs.length > 0) {
    const { name, docs, values } = numbers
    const number = infos.length
    const column = new LongColumn()
    for (const value of values) column.push(highHalf(value), lowHalf(value))
    const docCount = new Set(docs).size
    const bytes = writeNumericDocValues(docs, column, docs.length, maxDoc, 'long')
    const { start, length } = arena.section(bytes)
    sections.push({ kind: 'numericValues', field: number, start, length })
    const points = arena.section(writePoints(docs, column, docs.length, maxDoc))
    sections.push({ kind: 'points', field: number, start: points.start, length: points.length })
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
  }
  if (keywords !== null && keywords.docs.length > 0) {
    const { name, docs, ords, terms } = keywords
    const number = infos.length
    const column = new LongColumn()
    for (const ord of ords) column.push(0, ord)
    const dictionary = new DictionaryWriter()
    for (const term of terms) {
      const bytes = encodeUtf8(term)
      dictionary.add(bytes, 0, bytes.length, 1)
    }
    const made = dictionary.finish(docs.length)
    const values = arena.section(writeOrdinalDocValues(docs, column, docs.length, maxDoc))
    sections.push({ kind: 'ordinals', field: number, start: values.start, length: values.length })
    const found = arena.section(made.terms)
    sections.push({ kind: 'terms', field: number, start: found.start, length: found.length })
    infos.push({
      number,
      name,
      indexOptions: 'none',
      hasNorms: false,
      docValues: 'ordinals',
      valueKind: 'ordinal',
      multiValued: new Set(docs).size < docs.length,
      hasPoints: false,
      docCount: new Set(docs).size,
      sumDocFreq: docs.length,
      sumTotalTermFreq: docs.length,
      averageLength: 0,
      termCount: terms.length,
    })
  }
  let liveDocs = -1
  if (live !== null) {
    liveDocs = arena.allocate(liveDocsBytes(maxDoc))
    arena.views.i32.set(live.words, liveDocs >> 2)
  }
  const liveCount = live === null ? maxDoc : live.count()
  const record = {
    ...place,
    name: 'lists',
    maxDoc,
    arena: 0,
    fields: infos,
    sections,
    keptSets: [],
    liveDocs,
    liveCount,
  }
  const kernels = arena.kernelsOf(place.ord)
  return new Leaf(record, arena.views, kernels, arena.scratch, null, keptSets, termBitSets)
}
