import type { SectionKind } from '../codec/directory/format.ts'
import { NumericValuesReader, OrdinalsReader } from '../codec/doc-values/reader.ts'
import { type IdsReader, openIds } from '../codec/ids/reader.ts'
import type { ManifestFile } from '../codec/manifest/format.ts'
import { ParentsReader } from '../codec/parents/reader.ts'
import type { Section } from '../codec/section.ts'
import { TermsReader } from '../codec/terms/reader.ts'
import type { Pins } from '../segment/pins.ts'
import type { Segment } from '../segment/segment.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import { LiveDocsCopy } from '../segment/snapshot.ts'
import { BitSet } from '../util/bit-set.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { type Long, longOfHalves } from '../util/long.ts'
import type { CurrentDocument } from './write-operation.ts'

/**
 * A sealed segment with its current deletes, the write side's state. Searches use frozen copies of
 * the live docs, made at each refresh that needs one.
 */
export class LiveSegment {
  readonly segment: Segment
  /** Its two files as listed in a commit point. */
  readonly files: readonly ManifestFile[]
  /** A commit has synced the files. */
  isDurable: boolean
  /** A merge reads it: it stays in the list until the merge ends. */
  isMerging = false
  readonly #memory: SegmentMemory
  readonly #pins: Pins
  readonly #ids: IdsReader
  /** Null without nested documents. */
  readonly #parents: ParentsReader | null
  #live: BitSet | null
  #liveCount: number
  /** Deletes since `#copy` was made. */
  #isDirty = false
  #copy: LiveDocsCopy | null = null
  /** Generation of the last written live-docs file, and whether deletes came since. */
  #generation: number
  #liveFile: ManifestFile | null
  #isFileStale = false

  /**
   * @param live live documents, null when all are; ownership moves here
   * @param liveFile their file, null when there is none
   */
  constructor(
    memory: SegmentMemory,
    segment: Segment,
    files: readonly ManifestFile[],
    isDurable: boolean,
    live: BitSet | null,
    generation: number,
    liveFile: ManifestFile | null,
  ) {
    this.segment = segment
    this.files = files
    this.isDurable = isDurable
    this.#memory = memory
    this.#pins = memory.newPins()
    // The ids are always loaded: every write of a known id looks here.
    this.#ids = openIds(this.#section('ids', -1, this.#pins)!)
    const parents = this.#section('parents', -1, this.#pins)
    this.#parents = parents === null ? null : new ParentsReader(parents)
    this.#live = live
    this.#liveCount = live === null ? segment.maxDoc : live.count()
    this.#generation = generation
    this.#liveFile = liveFile
    this.#isDirty = live !== null
  }

  get maxDoc(): number {
    return this.segment.maxDoc
  }

  get liveCount(): number {
    return this.#liveCount
  }

  get deletedCount(): number {
    return this.maxDoc - this.#liveCount
  }

  /** The live document with an id; else −1. */
  find(id: Uint8Array): number {
    const live = this.#live
    return this.#ids.lookup(id, live === null ? undefined : doc => live.has(doc))
  }

  /** Version and sequence number of a document. */
  documentAt(docId: number): CurrentDocument {
    const pins = this.#memory.newPins()
    try {
      return {
        seqNo: this.#numberAt('_seq_no', docId, pins).number(),
        primaryTerm: this.#numberAt('_primary_term', docId, pins).number(),
        version: longOf(this.#numberAt('_version', docId, pins)),
        exists: true,
      }
    } finally {
      pins.release()
    }
  }

  /** A document's values of a column of keywords, in order. */
  keywordsAt(name: '_routing' | '_ignored', docId: number): string[] {
    const field = this.segment.fields.get(name)
    if (field === undefined) return []
    const pins = this.#memory.newPins()
    try {
      const ordinals = this.#section('ordinals', field.number, pins)
      const terms = this.#section('terms', field.number, pins)
      if (ordinals === null || terms === null) return []
      const values = new OrdinalsReader(ordinals)
      if (!values.advanceExact(docId)) return []
      const texts = new TermsReader(terms, field.averageLength)
      return Array.from({ length: values.valueCount() }, (_, i) =>
        decodeUtf8(texts.termOfOrd(values.ord(i))),
      )
    } finally {
      pins.release()
    }
  }

  /**
   * Marks a document and its nested documents as deleted; false when it was already deleted.
   * @param docId of a document that is not nested
   */
  delete(docId: number): boolean {
    this.#live ??= allLive(this.maxDoc)
    if (!this.#live.has(docId)) return false
    const first = this.#parents === null ? docId : this.#parents.previous(docId - 1) + 1
    for (let doc = first; doc <= docId; doc++) this.#live.delete(doc)
    this.#liveCount -= docId - first + 1
    this.#isDirty = true
    this.#isFileStale = true
    return true
  }

  isLive(docId: number): boolean {
    return this.#live === null || this.#live.has(docId)
  }

  /** True when searches do not see some deletes before the next refresh. */
  get hasUnseenDeletes(): boolean {
    return this.#isDirty
  }

  /** Whether a live document is a nested one. */
  isNested(docId: number): boolean {
    return this.#parents !== null && !this.#parents.has(docId)
  }

  /**
   * Freezes the live docs for searches: nested documents are not among them, so that no search
   * finds one and no statistic that deletes would falsify is used.
   */
  freeze(): LiveDocsCopy | null {
    if (this.#live === null && this.#parents === null) return null
    if (this.#isDirty || this.#copy === null) {
      this.#copy?.release()
      this.#copy = new LiveDocsCopy(this.#memory, this.segment, this.#searchable(), this.#liveCount)
      this.#isDirty = false
    }
    return this.#copy
  }

  #searchable(): BitSet {
    const parents = this.#parents === null ? null : new BitSet(this.maxDoc, this.#parents.words())
    if (parents === null || this.#live === null) return parents ?? this.#live!.clone()
    const { words } = this.#live
    for (let i = 0; i < words.length; i++) parents.words[i]! &= words[i]!
    return parents
  }

  /** The current live docs, for a merge; null when all are live. */
  liveWords(): Int32Array | null {
    return this.#live === null ? null : this.#live.words.slice()
  }

  liveBits(): BitSet | null {
    return this.#live
  }

  get hasStaleFile(): boolean {
    return this.#isFileStale
  }

  get liveGeneration(): number {
    return this.#generation
  }

  get liveFile(): ManifestFile | null {
    return this.#liveFile
  }

  /** Records a written live-docs file; deletes since `frozen` keep it out of date. */
  noteLiveFile(generation: number, file: ManifestFile, countWhenWritten: number): void {
    this.#generation = generation
    this.#liveFile = file
    this.#isFileStale = this.#liveCount !== countWhenWritten
  }

  /** Releases everything; the segment itself lives on while a snapshot holds it. */
  release(): void {
    this.#copy?.release()
    this.#copy = null
    this.#pins.release()
    this.segment.release()
  }

  #numberAt(name: string, docId: number, pins: Pins): NumericValuesReader {
    const field = this.segment.fields.get(name)
    const section = field === undefined ? null : this.#section('numericValues', field.number, pins)
    if (section === null) throw new Error(`segment [${this.segment.stem}] has no [${name}]`)
    const values = new NumericValuesReader(section)
    values.advanceExact(docId)
    return values
  }

  #section(kind: SectionKind, field: number, pins: Pins): Section | null {
    const address = this.#memory.pin(this.segment, kind, field, pins)
    if (address === null) return null
    const { views } = this.#memory.arenas.arenas[this.#memory.homeOf(this.segment)]!
    return { views, start: address.start, length: address.length, name: this.segment.stem }
  }
}

function longOf(values: NumericValuesReader): Long {
  return longOfHalves(values.hi(), values.lo())
}

function allLive(maxDoc: number): BitSet {
  const live = new BitSet(maxDoc)
  live.addRange(0, maxDoc)
  return live
}
