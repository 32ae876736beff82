/** The field data of text fields: ordinals by document that no segment file has. */
import type { FieldInfo, SectionKind } from '../codec/directory/format.ts'
import { POSTINGS_SCRATCH_BYTES, PostingsReader } from '../codec/postings/reader.ts'
import type { Section } from '../codec/section.ts'
import { TermsReader } from '../codec/terms/reader.ts'
import type { Kernels } from '../kernels/kernel-module.ts'
import type { ArenaPool, ArenaRange } from '../store/arena-pool.ts'
import type { FieldDataCharge } from './field-data-charge.ts'
import type { SectionAddress } from './leaf.ts'
import { OrdinalMapCache } from './ordinal-map-cache.ts'
import { type Pinned, Pins } from './pins.ts'
import type { Segment } from './segment.ts'
import { type TermFrequencyFilter, uninvert, uninvertBytes } from './uninvert.ts'

/** The memory of segments, as far as field data uses it. */
export interface ResidentMemory {
  readonly arenas: ArenaPool
  /** The arena of a segment. */
  homeOf(segment: Segment): number
  /** Loads a section unless it is in memory; null when the segment has none. */
  pin(segment: Segment, kind: SectionKind, field: number, pins: Pins): SectionAddress | null
  /** @throws {EngineError} `circuit_breaking_exception` without room */
  allocate(segment: Segment, bytes: number): ArenaRange
  free(range: ArenaRange): void
  /** Frees a section whose address leaves may hold. */
  freeAddressed(range: ArenaRange): void
}

/** Statistics of a shard's field data. */
export interface FieldDataUse {
  /** Bytes by field, those of global ordinals included. */
  readonly fields: ReadonlyMap<string, number>
  /** Entries given up so far because other data needed their memory. */
  readonly evictions: number
}

interface Entry extends Pinned {
  readonly segment: Segment
  readonly name: string
  readonly range: ArenaRange
  readonly address: SectionAddress
  readonly charge: FieldDataCharge
}

/**
 * Field data of text fields: the terms of a field uninverted into an `ordinals` section, in the
 * arena of the segment, so that every thread reads it as the column of a keyword field. Made on the
 * coordinating thread by the first search that asks, and kept until its segment closes, it is
 * cleared, or pinned data leaves no room.
 */
export class FieldDataCache {
  readonly #memory: ResidentMemory
  readonly #openCharge: (field: string) => FieldDataCharge
  /** Global ordinals, which count as field data. */
  readonly ordinalMaps: OrdinalMapCache
  /** By segment uid and number of the field; least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #evictions = new WeakMap<object, number>()

  /** @param openCharge opens the charge of one segment's data of a field */
  constructor(memory: ResidentMemory, openCharge: (field: string) => FieldDataCharge) {
    this.#memory = memory
    this.#openCharge = openCharge
    this.ordinalMaps = new OrdinalMapCache(openCharge)
  }

  /**
   * Pins the field data of a segment.
   * @returns null when it is not loaded
   */
  pin(segment: Segment, field: number, pins: Pins): SectionAddress | null {
    const key = keyOf(segment, field)
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    pins.add(entry)
    return entry.address
  }

  /**
   * The same, loaded if necessary.
   * @param filter selects the terms when it is loaded; what is in memory stays as it was loaded
   * @returns null when the segment has no terms of the field
   * @throws {EngineError} `circuit_breaking_exception` without room
   */
  load(
    segment: Segment,
    info: FieldInfo,
    filter: TermFrequencyFilter,
    kernels: Kernels,
    pins: Pins,
  ): SectionAddress | null {
    const kept = this.pin(segment, info.number, pins)
    if (kept !== null) return kept
    const sources = new Pins()
    try {
      return this.#make(segment, info, filter, kernels, sources, pins)
    } finally {
      sources.release()
    }
  }

  #make(
    segment: Segment,
    info: FieldInfo,
    filter: TermFrequencyFilter,
    kernels: Kernels,
    sources: Pins,
    pins: Pins,
  ): SectionAddress | null {
    const { number: field, name } = info
    const terms = this.#memory.pin(segment, 'terms', field, sources)
    const postings = this.#memory.pin(segment, 'postings', field, sources)
    if (terms === null || postings === null) return null
    const sectionAt = ({ start, length, kind }: SectionAddress): Section => ({
      views: this.#memory.arenas.arenas[this.#memory.homeOf(segment)]!.views,
      start,
      length,
      name: `${segment.stem}#${kind}/${field}`,
    })
    const bytes = this.#charged(name, uninvertBytes(info, segment.maxDoc), () => {
      const scratch = this.#memory.allocate(segment, POSTINGS_SCRATCH_BYTES)
      try {
        return uninvert(
          info,
          new TermsReader(sectionAt(terms), info.averageLength),
          new PostingsReader(sectionAt(postings), null, kernels),
          filter,
          segment.maxDoc,
          scratch.start,
        )
      } finally {
        this.#memory.free(scratch)
      }
    })
    const charge = this.#openCharge(name)
    charge.add(bytes.length)
    let range: ArenaRange
    try {
      range = this.#memory.allocate(segment, bytes.length)
    } catch (error) {
      charge.release()
      throw error
    }
    this.#memory.arenas.arenas[range.arena]!.views.u8.set(bytes, range.start)
    const address = { kind: 'ordinals', field, start: range.start, length: bytes.length } as const
    const entry = { segment, name, range, address, charge, pins: 0, pinner: null }
    this.#entries.set(keyOf(segment, field), entry)
    pins.add(entry)
    return address
  }

  /** Runs a step whose memory is charged meanwhile. */
  #charged<T>(field: string, bytes: number, step: () => T): T {
    const charge = this.#openCharge(field)
    charge.add(bytes)
    try {
      return step()
    } finally {
      charge.release()
    }
  }

  /** Statistics of the segments of a shard, by the folder that they share. */
  useOf(directory: object): FieldDataUse {
    const fields = new Map<string, number>()
    for (const { segment, name, address } of this.#entries.values())
      if (segment.directory === directory)
        fields.set(name, (fields.get(name) ?? 0) + address.length)
    this.ordinalMaps.addUse(directory, fields)
    return { fields, evictions: this.#evictions.get(directory) ?? 0 }
  }

  /**
   * Frees the field data of a segment that no running search uses.
   * @param fields names; null: of all fields
   */
  clear(segment: Segment, fields: ReadonlySet<string> | null): void {
    this.ordinalMaps.clear(segment, fields)
    for (const entry of [...this.#entries.values()])
      if (entry.segment === segment && entry.pins === 0 && fields?.has(entry.name) !== false)
        this.#drop(entry)
  }

  /** Frees all field data of a segment that is no longer used. */
  forget(segment: Segment): void {
    this.ordinalMaps.clear(segment, null)
    for (const entry of [...this.#entries.values()])
      if (entry.segment === segment) this.#drop(entry)
  }

  /**
   * Evicts the least recently used entry that no running search uses.
   * @param arena the arena that needs room; null: any
   * @returns false when there is nothing to evict
   */
  dropOldest(arena: number | null): boolean {
    for (const entry of this.#entries.values()) {
      if (entry.pins > 0 || (arena !== null && entry.range.arena !== arena)) continue
      const { directory } = entry.segment
      this.#evictions.set(directory, (this.#evictions.get(directory) ?? 0) + 1)
      this.#drop(entry)
      return true
    }
    return false
  }

  #drop({ segment, address, range, charge }: Entry): void {
    this.#entries.delete(keyOf(segment, address.field))
    this.#memory.freeAddressed(range)
    charge.release()
  }
}

function keyOf({ uid }: Segment, field: number): string {
  return `${uid}/${field}`
}
