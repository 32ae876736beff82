import type { ArenaRange } from '../store/arena-pool.ts'
import type { SetPins } from './set-pins.ts'
import type { SpareMemory } from './spare-memory.ts'

/** In smaller segments postings are read as fast as sets would be made. */
const LEAST_DOCS = 10_000
/** Of so many documents a term must have one: a set takes no more than five bytes for each of its postings. */
const DOCS_PER_MEMBER = 32
/** How often a term must have been asked for. */
const USES_TO_MAKE = 2
/** What an entry takes beside its set. */
const ENTRY_BYTES = 160
const DOCS_PER_SUPER = 65_536

/** Where the parts of a term's set lie, as `kernels/assembly/term-set.ts` draws them. */
export interface TermSet {
  readonly bits: number
  readonly ranks: number
  readonly supers: number
}

/** The set of a segment with `maxDoc` documents that starts at an address. */
export function termSetAt(start: number, maxDoc: number): TermSet {
  const words = termSetWords(maxDoc)
  const ranks = start + 8 * words
  return { bits: start, ranks, supers: ranks + 2 * words }
}

/** Words of 64 documents in a set's bits, those behind the last document included. */
export function termSetWords(maxDoc: number): number {
  return 2 * ((maxDoc + 127) >>> 7) + 8
}

/** Bytes of a set; a multiple of four. */
export function termSetBytes(maxDoc: number): number {
  const words = termSetWords(maxDoc)
  return 10 * words + 4 * Math.ceil((64 * words) / DOCS_PER_SUPER)
}

/** A set on another thread: plain data. */
export interface TermSetPlace extends TermSet {
  /** Number of the field. */
  readonly field: number
  /** Which term: the first entry of its blocks. */
  readonly firstBlock: number
}

/** The sets of a segment's frequent terms, as a leaf asks for them. */
export interface TermSets {
  /**
   * The set of a term; null where there is none. Counts as a use.
   * @param make makes a set that is wanted by now in scratch, and says where
   */
  find(
    field: number,
    term: { readonly docFreq: number; readonly firstBlock: number },
    make: () => number,
  ): TermSet | null
}

/** The sets that a search on another thread was handed; there is nothing to add to them. */
export function placedTermSets(places: readonly TermSetPlace[]): TermSets | null {
  if (places.length === 0) return null
  return {
    find: (field, { firstBlock }) =>
      places.find(place => place.field === field && place.firstBlock === firstBlock) ?? null,
  }
}

/** A segment as the cache sees it. */
export interface SetSegment {
  readonly uid: number
  readonly maxDoc: number
}

/** Which terms have sets. */
export interface TermSetPolicy {
  /** Segments with fewer documents have none. */
  readonly leastDocs: number
  /** Of so many documents a term must have one. */
  readonly docsPerMember: number
}

interface Entry {
  readonly owner: SegmentTermSets
  readonly field: number
  readonly firstBlock: number
  uses: number
  /** Null until it is made. */
  made: { readonly range: ArenaRange; readonly bytes: number; readonly set: TermSet } | null
  /** Number of the search that used it last. */
  search: number
  /** Searches on other threads that use it. */
  pins: number
}

/**
 * The documents of frequent terms as bits in the arenas, beside their postings: made at a term's second
 * use, deleted documents included, so that a set holds for as long as its segment. Belongs to the
 * coordinating thread: searches that run there use and make them, those on other threads are handed the
 * ones that there are. Sets leave with their segment, when others need their memory, and least recently
 * used first when all together pass the limit; those that a running search uses stay until it is over.
 */
export class TermSetCache {
  readonly #memory: SpareMemory
  readonly #limitInBytes: number
  readonly #policy: TermSetPolicy
  readonly #segments = new Map<number, SegmentTermSets>()
  #bytes = 0
  #search = 0
  #isRunning = false

  /** @param limitInBytes most bytes of all sets; 0: none are made */
  constructor(
    memory: SpareMemory,
    limitInBytes: number,
    policy: TermSetPolicy = { leastDocs: LEAST_DOCS, docsPerMember: DOCS_PER_MEMBER },
  ) {
    this.#memory = memory
    this.#limitInBytes = limitInBytes
    this.#policy = policy
  }

  /** Bytes of all sets. */
  get bytes(): number {
    return this.#bytes
  }

  /** What a leaf of a segment asks; null where no term of it has a set. */
  of(segment: SetSegment): TermSets | null {
    if (this.#limitInBytes === 0 || segment.maxDoc < this.#policy.leastDocs) return null
    let sets = this.#segments.get(segment.uid)
    if (sets === undefined) {
      sets = new SegmentTermSets(this, segment)
      this.#segments.set(segment.uid, sets)
    }
    return sets
  }

  /**
   * The sets that there are of some terms of a segment, kept until `pins` is released: for a search on
   * other threads.
   * @param firstBlocks of the terms
   */
  pin(segment: SetSegment, firstBlocks: ReadonlySet<number>, pins: SetPins): TermSetPlace[] {
    const places: TermSetPlace[] = []
    for (const entry of this.#segments.get(segment.uid)?.entries() ?? []) {
      const { made, field, firstBlock } = entry
      if (made === null || !firstBlocks.has(firstBlock)) continue
      this.use(entry)
      pins.add(entry)
      places.push({ ...made.set, field, firstBlock })
    }
    return places
  }

  /** A search begins that asks until `endSearch`. */
  beginSearch(): void {
    this.#search++
    this.#isRunning = true
  }

  endSearch(): void {
    this.#isRunning = false
  }

  /** Drops all of a segment that nobody uses any more. */
  forget(segment: SetSegment): void {
    const sets = this.#segments.get(segment.uid)
    if (sets === undefined) return
    this.#segments.delete(segment.uid)
    for (const entry of sets.entries()) this.#drop(entry)
  }

  /**
   * Drops what was used longest ago.
   * @param arena the arena in which room is needed; null: any
   * @returns false when there is nothing to drop
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

  /** For `SegmentTermSets`. */
  use(entry: Entry): void {
    entry.search = this.#search
    entry.uses++
  }

  /** For `SegmentTermSets`. */
  isFrequent(segment: SetSegment, docFreq: number): boolean {
    return docFreq * this.#policy.docsPerMember >= segment.maxDoc
  }

  /** For `SegmentTermSets`. */
  make(entry: Entry, make: () => number): TermSet | null {
    const { uid, maxDoc } = entry.owner.segment
    const byteLength = termSetBytes(maxDoc)
    const bytes = byteLength + ENTRY_BYTES
    if (bytes > this.#limitInBytes) return null
    while (this.#bytes + bytes > this.#limitInBytes) if (!this.dropOldest(null)) return null
    const scratch = make()
    const range = this.#memory.allocateSpare(uid, byteLength)
    if (range === null) return null
    this.#memory.bytesOf(range.arena).copyWithin(range.start, scratch, scratch + byteLength)
    const set = termSetAt(range.start, maxDoc)
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

class SegmentTermSets implements TermSets {
  readonly segment: SetSegment
  readonly #cache: TermSetCache
  readonly #fields: Map<number, Entry>[] = []

  constructor(cache: TermSetCache, segment: SetSegment) {
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
  ): TermSet | null {
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
