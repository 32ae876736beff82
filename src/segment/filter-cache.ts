/** The cache of filters as bit sets, least recently used evicted. */
import type { ArenaRange } from '../store/arena-pool.ts'
import { countOnes, listOnes } from '../util/bits.ts'
import type { KeptSet, KeptSetAddress, KeptSets } from './kept-sets.ts'
import type { SetPins } from './set-pins.ts'
import type { SpareMemory } from './spare-memory.ts'
import { UseHistory } from './use-history.ts'

/** Min documents of a segment with cached filters; smaller ones are filtered again faster. */
const MIN_DOCS = 10_000
/** Bytes of an entry, besides its bits, its list and the two bytes of each unit of its key. */
const ENTRY_BYTES = 256
/** Min documents of a segment for each one of a set that is listed: a list then takes no more than the bits. */
const DOCS_PER_LISTED = 32

/** The part of a segment that the cache uses. */
export interface FilteredSegment {
  readonly uid: number
  readonly maxDoc: number
  /** Identity of the segment's shard, whose statistics are kept together. */
  readonly directory: object
}

/** Statistics of the cache for one shard. */
export interface FilterUse {
  hits: number
  misses: number
  /** Entries made so far. */
  made: number
  /** Current entries and their bytes. */
  kept: number
  bytes: number
}

interface Entry {
  readonly key: string
  readonly owner: SegmentFilters
  /** Of the bits. */
  readonly range: ArenaRange
  /** Of the list. */
  readonly listed: ArenaRange | null
  readonly set: KeptSet
  readonly bytes: number
  /** Number of the last search that used it. */
  search: number
  /** Pins by searches on other threads. */
  pins: number
}

/**
 * Cache of filters as bit sets in the arenas, by segment and filter: the matching documents,
 * deleted ones included, so that an entry is valid as long as its segment. Owned by the
 * coordinating thread: inline searches read and make entries; searches on other threads receive
 * those that exist.
 *
 * A filter is cached once it has enough uses among the last 256 filter uses of its segment. Entries
 * are dropped with their segment, when others need their memory, and least recently used first over
 * the limit; those that a running search uses stay until it ends.
 */
export class FilterCache {
  readonly #memory: SpareMemory
  readonly #limitInBytes: number
  readonly #minDocs: number
  /** Least recently used first. */
  readonly #entries = new Set<Entry>()
  readonly #segments = new Map<number, SegmentFilters>()
  readonly #uses = new WeakMap<object, FilterUse>()
  #bytes = 0
  #search = 0
  #isRunning = false
  #isAsked = false

  /**
   * @param limitInBytes max bytes of all entries; 0: no cache
   * @param minDocs    min documents of a segment with entries
   */
  constructor(memory: SpareMemory, limitInBytes: number, minDocs: number = MIN_DOCS) {
    this.#memory = memory
    this.#limitInBytes = limitInBytes
    this.#minDocs = minDocs
  }

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#bytes
  }

  /** Statistics of a shard's entries and their uses. */
  useOf(directory: object): FilterUse {
    let use = this.#uses.get(directory)
    if (use === undefined) {
      use = { hits: 0, misses: 0, made: 0, kept: 0, bytes: 0 }
      this.#uses.set(directory, use)
    }
    return use
  }

  /** The cache of one segment; null when it caches nothing. */
  of(segment: FilteredSegment): KeptSets | null {
    return this.#filtersOf(segment)
  }

  #filtersOf(segment: FilteredSegment): SegmentFilters | null {
    if (!this.keeps(segment)) return null
    let filters = this.#segments.get(segment.uid)
    if (filters === undefined) {
      filters = new SegmentFilters(this, segment)
      this.#segments.set(segment.uid, filters)
    }
    return filters
  }

  /** Whether the segment is large enough for entries. */
  keeps(segment: FilteredSegment): boolean {
    return this.#limitInBytes > 0 && segment.maxDoc >= this.#minDocs
  }

  /**
   * Begins a search, which may use the cache until `endSearch`.
   * @param asks false: it neither reads nor makes entries
   */
  beginSearch(asks: boolean): void {
    this.#search++
    this.#isRunning = true
    this.#isAsked = asks
  }

  endSearch(): void {
    this.#isRunning = false
  }

  /**
   * State of a filter in a segment: cached, cached at its next use, or neither. Not counted as a
   * use.
   */
  stateOf(segment: FilteredSegment, key: string, minUses: number): 'kept' | 'due' | 'cold' {
    const filters = this.#segments.get(segment.uid)
    if (filters === undefined) return 'cold'
    if (filters.entries.has(key)) return 'kept'
    return filters.uses(key) + 1 >= minUses ? 'due' : 'cold'
  }

  /**
   * Looks filters up for a search on other threads; counted as uses.
   * @returns addresses of the cached ones, valid until the pins are released
   */
  pin(segment: FilteredSegment, keys: readonly string[], pins: SetPins): KeptSetAddress[] {
    const filters = keys.length === 0 ? null : this.#filtersOf(segment)
    if (filters === null) return []
    const addresses: KeptSetAddress[] = []
    for (const key of keys) {
      filters.note(key)
      const entry = this.#find(filters, key)
      if (entry === null) continue
      pins.add(entry)
      addresses.push({ key, ...entry.set })
    }
    return addresses
  }

  /** Drops the entries of a segment that no running search uses. */
  clear(segment: FilteredSegment): void {
    for (const entry of this.#segments.get(segment.uid)?.entries.values() ?? [])
      if (!this.#isInUse(entry)) this.#drop(entry)
  }

  #isInUse({ pins, search }: Entry): boolean {
    return pins > 0 || (this.#isRunning && search === this.#search)
  }

  /** Drops all entries of a segment that is no longer used. */
  forget(segment: FilteredSegment): void {
    const filters = this.#segments.get(segment.uid)
    if (filters === undefined) return
    this.#segments.delete(segment.uid)
    for (const entry of filters.entries.values()) this.#drop(entry)
  }

  /**
   * Evicts the least recently used entry.
   * @param arena the arena that needs room; null: any
   * @returns false when there is nothing to evict
   */
  dropOldest(arena: number | null): boolean {
    for (const entry of this.#entries) {
      if (this.#isInUse(entry)) continue
      if (arena !== null && entry.range.arena !== arena) continue
      this.#drop(entry)
      return true
    }
    return false
  }

  /** Whether the running search uses the cache. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  /** Called by `SegmentFilters`. */
  find(filters: SegmentFilters, key: string): KeptSet | null {
    return this.#find(filters, key)?.set ?? null
  }

  #find(filters: SegmentFilters, key: string): Entry | null {
    const use = this.useOf(filters.segment.directory)
    const entry = filters.entries.get(key)
    if (entry === undefined) {
      use.misses++
      return null
    }
    use.hits++
    entry.search = this.#search
    this.#entries.delete(entry)
    this.#entries.add(entry)
    return entry
  }

  /** Called by `SegmentFilters`. */
  keep(filters: SegmentFilters, key: string, bits: number, byteLength: number): void {
    if (filters.entries.has(key)) return
    const bytes = byteLength + 2 * key.length + ENTRY_BYTES
    if (bytes > this.#limitInBytes) return
    while (this.#bytes + bytes > this.#limitInBytes) if (!this.dropOldest(null)) return
    const range = this.#roomFor(filters.segment.uid, byteLength)
    if (range === null) return
    this.#memory.bytesOf(range.arena).copyWithin(range.start, bits, bits + byteLength)
    const room = this.#limitInBytes - this.#bytes - bytes
    const listed = this.#list(filters.segment, range, room)
    const count = listed?.count ?? 0
    const entry = {
      key,
      owner: filters,
      range,
      listed: listed?.range ?? null,
      set: { start: range.start, list: listed && { at: listed.range.start, count } },
      bytes: bytes + 4 * count,
      search: this.#search,
      pins: 0,
    }
    this.#entries.add(entry)
    filters.entries.set(key, entry)
    this.#bytes += entry.bytes
    const use = this.useOf(filters.segment.directory)
    use.made++
    use.kept++
    use.bytes += entry.bytes
  }

  /** Lists a set of few documents, where there is room; null: it is not listed. @param maxBytes of the list */
  #list(
    { uid, maxDoc }: FilteredSegment,
    { arena, start }: ArenaRange,
    maxBytes: number,
  ): { readonly range: ArenaRange; readonly count: number } | null {
    const bits = this.#memory.bytesOf(arena)
    const words = new Uint32Array(bits.buffer, bits.byteOffset + start, (maxDoc + 31) >>> 5)
    let count = 0
    for (const word of words) count += countOnes(word)
    // Bits behind the last document are not defined.
    if (maxDoc % 32 > 0) count -= countOnes(words.at(-1)! >>> (maxDoc % 32))
    if (count === 0 || count * DOCS_PER_LISTED > maxDoc || 4 * count > maxBytes) return null
    const range = this.#memory.allocateSpare(uid, 4 * count)
    if (range === null) return null
    const list = this.#memory.bytesOf(range.arena)
    const docs = new Int32Array(list.buffer, list.byteOffset + range.start, count)
    listOnes(words, 0, 0, count, docs)
    return { range, count }
  }

  /**
   * Allocates memory; if short, evicts least recently used entries up to the wanted size, and no
   * more.
   */
  #roomFor(uid: number, byteLength: number): ArenaRange | null {
    const range = this.#memory.allocateSpare(uid, byteLength)
    if (range !== null) return range
    const before = this.#bytes
    while (before - this.#bytes < byteLength) if (!this.dropOldest(null)) return null
    return this.#memory.allocateSpare(uid, byteLength)
  }

  #drop(entry: Entry): void {
    const { owner, key, range, listed, bytes } = entry
    this.#entries.delete(entry)
    owner.entries.delete(key)
    this.#bytes -= bytes
    const use = this.useOf(owner.segment.directory)
    use.kept--
    use.bytes -= bytes
    this.#memory.free(range)
    if (listed !== null) this.#memory.free(listed)
  }
}

class SegmentFilters implements KeptSets {
  readonly segment: FilteredSegment
  readonly entries: Map<string, Entry> = new Map()
  readonly #cache: FilterCache
  readonly #history = new UseHistory()

  constructor(cache: FilterCache, segment: FilteredSegment) {
    this.#cache = cache
    this.segment = segment
  }

  note(key: string): void {
    this.#history.note(key)
  }

  uses(key: string): number {
    return this.#history.count(key)
  }

  find(key: string): KeptSet | null {
    if (!this.#cache.isAsked) return null
    this.#history.note(key)
    return this.#cache.find(this, key)
  }

  isDue(key: string, minUses: number): boolean {
    return this.#cache.isAsked && this.#cache.stateOf(this.segment, key, minUses) !== 'cold'
  }

  offer(key: string, minUses: number, bits: number, byteLength: number): void {
    if (!this.#cache.isAsked || this.#history.count(key) < minUses) return
    this.#cache.keep(this, key, bits, byteLength)
  }
}
