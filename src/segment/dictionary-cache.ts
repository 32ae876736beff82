/**
 * The cache of what is derived from dictionaries: their skips and their signatures, which
 * `kernels/assembly/term-skips.ts` and `term-signatures.ts` draw.
 */
import { GROUP_TERMS } from '../codec/terms/format.ts'
import type { ArenaRange } from '../store/arena-pool.ts'
import type { SpareMemory } from './spare-memory.ts'

/** Bytes of skips for each group of terms. */
const SKIP_BYTES = 104
/** Bytes of signatures in front of the first, and for each term. */
const SIGNATURE_HEADER_BYTES = 17_160
const SIGNATURE_BYTES = 12
/** Min terms of a dictionary that anything is derived from: a smaller one is walked as fast without. */
const MIN_TERMS = 2048
/** Walks of a dictionary at which skips or signatures are made: making them takes as long as one walk, or as two. */
const USES_TO_MAKE = 2

interface Entry {
  readonly uid: number
  uses: number
  /** Null until they are made. */
  range: ArenaRange | null
}

/** Selects the dictionaries that something is derived from. */
export interface DictionaryPolicy {
  readonly minTerms: number
  readonly usesToMake: number
}

/** Bytes of a dictionary's skips, a good three for each term. */
export function skipBytesOf(termCount: number): number {
  return Math.ceil(termCount / GROUP_TERMS) * SKIP_BYTES
}

/** Bytes of a dictionary's signatures. */
export function signatureBytesOf(termCount: number): number {
  return SIGNATURE_HEADER_BYTES + SIGNATURE_BYTES * 4 * Math.ceil(termCount / 4)
}

/**
 * Cache of what one kernel derives from dictionaries, in the arenas. Owned by the coordinating thread, where
 * dictionaries are walked, each walk without yielding: no entry is pinned.
 */
export class DictionaryCache {
  readonly #memory: SpareMemory
  readonly #bytesOf: (termCount: number) => number
  readonly #policy: DictionaryPolicy
  /** By segment uid and number of the field; least recently used first. */
  readonly #entries = new Map<string, Entry>()

  /** @param bytesOf of what is derived from a dictionary of so many terms */
  constructor(
    memory: SpareMemory,
    bytesOf: (termCount: number) => number,
    policy: DictionaryPolicy = { minTerms: MIN_TERMS, usesToMake: USES_TO_MAKE },
  ) {
    this.#memory = memory
    this.#bytesOf = bytesOf
    this.#policy = policy
  }

  /**
   * The address of what is derived from a dictionary, valid until a section is loaded; 0: there is nothing.
   * @param field number of the field
   * @param make  writes them at an address; below 0: it cannot
   */
  find(
    { uid }: { readonly uid: number },
    field: number,
    termCount: number,
    make: (at: number) => number,
  ): number {
    const { minTerms, usesToMake } = this.#policy
    if (termCount < minTerms) return 0
    const key = `${uid}/${field}`
    const entry = this.#entries.get(key) ?? { uid, uses: 0, range: null }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    entry.uses++
    if (entry.range === null && entry.uses >= usesToMake) this.#make(entry, termCount, make)
    return entry.range?.start ?? 0
  }

  #make(entry: Entry, termCount: number, make: (at: number) => number): void {
    const range = this.#memory.allocateSpare(entry.uid, this.#bytesOf(termCount))
    if (range === null) return
    if (make(range.start) < 0) this.#memory.free(range)
    else entry.range = range
  }

  /** Drops all of a segment that is no longer used. */
  forget({ uid }: { readonly uid: number }): void {
    for (const [key, entry] of [...this.#entries]) if (entry.uid === uid) this.#drop(key, entry)
  }

  /**
   * Evicts the least recently used entry.
   * @param arena the arena that needs room; null: any
   * @returns false when there is nothing to evict
   */
  dropOldest(arena: number | null): boolean {
    for (const [key, entry] of this.#entries) {
      if (entry.range === null || (arena !== null && entry.range.arena !== arena)) continue
      this.#drop(key, entry)
      return true
    }
    return false
  }

  #drop(key: string, { range }: Entry): void {
    this.#entries.delete(key)
    if (range !== null) this.#memory.free(range)
  }
}
