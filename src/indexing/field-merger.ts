/**
 * Merges one field of several leaves: terms and postings in term order; norms, doc values and
 * points by merged documents. Reads the leaves in place; no document is parsed.
 */
import { PlanePoints } from '../codec/boxes/plane-points.ts'
import { ByteColumn } from '../codec/bytes/byte-column.ts'
import { CompletionColumn } from '../codec/completions/completion-column.ts'
import type { DenseVectorColumn } from '../codec/dense-vectors/vector-column.ts'
import type { FieldInfo, IndexOptions } from '../codec/directory/format.ts'
import { NO_MORE_DOCS } from '../codec/doc-id-iterator.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import { NO_NORM_CODE } from '../codec/norms/format.ts'
import { type FieldPostings, PostingsWriter } from '../codec/postings/writer.ts'
import type { TermsIterator } from '../codec/terms/reader.ts'
import { TRIANGLE_COLUMNS } from '../codec/triangles/format.ts'
import type { VectorColumn } from '../codec/vectors/writer.ts'
import { WordRows } from '../codec/word-rows.ts'
import { METADATA_NAMES } from '../schema/field-parser.ts'
import type { GraphMethod } from '../schema/knn-vector/graph-method.ts'
import type { Leaf } from '../segment/leaf.ts'
import { BitSet } from '../util/bit-set.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { DictionaryWriter } from './dictionary-writer.ts'
import type { FieldSections, NumericColumn } from './field-sections.ts'
import { type GraphSource, LOST_NODES } from './graph-draft.ts'
import { forEachDoc, type MergedDocs } from './merged-docs.ts'
import { forEachTerm } from './merged-terms.ts'
import { PostingsSorter } from './postings-sorter.ts'

/** A leaf that is merged. */
export interface MergedLeaf {
  readonly leaf: Leaf
  /** New document by old one; −1 for a dropped one. */
  readonly docMap: Int32Array
  /** Whether some of its documents may be dropped. */
  readonly hasDeletes: boolean
}

/** A leaf's part of a field. */
interface FieldPart extends MergedLeaf {
  readonly info: FieldInfo
  /** Ord of the leaf among the merged ones. */
  readonly ord: number
}

/** One field of several leaves. */
export class FieldMerger {
  readonly #goOn: () => void
  readonly #name: string
  readonly #docs: MergedDocs
  readonly #maxDoc: number
  readonly #parts: readonly FieldPart[]
  readonly #leaves: readonly Leaf[]
  readonly #info: FieldInfo
  readonly #hasNorms: boolean
  // The current term's postings.
  #termDocs = new Int32Array(128)
  #freqs = new Int32Array(128)
  #docCount = 0
  #positions = new Int32Array(256)
  #positionCount = 0

  /**
   * @param leaves min one of them has the field
   * @param docs   of the merged segment
   */
  constructor(name: string, leaves: readonly MergedLeaf[], docs: MergedDocs, goOn: () => void) {
    this.#name = name
    this.#goOn = goOn
    this.#docs = docs
    this.#maxDoc = docs.maxDoc
    const parts: FieldPart[] = []
    for (const [ord, leaf] of leaves.entries()) {
      const info = leaf.leaf.fieldInfo(name)
      if (info !== null) parts.push({ ...leaf, info, ord })
    }
    this.#parts = parts
    this.#leaves = parts.map(({ leaf }) => leaf)
    this.#info = parts[0]!.info
    // Documents indexed after norms were turned off have none: see `NO_NORM_CODE`.
    this.#hasNorms = parts.some(part => part.info.hasNorms)
  }

  /** Null when no live document has the field. */
  merge(): FieldSections | null {
    const { valueKind } = this.#info
    const hasCompletions = this.#parts.some(({ leaf }) => leaf.completions(this.#name) !== null)
    // Old segments keep the inputs of completions as terms, which nothing reads any more.
    const indexOptions = hasCompletions ? 'none' : this.#info.indexOptions
    const norms = this.#hasNorms ? this.#mergeNorms() : null
    const hasTerms = !hasCompletions && this.#parts.some(part => part.info.termCount > 0)
    const hasOrdinals = this.#parts.some(part => part.info.docValues === 'ordinals')
    const hasOrdinalPoints =
      valueKind === 'ordinal' && this.#parts.some(part => part.info.hasPoints)
    const ordMaps =
      hasOrdinals || hasOrdinalPoints
        ? this.#parts.map(part => new Int32Array(part.info.termCount).fill(-1))
        : null
    let postings: FieldPostings | null = null
    let termDocCount = 0
    let averageLength = 0
    if (hasTerms || indexOptions !== 'none') {
      if (indexOptions === 'none') postings = this.#mergeDictionary(ordMaps!)
      else {
        const merged = this.#mergePostings(indexOptions, norms?.codes ?? null, ordMaps)
        postings = merged.postings
        termDocCount = merged.termDocCount
        averageLength =
          termDocCount === 0 ? 0 : Math.fround(postings.sumTotalTermFreq / termDocCount)
      }
    }
    const hasValues = this.#parts.some(part => part.info.docValues === 'numeric')
    const values = hasValues ? this.#mergeValues() : null
    const ordinals = hasOrdinals ? this.#mergeOrdinals(ordMaps!) : null
    // Old segments have points for sequence numbers, which are not read.
    const hasPoints =
      !METADATA_NAMES.has(this.#name) && this.#parts.some(part => part.info.hasPoints)
    const points = !hasPoints ? null : (values ?? ordinals ?? this.#mergePoints(ordMaps))
    const ords = ordinals ?? (hasOrdinalPoints ? points : null)
    if (indexOptions === 'none' && ords !== null) termDocCount = this.#countDocuments(ords)
    const hasBytes = this.#parts.some(part => part.info.docValues === 'bytes')
    const bytes = hasBytes ? this.#mergeBytes() : null
    const boxes = this.#mergeBoxes()
    const triangles = this.#mergeTriangles()
    const dense = this.#mergeDenseVectors()
    const denseVectors = dense?.column ?? null
    const completions = hasCompletions ? this.#mergeCompletions() : null
    const vectors = this.#mergeVectors()
    const columns = [norms, values, points, bytes, boxes, triangles, denseVectors, completions]
    if ((postings?.termCount ?? 0) === 0 && columns.every(column => column === null)) return null
    return {
      name: this.#name,
      indexOptions,
      valueKind,
      postings,
      termDocCount,
      averageLength,
      norms,
      values,
      ordinals,
      bytes,
      points,
      boxes,
      triangles,
      denseVectors,
      graph: dense?.graph ?? null,
      completions,
      vectors,
    }
  }

  /** Null when no live document has a norm. */
  #mergeNorms(): FieldSections['norms'] {
    const codes = new Uint8Array(this.#maxDoc)
    const present = new BitSet(this.#maxDoc)
    let count = 0
    for (const { leaf, docMap } of this.#parts) {
      const norms = leaf.norms(this.#name)
      for (let doc = 0; doc < docMap.length; doc++) {
        const target = docMap[doc]!
        if (target < 0) continue
        codes[target] = norms === null ? NO_NORM_CODE : norms.code(doc)
        if (norms === null || !norms.has(doc)) continue
        present.add(target)
        count++
      }
    }
    return count === 0 ? null : { codes, present: count === this.#maxDoc ? null : present }
  }

  #mergePostings(
    indexOptions: IndexOptions,
    norms: Uint8Array | null,
    ordMaps: readonly Int32Array[] | null,
  ): { postings: FieldPostings; termDocCount: number } {
    const hasFreqs = indexOptions !== 'docs'
    const hasPositions = indexOptions === 'positions'
    const writer = new PostingsWriter({
      hasFreqs,
      hasPositions,
      norms,
      averageLength: norms === null ? 0 : this.#averageLength(),
    })
    const withTokens = new BitSet(this.#maxDoc)
    const sorter = this.#docs.origins === null ? null : new PostingsSorter(this.#maxDoc)
    let ord = 0
    forEachTerm(this.#leaves, this.#name, (term, at) => {
      this.#goOn()
      this.#docCount = 0
      this.#positionCount = 0
      for (const { part, iterator } of at)
        this.#appendPostings(this.#parts[part]!, iterator, hasFreqs, hasPositions)
      const count = this.#docCount
      if (count === 0) return
      for (let i = 0; i < count; i++) withTokens.add(this.#termDocs[i]!)
      const isSorted = sorter === null || count === 1
      if (!isSorted)
        sorter.sort(this.#termDocs, this.#freqs, count, hasPositions ? this.#positions : null)
      const docs = isSorted ? this.#termDocs : sorter.docs
      const freqs = isSorted ? this.#freqs : sorter.freqs
      const positions = isSorted ? this.#positions : sorter.positions
      writer.addTerm(
        term,
        0,
        term.length,
        docs,
        hasFreqs ? freqs : null,
        0,
        count,
        hasPositions ? positions : null,
        0,
      )
      if (ordMaps !== null)
        for (const { part, iterator } of at) ordMaps[part]![iterator.ord()] = ord
      ord++
    })
    return { postings: writer.finish(), termDocCount: withTokens.count() }
  }

  /** A dictionary for ordinals alone: the terms of live documents. */
  #mergeDictionary(ordMaps: readonly Int32Array[]): FieldPostings {
    const writer = new DictionaryWriter()
    const used = this.#parts.map(({ leaf, info, docMap }) => {
      const counts = new Int32Array(info.termCount)
      const ordinals = leaf.ordinals(this.#name)
      if (ordinals === null)
        leaf.points(this.#name)?.visitAll((doc, _hi, ord) => {
          if (docMap[doc]! >= 0) counts[ord] = counts[ord]! + 1
        })
      for (let doc = 0; ordinals !== null && doc < docMap.length; doc++) {
        if (docMap[doc]! < 0 || !ordinals.advanceExact(doc)) continue
        for (let i = 0; i < ordinals.valueCount(); i++) {
          const ord = ordinals.ord(i)
          counts[ord] = counts[ord]! + 1
        }
      }
      return counts
    })
    let sum = 0
    let ord = 0
    forEachTerm(this.#leaves, this.#name, (term, at) => {
      let docFreq = 0
      for (const { part, iterator } of at) docFreq += used[part]![iterator.ord()]!
      if (docFreq === 0) return
      writer.add(term, 0, term.length, docFreq)
      sum += docFreq
      for (const { part, iterator } of at) ordMaps[part]![iterator.ord()] = ord
      ord++
    })
    return writer.finish(sum)
  }

  #appendPostings(
    part: FieldPart,
    iterator: TermsIterator,
    hasFreqs: boolean,
    hasPositions: boolean,
  ): void {
    const { leaf, docMap } = part
    const mark = leaf.scratch.mark()
    const postings = leaf.postings(this.#name, iterator.state())
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
      const target = docMap[doc]!
      if (target < 0) continue
      if (this.#docCount === this.#termDocs.length) {
        this.#termDocs = grown(this.#termDocs)
        this.#freqs = grown(this.#freqs)
      }
      this.#termDocs[this.#docCount] = target
      const freq = hasFreqs ? postings.freq() : 1
      this.#freqs[this.#docCount++] = freq
      if (!hasPositions) continue
      while (this.#positionCount + freq > this.#positions.length)
        this.#positions = grown(this.#positions)
      for (let i = 0; i < freq; i++)
        this.#positions[this.#positionCount++] = postings.nextPosition()
    }
    leaf.scratch.release(mark)
  }

  /** Mean tokens of live documents that have any, computed before the terms, as impacts need it. */
  #averageLength(): number {
    let total = 0
    let docCount = 0
    for (const part of this.#parts) {
      if (!part.hasDeletes) {
        total += part.info.sumTotalTermFreq
        docCount += part.info.docCount
        continue
      }
      const { leaf, docMap } = part
      const withTokens = new BitSet(docMap.length)
      const terms = leaf.terms(this.#name)?.iterator()
      while (terms?.next()) {
        const mark = leaf.scratch.mark()
        const postings = leaf.postings(this.#name, terms.state())
        for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
          if (docMap[doc]! < 0) continue
          total += postings.freq()
          withTokens.add(doc)
        }
        leaf.scratch.release(mark)
      }
      docCount += withTokens.count()
    }
    return docCount === 0 ? 0 : Math.fround(total / docCount)
  }

  #mergeValues(): NumericColumn | null {
    const column = new GrowingColumn()
    const readers = this.#byLeaf(({ leaf }) => leaf.numericValues(this.#name))
    forEachDoc(this.#docs, (leaf, doc, target) => {
      const values = readers[leaf] ?? null
      if (values === null || !values.advanceExact(doc)) return
      const count = values.valueCount()
      for (let i = 0; i < count; i++) {
        values.select(i)
        column.push(target, values.hi(), values.lo())
      }
    })
    return column.finish()
  }

  #mergeOrdinals(ordMaps: readonly Int32Array[]): NumericColumn | null {
    const column = new GrowingColumn()
    const readers = this.#byLeaf(({ leaf }) => leaf.ordinals(this.#name))
    const maps = this.#byLeaf((_, part) => ordMaps[part]!)
    forEachDoc(this.#docs, (leaf, doc, target) => {
      const ordinals = readers[leaf] ?? null
      if (ordinals === null || !ordinals.advanceExact(doc)) return
      const ordMap = maps[leaf]!
      const count = ordinals.valueCount()
      // Terms keep their order, so ordinals within a document still ascend.
      for (let i = 0; i < count; i++) column.push(target, 0, ordMap[ordinals.ord(i)]!)
    })
    return column.finish()
  }

  /** A value for each part, by leaf ord; null for a leaf without the field. */
  #byLeaf<T>(of: (part: FieldPart, at: number) => T): (T | null)[] {
    const all: (T | null)[] = this.#docs.docMaps.map(() => null)
    for (const [at, part] of this.#parts.entries()) all[part.ord] = of(part, at)
    return all
  }

  /**
   * Points of a field without doc values.
   * @param ordMaps by part, for points that are ordinals; null: they are numbers
   */
  #mergePoints(ordMaps: readonly Int32Array[] | null): NumericColumn | null {
    const column = new GrowingColumn()
    for (const [part, { leaf, docMap }] of this.#parts.entries()) {
      const ordMap = ordMaps?.[part] ?? null
      leaf.points(this.#name)?.visitAll((doc, hi, lo) => {
        const target = docMap[doc]!
        if (target >= 0) column.push(target, hi, ordMap === null ? lo : ordMap[lo]!)
      })
    }
    return column.finish()
  }

  /** Null when no live document has a value. */
  #mergeBytes(): ByteColumn | null {
    const column = new ByteColumn()
    const readers = this.#byLeaf(({ leaf }) => leaf.bytes(this.#name))
    forEachDoc(this.#docs, (leaf, doc, target) => {
      const reader = readers[leaf] ?? null
      if (reader === null || !reader.advanceExact(doc)) return
      for (let i = 0; i < reader.valueCount(); i++) {
        const value = reader.value(i)
        column.push(target, value, 0, value.length)
      }
    })
    return column.length === 0 ? null : column
  }

  /** Null when no live document has a point of a plane. */
  #mergeBoxes(): PlanePoints | null {
    let points: PlanePoints | null = null
    for (const { leaf, docMap } of this.#parts) {
      const boxes = leaf.boxes(this.#name)
      boxes?.visitAll((doc, words) => {
        const target = docMap[doc]!
        if (target < 0) return
        points ??= new PlanePoints(boxes.wordCount)
        points.push(target, words)
      })
    }
    return points
  }

  /** Null when no live document has a triangle. */
  #mergeTriangles(): WordRows | null {
    const triangles = new WordRows(TRIANGLE_COLUMNS)
    for (const { leaf, docMap } of this.#parts)
      leaf.triangles(this.#name)?.visitAll((doc, words) => {
        const target = docMap[doc]!
        if (target >= 0) triangles.push(target, words)
      })
    return triangles.length === 0 ? null : triangles
  }

  /** Null when no live document has a vector of components. */
  #mergeDenseVectors(): { column: DenseVectorColumn; graph: GraphSource | null } | null {
    const readers = this.#byLeaf(({ leaf }) => leaf.denseVectors(this.#name))
    const first = readers.find(reader => reader !== null) ?? null
    if (first === null) return null
    const { element, dimension, method } = first
    const vectors = new ByteColumn()
    const newOrds = readers.map(reader => new Int32Array(reader?.count ?? 0).fill(-1))
    forEachDoc(this.#docs, (leaf, doc, target) => {
      const reader = readers[leaf] ?? null
      const ord = reader === null ? -1 : reader.ordOf(doc)
      if (reader === null || ord < 0) return
      const bytes = reader.bytes(ord)
      newOrds[leaf]![ord] = vectors.length
      vectors.push(target, bytes, 0, bytes.length)
    })
    if (vectors.length === 0) return null
    const column = { element, dimension, method, vectors }
    return { column, graph: method === null ? null : this.#largestGraph(method, newOrds) }
  }

  /**
   * The graph of the leaf with the most vectors, if it loses few of them; else null.
   * @param newOrds by leaf, new ord of each vector; −1: it is dropped
   */
  #largestGraph({ space, m }: GraphMethod, newOrds: readonly Int32Array[]): GraphSource | null {
    const graphs = this.#byLeaf(({ leaf }) => leaf.vectorGraph(this.#name))
    let largest: GraphSource | null = null
    for (const [leaf, graph] of graphs.entries()) {
      const ords = newOrds[leaf]!
      if (graph === null || graph.count !== ords.length) continue
      if (graph.m !== m || graph.space !== space) continue
      const lost = ords.reduce((sum, ord) => sum + (ord < 0 ? 1 : 0), 0)
      if (lost > LOST_NODES * graph.count) continue
      if (largest === null || graph.count > largest.graph.count) largest = { graph, ords }
    }
    return largest
  }

  /** Null when no live document has a completion. */
  #mergeCompletions(): CompletionColumn | null {
    let column: CompletionColumn | null = null
    const bytes = new ByteWriter(256)
    for (const { leaf, docMap } of this.#parts) {
      const reader = leaf.completions(this.#name)
      if (reader === null) continue
      column ??= new CompletionColumn(reader.hasContexts)
      const cursor = reader.cursor()
      for (let entry = 0; entry < reader.count; entry++) {
        cursor.moveTo(entry)
        const target = docMap[cursor.doc]!
        if (target < 0) continue
        bytes.clear()
        bytes.bytes(cursor.key, 0, cursor.keyLength)
        bytes.bytes(cursor.surface())
        column.push(target, cursor.weight, bytes.view(), 0, cursor.keyLength, bytes.length)
      }
    }
    return column === null || column.length === 0 ? null : column
  }

  /**
   * Null when no live document has a vector, or some leaf has the field's terms without any: it is from
   * before there were vectors, and its documents would look as if they had no tokens.
   */
  #mergeVectors(): VectorColumn | null {
    const readers = this.#byLeaf(({ leaf }) => leaf.vectors(this.#name))
    const parts = readers.find(reader => reader !== null)?.parts
    if (parts === undefined) return null
    if (this.#parts.some(({ info, ord }) => info.termCount > 0 && readers[ord] === null))
      return null
    const column = new ByteColumn()
    forEachDoc(this.#docs, (leaf, doc, target) => {
      const vector = readers[leaf]?.bytes(doc)
      if (vector !== undefined && vector.length > 0) column.push(target, vector, 0, vector.length)
    })
    return column.length === 0 ? null : { parts, vectors: column }
  }

  /** Distinct documents of a column. */
  #countDocuments({ docs, count }: NumericColumn): number {
    const seen = new BitSet(this.#maxDoc)
    for (let i = 0; i < count; i++) seen.add(docs[i]!)
    return seen.count()
  }
}

/** A column of documents and values that grows. */
class GrowingColumn {
  #docs = new Int32Array(256)
  readonly #values = new LongColumn(256)

  push(doc: number, hi: number, lo: number): void {
    if (this.#values.length === this.#docs.length) this.#docs = grown(this.#docs)
    this.#docs[this.#values.length] = doc
    this.#values.push(hi, lo)
  }

  /** Null when empty. */
  finish(): NumericColumn | null {
    const count = this.#values.length
    return count === 0 ? null : { docs: this.#docs, values: this.#values, count }
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
