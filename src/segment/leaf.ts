import type { FieldInfo, SectionKind } from '../codec/directory/format.ts'
import { NumericValuesReader, OrdinalsReader } from '../codec/doc-values/reader.ts'
import { IdsReader } from '../codec/ids/reader.ts'
import { NormsReader } from '../codec/norms/reader.ts'
import { PointsReader } from '../codec/points/reader.ts'
import {
  POSTINGS_SCRATCH_BYTES,
  type PostingsIterator,
  PostingsReader,
} from '../codec/postings/reader.ts'
import type { Section } from '../codec/section.ts'
import type { TermState } from '../codec/terms/format.ts'
import { TermsReader } from '../codec/terms/reader.ts'
import type { Kernels } from '../kernels/kernel-module.ts'
import type { ArenaViews } from '../store/arena.ts'
import { LiveDocs } from './live-docs.ts'
import type { Scratch } from './scratch.ts'

/** Scratch that one postings iterator of a leaf takes. */
export const SCRATCH_BYTES_PER_POSTINGS: number = POSTINGS_SCRATCH_BYTES

/** Where a loaded section lies in the leaf's arena. */
export interface SectionPlace {
  readonly kind: SectionKind
  /** Number of the field, −1 for a section of the whole segment. */
  readonly field: number
  /** Address in the arena, a multiple of 64. */
  readonly start: number
  readonly length: number
}

/** A leaf as plain data: what a search sends to the threads that run its slices. */
export interface LeafRecord {
  /** Of the segment: rises, never used again. */
  readonly uid: number
  /** Of the segment file, for errors. */
  readonly name: string
  /** Position in the snapshot, from 0. */
  readonly ord: number
  /** What is added to a doc ID to make it global in the shard. */
  readonly docBase: number
  readonly maxDoc: number
  /** Number of the arena that holds everything below. */
  readonly arena: number
  /** The fields that the search may touch; others look absent. */
  readonly fields: readonly FieldInfo[]
  readonly sections: readonly SectionPlace[]
  /** Address of the live-docs bits, −1 when no document is deleted. */
  readonly liveDocs: number
  readonly liveCount: number
}

/**
 * A sealed segment opened in one thread, as one snapshot sees it. Sections are read in place; those
 * that were not loaded look absent, so the coordinator loads what a query needs before it asks.
 */
export class Leaf {
  readonly record: LeafRecord
  readonly uid: number
  readonly ord: number
  readonly docBase: number
  readonly maxDoc: number
  /** Documents that are not deleted. */
  readonly numDocs: number
  readonly liveDocs: LiveDocs | null
  readonly scratch: Scratch
  /** Of the arena that holds the leaf's sections. */
  readonly views: ArenaViews
  /** Bound to the same memory. */
  readonly kernels: Kernels
  readonly #load: ((kind: SectionKind, field: number) => SectionPlace | null) | null
  readonly #fields = new Map<string, FieldInfo>()
  readonly #sections = new Map<string, Section>()
  readonly #readers = new Map<string, unknown>()

  /**
   * @param views   of the arena that the record names
   * @param kernels bound to the same memory
   * @param scratch of this thread in the same memory; iterators decode into it
   * @param load    loads a section that the record leaves out; on the coordinating thread alone
   */
  constructor(
    record: LeafRecord,
    views: ArenaViews,
    kernels: Kernels,
    scratch: Scratch,
    load: ((kind: SectionKind, field: number) => SectionPlace | null) | null = null,
  ) {
    this.record = record
    this.uid = record.uid
    this.ord = record.ord
    this.docBase = record.docBase
    this.maxDoc = record.maxDoc
    this.numDocs = record.liveCount
    this.scratch = scratch
    this.views = views
    this.#load = load
    this.kernels = kernels
    this.liveDocs =
      record.liveDocs < 0
        ? null
        : new LiveDocs(views.i32, record.liveDocs, record.maxDoc, record.liveCount)
    for (const field of record.fields) this.#fields.set(field.name, field)
    for (const place of record.sections) this.#add(place)
  }

  /** What the segment says of a field, or null when no document has it. */
  fieldInfo(name: string): FieldInfo | null {
    return this.#fields.get(name) ?? null
  }

  fields(): Iterable<FieldInfo> {
    return this.#fields.values()
  }

  terms(name: string): TermsReader | null {
    return this.#open(name, 'terms', (section, field) => {
      return new TermsReader(section, field.averageLength)
    })
  }

  /** The postings of a term whose state came from this leaf's dictionary of the field. */
  postings(name: string, state: TermState): PostingsIterator {
    const scratch = this.scratch.allocate(POSTINGS_SCRATCH_BYTES)
    return this.postingsReader(name).iterator(state, scratch)
  }

  /** Where a field's postings lie. */
  postingsReader(name: string): PostingsReader {
    const reader = this.#open(name, 'postings', (section, field) => {
      const positions = this.#find('positions', field.number)
      return new PostingsReader(section, positions, this.kernels)
    })
    if (reader === null) throw new Error(`postings of [${name}] are not loaded`)
    return reader
  }

  norms(name: string): NormsReader | null {
    return this.#open(name, 'norms', section => new NormsReader(section))
  }

  /** A reader of its own for each call: readers have a current document. */
  numericValues(name: string): NumericValuesReader | null {
    const section = this.#section(name, 'numericValues')
    return section === null ? null : new NumericValuesReader(section)
  }

  /** A reader of its own for each call: readers have a current document. */
  ordinals(name: string): OrdinalsReader | null {
    const section = this.#section(name, 'ordinals')
    return section === null ? null : new OrdinalsReader(section)
  }

  points(name: string): PointsReader | null {
    return this.#open(name, 'points', section => new PointsReader(section))
  }

  ids(): IdsReader {
    const key = 'ids/-1'
    const found = this.#readers.get(key)
    if (found !== undefined) return found as IdsReader
    const section = this.#find('ids', -1)
    if (section === null) throw new Error('the ids are not loaded')
    const reader = new IdsReader(section)
    this.#readers.set(key, reader)
    return reader
  }

  #section(name: string, kind: SectionKind): Section | null {
    const field = this.#fields.get(name)
    if (field === undefined) return null
    return this.#find(kind, field.number)
  }

  #find(kind: SectionKind, field: number): Section | null {
    const found = this.#sections.get(`${kind}/${field}`)
    if (found !== undefined) return found
    const place = this.#load?.(kind, field) ?? null
    return place === null ? null : this.#add(place)
  }

  #add(place: SectionPlace): Section {
    const key = `${place.kind}/${place.field}`
    const name = `${this.record.name}#${key}`
    const section = { views: this.views, start: place.start, length: place.length, name }
    this.#sections.set(key, section)
    return section
  }

  #open<T>(
    name: string,
    kind: SectionKind,
    make: (section: Section, field: FieldInfo) => T,
  ): T | null {
    const field = this.#fields.get(name)
    if (field === undefined) return null
    const key = `${kind}/${field.number}`
    const found = this.#readers.get(key)
    if (found !== undefined) return found as T
    const section = this.#find(kind, field.number)
    if (section === null) return null
    const reader = make(section, field)
    this.#readers.set(key, reader)
    return reader
  }
}
