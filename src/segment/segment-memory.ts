import type { SectionInfo, SectionKind } from '../codec/directory/format.ts'
import type { ArenaPool, ArenaRange } from '../store/arena-pool.ts'
import { nowInNanos } from '../util/clock.ts'
import { CorruptSegmentError, EngineError } from '../util/errors.ts'
import { DictionaryCache, signatureBytesOf, skipBytesOf } from './dictionary-cache.ts'
import { FieldDataCache, type ResidentMemory } from './field-data.ts'
import type { FieldDataCharge } from './field-data-charge.ts'
import { FilterCache } from './filter-cache.ts'
import type { SectionAddress } from './leaf.ts'
import { isDispensable, loadSection, segmentFileName } from './open-segment.ts'
import { type Pinned, Pins } from './pins.ts'
import type { Segment } from './segment.ts'
import { noSegmentUse, PART_OF_SECTION, type SegmentUse } from './segment-use.ts'
import type { SpareMemory } from './spare-memory.ts'
import { TermBitSetCache } from './term-bit-sets.ts'
import { VectorLoads, type VectorUse } from './vector-loads.ts'

/** A section in memory. */
interface Loaded extends Pinned {
  readonly segment: Segment
  readonly section: SectionInfo
  readonly range: ArenaRange
  readonly address: SectionAddress
  /** Rises with every use; lowest is least recently used. */
  used: number
}

const UNBOUNDED: FieldDataCharge = { add() {}, release() {} }

/**
 * Residency of segments' sections in the arenas. Used by the coordinating thread alone: it loads
 * the sections that a search needs and pins them until the search ends. Over the budget, unpinned
 * sections are evicted, least recently used first. Cached filters, term bit sets, skips and signatures share the
 * budget; they are evicted before any section, because making them again reads no file. Field data
 * is evicted last, because it takes longest to make.
 */
export class SegmentMemory implements SpareMemory, ResidentMemory {
  readonly arenas: ArenaPool
  readonly filters: FilterCache
  readonly termBitSets: TermBitSetCache
  readonly termSkips: DictionaryCache = new DictionaryCache(this, skipBytesOf)
  readonly termSignatures: DictionaryCache = new DictionaryCache(this, signatureBytesOf)
  readonly fieldData: FieldDataCache
  readonly vectors: VectorLoads = new VectorLoads()
  /** Max bytes of everything in memory. */
  readonly limitInBytes: number
  readonly #homes = new Map<number, number>()
  readonly #loaded = new Map<SectionInfo, Loaded>()
  /** Sections that were found damaged, and that searches do without. */
  readonly #missed = new Set<SectionInfo>()
  readonly #onMissed: (error: Error) => void
  #loadedBytes = 0
  #uses = 0
  #evictions = 0

  /**
   * @param limitInBytes       max bytes of everything in memory
   * @param filterLimitInBytes max bytes of cached filters among it; 0: none
   * @param termBitSetLimitInBytes max bytes of term bit sets among it; 0: none
   * @param openCharge opens the charge of a field's data in one segment
   * @param onMissed told once of each damaged section that searches do without
   */
  constructor(
    arenas: ArenaPool,
    limitInBytes: number,
    filterLimitInBytes = 0,
    termBitSetLimitInBytes = 0,
    openCharge: (field: string) => FieldDataCharge = () => UNBOUNDED,
    onMissed: (error: Error) => void = () => undefined,
  ) {
    this.#onMissed = onMissed
    this.arenas = arenas
    this.limitInBytes = limitInBytes
    this.filters = new FilterCache(this, filterLimitInBytes)
    this.termBitSets = new TermBitSetCache(this, termBitSetLimitInBytes)
    this.fieldData = new FieldDataCache(this, openCharge)
  }

  /** Bytes of sections, live docs and cached filters in memory. */
  get loadedBytes(): number {
    return this.#loadedBytes
  }

  /**
   * Number of evicted sections, field data included: addresses kept beyond pins are valid only while it stays the same.
   */
  get evictions(): number {
    return this.#evictions
  }

  /** Bytes of one segment's sections in memory. */
  loadedBytesOf(segment: Segment): number {
    let total = 0
    for (const loaded of this.#loaded.values())
      if (loaded.segment === segment) total += loaded.range.bytes
    return total
  }

  /** Bytes of the sections in memory of all segments, by what they are for. */
  uses(): ReadonlyMap<Segment, Readonly<SegmentUse>> {
    const uses = new Map<Segment, SegmentUse>()
    for (const { segment, section, range } of this.#loaded.values()) {
      let use = uses.get(segment)
      if (use === undefined) {
        use = noSegmentUse()
        uses.set(segment, use)
      }
      use[PART_OF_SECTION[section.kind]] += range.bytes
    }
    return uses
  }

  /** Vectors in memory of all segments. */
  vectorUses(): ReadonlyMap<Segment, VectorUse> {
    const uses = new Map<Segment, VectorUse>()
    for (const { segment, section, range } of this.#loaded.values()) {
      if (!isOfVectors(section.kind)) continue
      const { count, bytes } = uses.get(segment) ?? { count: 0, bytes: 0 }
      const added = section.kind === 'denseVectors' ? 1 : 0
      uses.set(segment, { count: count + added, bytes: bytes + range.bytes })
    }
    return uses
  }

  /** Drops vectors of a segment, and their graphs, except what running searches use. */
  clearVectors(segment: Segment): void {
    for (const loaded of [...this.#loaded.values()])
      if (loaded.segment === segment && loaded.pins === 0 && isOfVectors(loaded.section.kind))
        this.#evict(loaded)
  }

  /** The arena that holds all sections of a segment. */
  homeOf(segment: Segment): number {
    let home = this.#homes.get(segment.uid)
    if (home === undefined) {
      home = this.arenas.homeFor(segment.sectionBytes)
      this.#homes.set(segment.uid, home)
    }
    return home
  }

  /**
   * Begins a search on the coordinating thread: the cached filters and term bit sets that it uses
   * stay until `endSearch`.
   * @param asksFilters false: it neither reads nor makes cached filters
   */
  beginSearch(asksFilters: boolean): void {
    this.filters.beginSearch(asksFilters)
    this.termBitSets.beginSearch()
  }

  endSearch(): void {
    this.filters.endSearch()
    this.termBitSets.endSearch()
  }

  /** New pins, for one search or one merge. */
  newPins(): Pins {
    return new Pins()
  }

  /**
   * Loads a section unless it is in memory, and pins it.
   * @returns its address, or null when the segment has no such section, or a damaged one that searches can do
   *   without
   * @throws {CorruptSegmentError} its checksum does not match
   * @throws {EngineError} `circuit_breaking_exception` when it does not fit beside pinned sections
   */
  pin(segment: Segment, kind: SectionKind, field: number, pins: Pins): SectionAddress | null {
    const section = segment.section(kind, field)
    if (section === null || this.#missed.has(section)) return null
    let loaded = this.#loaded.get(section)
    if (loaded === undefined) {
      const fresh = isOfVectors(kind)
        ? this.#loadVectors(segment, section)
        : this.#load(segment, section)
      if (fresh === null) return null
      loaded = fresh
      // A search may ask for what it has pinned already.
    } else if (kind === 'denseVectors' && loaded.pinner !== pins) this.vectors.hits++
    loaded.used = ++this.#uses
    pins.add(loaded)
    return loaded.address
  }

  /** @returns null where it is a damaged one that searches can do without */
  #load(segment: Segment, section: SectionInfo): Loaded | null {
    const { kind, field, length } = section
    const range = this.allocate(segment, length)
    const views = this.arenas.arenas[range.arena]!.views
    const target = views.u8.subarray(range.start, range.start + length)
    try {
      loadSection(segmentFileName(segment.stem), segment.open, section, target)
    } catch (error) {
      this.free(range)
      if (!isDispensable(kind) || !(error instanceof CorruptSegmentError)) throw error
      this.#missed.add(section)
      this.#onMissed(error)
      return null
    }
    const address = { kind, field, start: range.start, length }
    const loaded = { segment, section, range, address, pins: 0, pinner: null, used: 0 }
    this.#loaded.set(section, loaded)
    return loaded
  }

  #loadVectors(segment: Segment, section: SectionInfo): Loaded | null {
    const count = section.kind === 'denseVectors' ? 1 : 0
    this.vectors.misses += count
    const started = nowInNanos()
    const loaded = this.#load(segment, section)
    this.vectors.nanos += nowInNanos() - started
    this.vectors.loads += count
    return loaded
  }

  /** Allocates memory in a segment's home arena, evicting if necessary. */
  allocate(segment: Segment, bytes: number): ArenaRange {
    const home = this.homeOf(segment)
    this.#evictTo(this.limitInBytes - bytes)
    let range = this.allocateScratch(home, bytes)
    for (const loaded of range === null ? this.#byUse() : []) {
      if (loaded.pins > 0 || loaded.range.arena !== home) continue
      this.#evictForRoom(loaded)
      range = this.arenas.allocateIn(home, bytes)
      if (range !== null) break
    }
    while (range === null && this.fieldData.dropOldest(home))
      range = this.arenas.allocateIn(home, bytes)
    if (range === null || this.#loadedBytes + bytes > this.limitInBytes) {
      if (range !== null) this.arenas.free(range)
      throw new EngineError({
        type: 'circuit_breaking_exception',
        reason:
          `[parent] Data too large, ${bytes} bytes of segment [${segment.stem}] do not fit beside ` +
          `[${this.#loadedBytes}] in use, the limit is [${this.limitInBytes}]: raise memory.limit`,
        extra: { bytes_wanted: this.#loadedBytes + bytes, bytes_limit: this.limitInBytes },
      })
    }
    this.#loadedBytes += bytes
    return range
  }

  /**
   * Allocates memory outside the budget, such as scratch; evicts cached filters for it.
   * @returns null when the arena is full without them
   */
  allocateScratch(arena: number, bytes: number): ArenaRange | null {
    let range = this.arenas.allocateIn(arena, bytes)
    while (range === null && this.#dropOldest(arena)) range = this.arenas.allocateIn(arena, bytes)
    return range
  }

  allocateSpare(uid: number, bytes: number): ArenaRange | null {
    const home = this.#homes.get(uid)
    if (home === undefined || this.#loadedBytes + bytes > this.limitInBytes) return null
    const range = this.arenas.allocateIn(home, bytes)
    if (range !== null) this.#loadedBytes += bytes
    return range
  }

  bytesOf(arena: number): Uint8Array {
    return this.arenas.arenas[arena]!.views.u8
  }

  free(range: ArenaRange): void {
    this.#loadedBytes -= range.bytes
    this.arenas.free(range)
  }

  /** Frees a section whose address leaves may hold. */
  freeAddressed(range: ArenaRange): void {
    this.#evictions++
    this.free(range)
  }

  /** Drops everything of a segment that is no longer used. */
  forget(segment: Segment): void {
    for (const section of this.#missed)
      if (segment.section(section.kind, section.field) === section) this.#missed.delete(section)
    this.filters.forget(segment)
    this.termBitSets.forget(segment)
    this.termSkips.forget(segment)
    this.termSignatures.forget(segment)
    this.fieldData.forget(segment)
    for (const loaded of [...this.#loaded.values()])
      if (loaded.segment === segment) this.#evict(loaded)
    this.#homes.delete(segment.uid)
  }

  #evictTo(bytes: number): void {
    while (this.#loadedBytes > bytes && this.#dropOldest(null)) {}
    if (this.#loadedBytes <= bytes) return
    for (const loaded of this.#byUse()) {
      if (loaded.pins > 0) continue
      this.#evictForRoom(loaded)
      if (this.#loadedBytes <= bytes) return
    }
    while (this.#loadedBytes > bytes && this.fieldData.dropOldest(null)) {}
  }

  /** Evicts caches that can be made again without reading a file before sections. */
  #dropOldest(arena: number | null): boolean {
    return (
      this.filters.dropOldest(arena) ||
      this.termSignatures.dropOldest(arena) ||
      this.termSkips.dropOldest(arena) ||
      this.termBitSets.dropOldest(arena)
    )
  }

  /** Least recently used first. */
  #byUse(): Loaded[] {
    return [...this.#loaded.values()].sort((a, b) => a.used - b.used)
  }

  #evictForRoom(loaded: Loaded): void {
    if (loaded.section.kind === 'denseVectors') {
      this.vectors.evictions++
      this.vectors.isFull = true
    }
    this.#evict(loaded)
  }

  #evict(loaded: Loaded): void {
    this.#loaded.delete(loaded.section)
    this.freeAddressed(loaded.range)
  }
}

function isOfVectors(kind: SectionKind): boolean {
  return kind === 'denseVectors' || kind === 'vectorGraph'
}
