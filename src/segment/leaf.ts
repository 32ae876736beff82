/** The leaf: one sealed segment opened on one thread, and the record that opens it there. */
import { BoxesReader } from '../codec/boxes/reader.ts'
import { BytesReader } from '../codec/bytes/reader.ts'
import { CompletionsReader } from '../codec/completions/reader.ts'
import { DenseVectorsReader } from '../codec/dense-vectors/reader.ts'
import type { FieldInfo, SectionKind } from '../codec/directory/format.ts'
import { NumericValuesReader, OrdinalsReader } from '../codec/doc-values/reader.ts'
import { type IdsReader, openIds } from '../codec/ids/reader.ts'
import { NormsReader } from '../codec/norms/reader.ts'
import { ParentsReader } from '../codec/parents/reader.ts'
import { PointsReader } from '../codec/points/reader.ts'
import {
  POSTINGS_SCRATCH_BYTES,
  type PostingsIterator,
  PostingsReader,
} from '../codec/postings/reader.ts'
import type { Section } from '../codec/section.ts'
import type { TermState } from '../codec/terms/format.ts'
import { TermsReader } from '../codec/terms/reader.ts'
import { TrianglesReader } from '../codec/triangles/reader.ts'
import { VectorGraphReader } from '../codec/vector-graph/reader.ts'
import { VectorsReader } from '../codec/vectors/reader.ts'
import type { Kernels } from '../kernels/kernel-module.ts'
import type { ArenaViews } from '../store/arena.ts'
import type { KeptSetAddress, KeptSets } from './kept-sets.ts'
import { LiveDocs } from './live-docs.ts'
import type { OrdinalMaps, OrdinalMapsKey } from './ordinal-maps.ts'
import type { Scratch } from './scratch.ts'
import type { TermBitSetAddress, TermBitSets } from './term-bit-sets.ts'
import type { TermFrequencyFilter } from './uninvert.ts'

/** Scratch of one postings iterator of a leaf. */
export const SCRATCH_BYTES_PER_POSTINGS: number = POSTINGS_SCRATCH_BYTES

/** Address of a loaded section in the leaf's arena. */
export interface SectionAddress {
  readonly kind: SectionKind
  /** Number of the field, −1 for a section of the whole segment. */
  readonly field: number
  /** Address in the arena, a multiple of 64. */
  readonly start: number
  readonly length: number
}

/** A leaf as plain data, sent to the threads that run a search's slices. */
export interface LeafRecord {
  /** Uid of the segment: ascending, never reused. */
  readonly uid: number
  /** File name of the segment, for errors. */
  readonly name: string
  /** Ord in the snapshot. */
  readonly ord: number
  /** Added to a doc ID to make it global in the shard. */
  readonly docBase: number
  readonly maxDoc: number
  /** Ord of the arena that holds everything below. */
  readonly arena: number
  /** The fields that the search may read; others look absent. */
  readonly fields: readonly FieldInfo[]
  readonly sections: readonly SectionAddress[]
  /** Cached filters that the search uses. */
  readonly keptSets: readonly KeptSetAddress[]
  /** Bit sets of frequent terms that the search may use; absent means none. */
  readonly termBitSets?: readonly TermBitSetAddress[]
  /** Address of the live-docs bits, −1 when no document is deleted. */
  readonly liveDocs: number
  readonly liveCount: number
  /** With nested documents; on the coordinating thread alone, absent without any. */
  readonly keptCount?: number
}

/** What is derived from a dictionary. */
export type DerivedTerms = 'termSkips' | 'termSignatures'

/** Loads what the record of a leaf lacks; on the coordinating thread alone. */
export interface LeafLoader {
  section(kind: SectionKind, field: number): SectionAddress | null
  /** The terms of an analysed field by document. */
  fieldData(field: FieldInfo, filter: TermFrequencyFilter, kernels: Kernels): SectionAddress | null
  /** Makes the leaf's scratch larger, which is not in use; false: there is no room. */
  reserveScratch(bytes: number): boolean
  /** The address of what is derived from a field's dictionary (`dictionary-cache.ts`); 0: there is nothing. */
  derivedTerms(
    kind: DerivedTerms,
    field: number,
    termCount: number,
    make: (at: number) => number,
  ): number
  /** Maps of ordinals in which the segment has a part, made where there are none. */
  ordinalMaps(key: OrdinalMapsKey, make: () => OrdinalMaps): OrdinalMaps
}

/** The loaded sections of one field, or of the whole segment, and their readers. */
interface Parts {
  readonly number: number
  readonly sections: Partial<Record<SectionKind, Section>>
  readonly readers: Partial<Record<SectionKind, unknown>>
}

interface FieldEntry {
  readonly info: FieldInfo
  readonly parts: Parts
}

/**
 * A sealed segment opened on one thread for one snapshot. Sections are read in place; those that
 * were not loaded look absent, so the coordinator loads all that a query needs first.
 */
export class Leaf {
  readonly record: LeafRecord
  readonly uid: number
  readonly ord: number
  readonly docBase: number
  readonly maxDoc: number
  /** Documents that are not deleted. */
  readonly numDocs: number
  /** The same with nested documents; on the coordinating thread alone. */
  readonly keptDocs: number
  readonly liveDocs: LiveDocs | null
  readonly scratch: Scratch
  /** Views of the arena that holds the leaf's sections. */
  readonly views: ArenaViews
  /** Bound to the same memory. */
  readonly kernels: Kernels
  /** Cached filters of the segment; null: none. On search threads, those of the current search. */
  keptSets: KeptSets | null
  /** Bit sets of frequent terms; null: none. On search threads, those of the current search. */
  termBitSets: TermBitSets | null
  readonly #loader: LeafLoader | null
  readonly #fields = new Map<string, FieldEntry>()
  /** Sections of the whole segment. */
  readonly #own: Parts = { number: -1, sections: {}, readers: {} }
  readonly #byNumber = new Map<number, Parts>()
  /** The last field read: most searches read one field repeatedly. */
  #lastField: FieldEntry | null = null

  /**
   * @param views   of the arena that the record names
   * @param kernels bound to the same memory
   * @param scratch of this thread in the same memory; iterators decode into it
   * @param loader  null: the leaf has what its record lists
   * @param keptSets cached filters
   * @param termBitSets bit sets of frequent terms
   */
  constructor(
    record: LeafRecord,
    views: ArenaViews,
    kernels: Kernels,
    scratch: Scratch,
    loader: LeafLoader | null = null,
    keptSets: KeptSets | null = null,
    termBitSets: TermBitSets | null = null,
  ) {
    this.record = record
    this.uid = record.uid
    this.ord = record.ord
    this.docBase = record.docBase
    this.maxDoc = record.maxDoc
    this.numDocs = record.liveCount
    this.keptDocs = record.keptCount ?? record.liveCount
    this.scratch = scratch
    this.views = views
    this.#loader = loader
    this.keptSets = keptSets
    this.termBitSets = termBitSets
    this.kernels = kernels
    this.liveDocs =
      record.liveDocs < 0
        ? null
        : new LiveDocs(views.i32, record.liveDocs, record.maxDoc, record.liveCount)
    this.#byNumber.set(-1, this.#own)
    for (const info of record.fields) {
      const parts: Parts = { number: info.number, sections: {}, readers: {} }
      this.#byNumber.set(info.number, parts)
      this.#fields.set(info.name, { info, parts })
    }
    for (const address of record.sections) this.addSection(address)
  }

  /** Adds a loaded section, unless it is known. */
  addSection(address: SectionAddress): void {
    const parts = this.#byNumber.get(address.field)
    if (parts === undefined || parts.sections[address.kind] !== undefined) return
    parts.sections[address.kind] = this.#sectionAt(address)
    // A postings reader holds the address of the positions, or that they are not loaded.
    if (address.kind === 'positions') parts.readers.postings = undefined
  }

  /** Whether a section of a field is known, so that nothing must be loaded to read it. */
  isLoaded(name: string, kind: SectionKind): boolean {
    return this.#field(name)?.parts.sections[kind] !== undefined
  }

  /** The segment's record of a field; null when no document has it. */
  fieldInfo(name: string): FieldInfo | null {
    return this.#field(name)?.info ?? null
  }

  fields(): Iterable<FieldInfo> {
    return this.record.fields
  }

  terms(name: string): TermsReader | null {
    return this.#open(name, 'terms', (section, field) => {
      const { kernels, scratch } = this
      return new TermsReader(section, field.info.averageLength, {
        lookUpTerm: record => kernels.lookUpTerm(record),
        take: bytes => scratch.tryAllocate(bytes),
        giveBack: at => scratch.release(at),
      })
    })
  }

  /** Whether scratch has room for so many bytes, or was given it: on the coordinating thread alone. */
  reserveScratch(bytes: number): boolean {
    return this.scratch.bytes >= bytes || (this.#loader?.reserveScratch(bytes) ?? false)
  }

  /**
   * The address of what is derived from a field's dictionary, valid until a section is loaded; 0: there is nothing.
   * @param make writes it at an address; below 0: it cannot
   */
  derivedTerms(
    kind: DerivedTerms,
    name: string,
    termCount: number,
    make: (at: number) => number,
  ): number {
    const field = this.#field(name)?.parts.number
    return field === undefined ? 0 : (this.#loader?.derivedTerms(kind, field, termCount, make) ?? 0)
  }

  /** The postings of a term whose state came from this leaf's dictionary of the field. */
  postings(name: string, state: TermState): PostingsIterator {
    const scratch = this.scratch.allocate(POSTINGS_SCRATCH_BYTES)
    return this.postingsReader(name).iterator(state, scratch)
  }

  /** The reader of a field's postings. */
  postingsReader(name: string): PostingsReader {
    const reader = this.#open(name, 'postings', (section, field) => {
      const positions = this.#find(field.parts, 'positions')
      return new PostingsReader(section, positions, this.kernels)
    })
    if (reader === null) throw new Error(`postings of [${name}] are not loaded`)
    return reader
  }

  norms(name: string): NormsReader | null {
    return this.#open(name, 'norms', section => new NormsReader(section))
  }

  /** A new reader for each call: readers have a current document. */
  numericValues(name: string): NumericValuesReader | null {
    const section = this.#section(name, 'numericValues')
    return section === null ? null : new NumericValuesReader(section)
  }

  /** A new reader for each call: readers have a current document. */
  ordinals(name: string): OrdinalsReader | null {
    const section = this.#section(name, 'ordinals')
    return section === null ? null : new OrdinalsReader(section)
  }

  /** The terms of an analysed field by document, uninverted where they are not yet. */
  uninverted(name: string, filter: TermFrequencyFilter): OrdinalsReader | null {
    const info = this.fieldInfo(name)
    if (info === null) return null
    if (!this.isLoaded(name, 'ordinals')) {
      const address = this.#loader?.fieldData(info, filter, this.kernels) ?? null
      if (address === null) return null
      this.addSection(address)
    }
    return this.ordinals(name)
  }

  /**
   * Maps of ordinals in which the segment has a part, kept on the coordinating thread.
   * @param make makes them where there are none yet
   * @throws {EngineError} `circuit_breaking_exception` without room
   */
  ordinalMaps(key: OrdinalMapsKey, make: () => OrdinalMaps): OrdinalMaps {
    return this.#loader === null ? make() : this.#loader.ordinalMaps(key, make)
  }

  points(name: string): PointsReader | null {
    return this.#open(name, 'points', section => new PointsReader(section))
  }

  boxes(name: string): BoxesReader | null {
    return this.#open(name, 'boxes', section => new BoxesReader(section))
  }

  triangles(name: string): TrianglesReader | null {
    return this.#open(name, 'triangles', section => new TrianglesReader(section))
  }

  /** The vectors of documents' components; null where the segment has none. */
  denseVectors(name: string): DenseVectorsReader | null {
    return this.#open(name, 'denseVectors', section => new DenseVectorsReader(section))
  }

  /** The graph of the vectors; null where the segment has none. */
  vectorGraph(name: string): VectorGraphReader | null {
    return this.#open(name, 'vectorGraph', section => new VectorGraphReader(section))
  }

  completions(name: string): CompletionsReader | null {
    return this.#open(name, 'completions', section => new CompletionsReader(section))
  }

  /** The tokens of documents; null where the segment keeps none. */
  vectors(name: string): VectorsReader | null {
    return this.#open(name, 'termVectors', section => new VectorsReader(section))
  }

  /** A new reader for each call: readers have a current document. */
  bytes(name: string): BytesReader | null {
    const section = this.#section(name, 'bytes')
    return section === null ? null : new BytesReader(section)
  }

  /** The documents that are no nested ones; null in a leaf without nested documents. */
  parents(): ParentsReader | null {
    const found = this.#own.readers.parents
    if (found !== undefined) return found as ParentsReader
    const section = this.#find(this.#own, 'parents')
    if (section === null) return null
    const reader = new ParentsReader(section)
    this.#own.readers.parents = reader
    return reader
  }

  ids(): IdsReader {
    const found = this.#own.readers.ids
    if (found !== undefined) return found as IdsReader
    const section = this.#find(this.#own, 'ids')
    if (section === null) throw new Error('the ids are not loaded')
    const reader = openIds(section)
    this.#own.readers.ids = reader
    return reader
  }

  #field(name: string): FieldEntry | null {
    const last = this.#lastField
    if (last !== null && last.info.name === name) return last
    const field = this.#fields.get(name) ?? null
    if (field !== null) this.#lastField = field
    return field
  }

  #section(name: string, kind: SectionKind): Section | null {
    const field = this.#field(name)
    return field === null ? null : this.#find(field.parts, kind)
  }

  #find(parts: Parts, kind: SectionKind): Section | null {
    const found = parts.sections[kind]
    if (found !== undefined) return found
    const address = this.#loader?.section(kind, parts.number) ?? null
    return address === null ? null : (parts.sections[kind] = this.#sectionAt(address))
  }

  #sectionAt({ kind, field, start, length }: SectionAddress): Section {
    return { views: this.views, start, length, name: `${this.record.name}#${kind}/${field}` }
  }

  #open<T>(
    name: string,
    kind: SectionKind,
    make: (section: Section, field: FieldEntry) => T,
  ): T | null {
    const field = this.#field(name)
    if (field === null) return null
    const { parts } = field
    const found = parts.readers[kind]
    if (found !== undefined) return found as T
    const section = this.#find(parts, kind)
    if (section === null) return null
    const reader = make(section, field)
    parts.readers[kind] = reader
    return reader
  }
}
