import type { ArenaRange } from '../store/arena-pool.ts'
import type { KeptSetPlace, KeptSets } from './kept-sets.ts'
import type { SetPins } from './set-pins.ts'
import type { SpareMemory } from './spare-memory.ts'
import { UseHistory } from './use-history.ts'

/** Smaller segments are filtered anew faster than it would pay to keep anything of them. */
const LEAST_DOCS = 10_000
/** What an entry takes beside its bits and the two bytes of each unit of its key. */
const ENTRY_BYTES = 256

/** A segment as the cache sees it. */
export interface FilteredSegment {
  readonly uid: number
  readonly maxDoc: number
  /** Stands for the segment's shard, whose statistics are kept together. */
  readonly directory: object
}

/** What the cache did for one shard. */
export interface FilterUse {
  hits: number
  misses: number
  /** Entries ever made. */
  made: number
  /** Entries that there are, and what they take. */
  kept: number
  bytes: number
}

interface Entry {
  readonly key: string
  readonly owner: SegmentFilters
  readonly range: ArenaRange
  readonly bytes: number
  /** Number of the search that used it last. */
  search: number
  /** Searches on other threads that use it. */
  pins: number
}

/**
 * Hot filters as bits in the arenas, by segment and filter: which documents of a segment match,
 * deleted ones included, so that an entry holds for as long as its segment. Belongs to the coordinating
 * thread: searches that run there use and make entries, those on other threads are handed the ones that
 * there are.
 *
 * A filter is kept when a segment was asked for it a few times within its last 256 filters. Entries
 * leave with their segment, when others need their memory, and least recently used first when all
 * together pass the limit; those that a running search uses stay until it is over.
 */
export class FilterCache {
  readonly #memory: SpareMemory
  readonly #limitInBytes: number
  readonly #leastDocs: number
  /** Least recently used first. */
  readonly #entries = new Set<Entry>()
  readonly #segments = new Map<number, SegmentFilters>()
  readonly #uses = new WeakMap<object, FilterUse>()
  #bytes = 0
  #search = 0
  #isRunning = false
  #isAsked = false

  /**
   * @param limitInBytes most bytes of all entries; 0: nothing is kept
   * @param leastDocs    segments with fewer documents keep nothing
   */
  constructor(memory: SpareMemory, limitInBytes: number, leastDocs: number = LEAST_DOCS) {
    this.#memory = memory
    this.#limitInBytes = limitInBytes
    this.#leastDocs = leastDocs
  }

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#bytes
  }

  /** What was kept of a shard's segments, and how often that served. */
  useOf(directory: object): FilterUse {
    let use = this.#uses.get(directory)
    if (use === undefined) {
      use = { hits: 0, misses: 0, made: 0, kept: 0, bytes: 0 }
      this.#uses.set(directory, use)
    }
    return use
  }

  /** What a leaf of a segment asks; null where nothing is kept of it. */
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

  /** Whether the segment is large enough to keep anything of it. */
  keeps(segment: FilteredSegment): boolean {
    return this.#limitInBytes > 0 && segment.maxDoc >= this.#leastDocs
  }

  /**
   * A search begins that asks until `endSearch`.
   * @param asks false: it neither uses nor makes entries
   */
  beginSearch(asks: boolean): void {
    this.#search++
    this.#isRunning = true
    this.#isAsked = asks
  }

  endSearch(): void {
    this.#isRunning = false
  }

  /** How a filter stands in a segment, without counting as a use: it is kept, its next use will keep it, or neither. */
  stateOf(segment: FilteredSegment, key: string, leastUses: number): 'kept' | 'due' | 'cold' {
    const filters = this.#segments.get(segment.uid)
    if (filters === undefined) return 'cold'
    if (filters.entries.has(key)) return 'kept'
    return filters.uses(key) + 1 >= leastUses ? 'due' : 'cold'
  }

  /**
   * Looks filters up for a search on other threads, which counts as a use.
   * @returns where those lie that are kept, until the pins are released
   */
  pin(segment: FilteredSegment, keys: readonly string[], pins: SetPins): KeptSetPlace[] {
    const filters = keys.length === 0 ? null : this.#filtersOf(segment)
    if (filters === null) return []
    const places: KeptSetPlace[] = []
    for (const key of keys) {
      filters.note(key)
      const entry = this.#find(filters, key)
      if (entry === null) continue
      pins.add(entry)
      places.push({ key, start: entry.range.start })
    }
    return places
  }

  /** Drops all of a segment that nobody uses any more. */
  forget(segment: FilteredSegment): void {
    const filters = this.#segments.get(segment.uid)
    if (filters === undefined) return
    this.#segments.delete(segment.uid)
    for (const entry of filters.entries.values()) this.#drop(entry)
  }

  /**
   * Drops what was used longest ago.
   * @param arena the arena in which room is needed; null: any
   * @returns false when there is nothing to drop
   */
  dropOldest(arena: number | null): boolean {
    for (const entry of this.#entries) {
      if (entry.pins > 0 || (this.#isRunning && entry.search === this.#search)) continue
      if (arena !== null && entry.range.arena !== arena) continue
      this.#drop(entry)
      return true
    }
    return false
  }

  /** Whether the running search asks. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  /** For `SegmentFilters`. */
  find(filters: SegmentFilters, key: string): number {
    return this.#find(filters, key)?.range.start ?? -1
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

  /** For `SegmentFilters`. */
  keep(filters: SegmentFilters, key: string, bits: number, byteLength: number): void {
    if (filters.entries.has(key)) return
    const bytes = byteLength + 2 * key.length + ENTRY_BYTES
    if (bytes > this.#limitInBytes) return
    while (this.#bytes + bytes > this.#limitInBytes) if (!this.dropOldest(null)) return
    const range = this.#roomFor(filters.segment.uid, byteLength)
    if (range === null) return
    this.#memory.bytesOf(range.arena).copyWithin(range.start, bits, bits + byteLength)
    const entry = { key, owner: filters, range, bytes, search: this.#search, pins: 0 }
    this.#entries.add(entry)
    filters.entries.set(key, entry)
    this.#bytes += bytes
    const use = this.useOf(filters.segment.directory)
    use.made++
    use.kept++
    use.bytes += bytes
  }

  /** Where memory is short, as much as is wanted is dropped of what was used longest ago, and no more. */
  #roomFor(uid: number, byteLength: number): ArenaRange | null {
    const range = this.#memory.allocateSpare(uid, byteLength)
    if (range !== null) return range
    const before = this.#bytes
    while (before - this.#bytes < byteLength) if (!this.dropOldest(null)) return null
    return this.#memory.allocateSpare(uid, byteLength)
  }

  #drop(entry: Entry): void {
    const { owner, key, range, bytes } = entry
    this.#entries.delete(entry)
    owner.entries.delete(key)
    this.#bytes -= bytes
    const use = this.useOf(owner.segment.directory)
    use.kept--
    use.bytes -= bytes
    this.#memory.free(range)
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

  find(key: string): number {
    if (!this.#cache.isAsked) return -1
    this.#history.note(key)
    return this.#cache.find(this, key)
  }

  isDue(key: string, leastUses: number): boolean {
    return this.#cache.isAsked && this.#cache.stateOf(this.segment, key, leastUses) !== 'cold'
  }

  offer(key: string, leastUses: number, bits: number, byteLength: number): void {
    if (!this.#cache.isAsked || this.#history.count(key) < leastUses) return
    this.#cache.keep(this, key, bits, byteLength)
  }
}
