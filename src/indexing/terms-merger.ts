import type { IndexOptions } from '../codec/directory/format.ts'
import { NO_MORE_DOCS } from '../codec/doc-id-iterator.ts'
import { type FieldPostings, PostingsWriter } from '../codec/postings/writer.ts'
import type { TermsIterator } from '../codec/terms/reader.ts'
import type { Leaf } from '../segment/leaf.ts'
import { BitSet } from '../util/bit-set.ts'
import { grown } from '../util/grown.ts'
import { DictionaryWriter } from './dictionary-writer.ts'
import type { FieldPart, MergedField } from './merged-field.ts'
import { forEachTerm } from './merged-terms.ts'
import { PostingsSorter } from './postings-sorter.ts'

/** Merges the terms of a field in their order, with postings or without. */
export class TermsMerger {
  readonly #field: MergedField
  readonly #leaves: readonly Leaf[]
  readonly #goOn: () => void
  // The current term's postings.
  #termDocs = new Int32Array(128)
  #freqs = new Int32Array(128)
  #docCount = 0
  #positions = new Int32Array(256)
  #positionCount = 0

  /** @param goOn called for each term; throws to abandon the merge */
  constructor(field: MergedField, goOn: () => void) {
    this.#field = field
    this.#leaves = field.parts.map(({ leaf }) => leaf)
    this.#goOn = goOn
  }

  /**
   * The postings of live documents.
   * @param norms   codes by document, for impacts; null: the field has none
   * @param ordMaps by part, receives the new ord of each term; null: nobody asks
   */
  postings(
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
    const withTokens = new BitSet(this.#field.docs.maxDoc)
    const sorter =
      this.#field.docs.origins === null ? null : new PostingsSorter(this.#field.docs.maxDoc)
    let ord = 0
    forEachTerm(this.#leaves, this.#field.name, (term, at) => {
      this.#goOn()
      this.#docCount = 0
      this.#positionCount = 0
      for (const { part, iterator } of at)
        this.#appendPostings(this.#field.parts[part]!, iterator, hasFreqs, hasPositions)
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
  dictionary(ordMaps: readonly Int32Array[]): FieldPostings {
    const writer = new DictionaryWriter()
    const used = this.#field.parts.map(({ leaf, info, docMap }) => {
      const counts = new Int32Array(info.termCount)
      const ordinals = leaf.ordinals(this.#field.name)
      if (ordinals === null)
        leaf.points(this.#field.name)?.visitAll((doc, _hi, ord) => {
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
    forEachTerm(this.#leaves, this.#field.name, (term, at) => {
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
    const postings = leaf.postings(this.#field.name, iterator.state())
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
      const target = docMap[doc]!
      if (target < 0) continue
      if (this.#docCount === this.#termDocs.length) {
        this.#termDocs = grown(this.#termDocs, 2 * this.#docCount)
        this.#freqs = grown(this.#freqs, 2 * this.#docCount)
      }
      this.#termDocs[this.#docCount] = target
      const freq = hasFreqs ? postings.freq() : 1
      this.#freqs[this.#docCount++] = freq
      if (!hasPositions) continue
      while (this.#positionCount + freq > this.#positions.length)
        this.#positions = grown(this.#positions, 2 * this.#positions.length)
      for (let i = 0; i < freq; i++)
        this.#positions[this.#positionCount++] = postings.nextPosition()
    }
    leaf.scratch.release(mark)
  }

  /** Mean tokens of live documents that have any, computed before the terms, as impacts need it. */
  #averageLength(): number {
    let total = 0
    let docCount = 0
    for (const part of this.#field.parts) {
      if (!part.hasDeletes) {
        total += part.info.sumTotalTermFreq
        docCount += part.info.docCount
        continue
      }
      const { leaf, docMap } = part
      const withTokens = new BitSet(docMap.length)
      const terms = leaf.terms(this.#field.name)?.iterator()
      while (terms?.next()) {
        const mark = leaf.scratch.mark()
        const postings = leaf.postings(this.#field.name, terms.state())
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
}
