/** Bit sets of frequent terms' documents: layout, and their cache. */
import type { ArenaRange } from '../store/arena-pool.ts'
import type { SetPins } from './set-pins.ts'
import type { SpareMemory } from './spare-memory.ts'

/** Min documents of a segment with sets; in smaller ones reading postings is as fast. */
const MIN_DOCS = 10_000
/** Max documents per posting of a term with a set: bounds a set to five bytes for each posting. */
const DOCS_PER_MEMBER = 32
/** Uses of a term at which its set is made. */
const USES_TO_MAKE = 2
/** Bytes of an entry, besides its set. */
const ENTRY_BYTES = 160
const DOCS_PER_SUPER = 65_536

/** Addresses of a term bit set's parts; `kernels/assembly/term-bit-set.ts` draws the layout. */
export interface TermBitSet {
  readonly bits: number
  readonly ranks: number
  readonly supers: number
}

/** The set at an address in a segment with `maxDoc` documents. */
export function termBitSetAt(start: number, maxDoc: number): TermBitSet {
  const words = termBitSetWords(maxDoc)
  const ranks = start + 8 * words
  return { bits: start, ranks, supers: ranks + 2 * words }
}

/** Words of 64 documents in a set, including bits behind the last document. */
export function termBitSetWords(maxDoc: number): number {
  return 2 * ((maxDoc + 127) >>> 7) + 8
}

/** Bytes of a set; a multiple of four. */
export function termBitSetBytes(maxDoc: number): number {
  const words = termBitSetWords(maxDoc)
  return 10 * words + 4 * Math.ceil((64 * words) / DOCS_PER_SUPER)
}

/** The address of a pinned set on another thread: plain data. */
export interface TermBitSetAddress extends TermBitSet {
  /** Ord of the field. */
  readonly field: number
  /** Identifies the term: index of its first skip entry. */
  readonly firstBlock: number
}

/** Term bit sets of one segment, the interface of a leaf. */
export interface TermBitSets {
  /**
   * The bit set of a term; null: none. Counts as a use.
   * @param make makes a set that is due in scratch and returns its address
   */
  find(
    field: number,
    term: { readonly docFreq: number; readonly firstBlock: number },
    make: () => number,
  ): TermBitSet | null
}

/** The pinned term bit sets of a search on another thread, read-only. */
export function pinnedTermBitSets(addresses: readonly TermBitSetAddress[]): TermBitSets | null {
  if (addresses.length === 0) return null
  return {
    find: (field, { firstBlock }) =>
      addresses.find(address => address.field === field && address.firstBlock === firstBlock) ??
      null,
  }
}

/** The part of a segment that the cache uses. */
export interface SetSegment {
  readonly uid: number
  readonly maxDoc: number
}

/** Selects the terms with bit sets. */
export interface TermBitSetPolicy {
  /** Min documents of a segment with sets. */
  readonly minDocs: number
  /** Max documents per posting of a term with a set. */
  readonly docsPerMember: number
}

interface Entry {
  readonly owner: SegmentTermBitSets
  readonly field: number
  readonly firstBlock: number
  uses: number
  /** Null until it is made. */
  made: { readonly range: ArenaRange; readonly bytes: number; readonly set: TermBitSet } | null
  /** Number of the last search that used it. */
  search: number
  /** Pins by searches on other threads. */
  pins: number
}

/**
 * Cache of frequent terms' documents as bit sets in the arenas, beside their postings: made at a
 * term's second use, deleted documents included, so that a set is valid as long as its segment.
 * Owned by the coordinating thread: inline searches use and make sets; searches on other threads
 * receive those that exist. Sets are dropped with their segment, when others need their memory, and
 * least recently used first over the limit; those that a running search uses stay until it ends.
 */
export class TermBitSetCache {
  readonly #memory: SpareMemory
  readonly #limitInBytes: number
  readonly #policy: TermBitSetPolicy
  readonly #segments = new Map<number, SegmentTermBitSets>()
  #bytes = 0
  #search = 0
  #isRunning = false

  /** @param limitInBytes max bytes of all sets; 0: none are made */
  constructor(
    memory: SpareMemory,
    limitInBytes: number,
    policy: TermBitSetPolicy = { minDocs: MIN_DOCS, docsPerMember: DOCS_PER_MEMBER },
  ) {
    this.#memory = memory
    this.#limitInBytes = limitInBytes
    this.#policy = policy
  }

  /** Bytes of all sets. */
  get bytes(): number {
    return this.#bytes
  }

  /** The sets of one segment; null when none of its terms has any. */
  of(segment: SetSegment): TermBitSets | null {
    if (this.#limitInBytes === 0 || segment.maxDoc < this.#policy.minDocs) return null
    let sets = this.#segments.get(segment.uid)
    if (sets === undefined) {
      sets = new SegmentTermBitSets(this, segment)
      this.#segments.set(segment.uid, sets)
    }
    return sets
  }

  /**
   * The existing sets of some terms of a segment, pinned until `pins` is released, for a search on
   * other threads.
   * @param firstBlocks of the terms
   */
  pin(segment: SetSegment, firstBlocks: ReadonlySet<number>, pins: SetPins): TermBitSetAddress[] {
    const addresses: TermBitSetAddress[] = []
    for (const entry of this.#segments.get(segment.uid)?.entries() ?? []) {
      const { made, field, firstBlock } = entry
      if (made === null || !firstBlocks.has(firstBlock)) continue
      this.use(entry)
      pins.add(entry)
      addresses.push({ ...made.set, field, firstBlock })
    }
    return addresses
  }

  /** Begins a search, which may use sets until `endSearch`. */
  beginSearch(): void {
    this.#search++
    this.#isRunning = true
  }

  endSearch(): void {
    this.#isRunning = false
  }

  /** Drops all sets of a segment that is no longer used. */
  forget(segment: SetSegment): void {
    const sets = this.#segments.get(segment.uid)
    if (sets === undefined) return
    this.#segments.delete(segment.uid)
    for (const entry of sets.entries()) this.#drop(entry)
  }

  /**
   * Evicts the least recently used set.
   * @param arena the arena that needs room; null: any
   * @returns false when there is nothing to evict
   */
  dropOldest(arena: number | null): boolean {
    let oldest: Entry | null = null
    for (const sets of this.#segments.values())
      for (const entry of sets.entries()) {
        if (entry.made === null || (arena !== null && entry.made.range.arena !== arena)) continue
        if (entry.pins > 0 || (this.#isRunning && entry.search === this.#search)) continue
        if (oldest === null || entry.search < oldest.search) oldest = entry
      }
    if (oldest === null) return false
    this.#drop(oldest)
    return true
  }

  /** Called by `SegmentTermBitSets`. */
  use(entry: Entry): void {
    entry.search = this.#search
    entry.uses++
  }

  /** Called by `SegmentTermBitSets`. */
  isFrequent(segment: SetSegment, docFreq: number): boolean {
    return docFreq * this.#policy.docsPerMember >= segment.maxDoc
  }

  /** Called by `SegmentTermBitSets`. */
  make(entry: Entry, make: () => number): TermBitSet | null {
    const { uid, maxDoc } = entry.owner.segment
    const byteLength = termBitSetBytes(maxDoc)
    const bytes = byteLength + ENTRY_BYTES
    if (bytes > this.#limitInBytes) return null
    while (this.#bytes + bytes > this.#limitInBytes) if (!this.dropOldest(null)) return null
    const scratch = make()
    const range = this.#memory.allocateSpare(uid, byteLength)
    if (range === null) return null
    this.#memory.bytesOf(range.arena).copyWithin(range.start, scratch, scratch + byteLength)
    const set = termBitSetAt(range.start, maxDoc)
    entry.made = { range, bytes, set }
    this.#bytes += bytes
    return set
  }

  #drop(entry: Entry): void {
    const { made } = entry
    if (made === null) return
    entry.made = null
    entry.uses = 0
    this.#bytes -= made.bytes
    this.#memory.free(made.range)
  }
}

class SegmentTermBitSets implements TermBitSets {
  readonly segment: SetSegment
  readonly #cache: TermBitSetCache
  readonly #fields: Map<number, Entry>[] = []

  constructor(cache: TermBitSetCache, segment: SetSegment) {
    this.#cache = cache
    this.segment = segment
  }

  *entries(): Iterable<Entry> {
    for (const field of this.#fields) if (field !== undefined) yield* field.values()
  }

  find(
    field: number,
    { docFreq, firstBlock }: { readonly docFreq: number; readonly firstBlock: number },
    make: () => number,
  ): TermBitSet | null {
    if (firstBlock < 0 || !this.#cache.isFrequent(this.segment, docFreq)) return null
    const byTerm = (this.#fields[field] ??= new Map())
    let entry = byTerm.get(firstBlock)
    if (entry === undefined) {
      entry = { owner: this, field, firstBlock, uses: 0, made: null, search: 0, pins: 0 }
      byTerm.set(firstBlock, entry)
    }
    this.#cache.use(entry)
    if (entry.made !== null) return entry.made.set
    return entry.uses < USES_TO_MAKE ? null : this.#cache.make(entry, make)
  }
}
