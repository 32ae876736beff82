/** The cache of dictionaries' skips; `kernels/assembly/term-skips.ts` draws them. */
import { GROUP_TERMS } from '../codec/terms/format.ts'
import type { ArenaRange } from '../store/arena-pool.ts'
import type { SpareMemory } from './spare-memory.ts'

/** Bytes for each group of terms. */
const GROUP_BYTES = 104
/** Min terms of a dictionary with skips: a smaller one is walked as fast without. */
const MIN_TERMS = 2048
/** Walks of a dictionary at which its skips are made: making them takes as long as a walk. */
const USES_TO_MAKE = 2

interface Entry {
  readonly uid: number
  uses: number
  /** Null until they are made. */
  range: ArenaRange | null
}

/** Selects the dictionaries with skips. */
export interface TermSkipPolicy {
  readonly minTerms: number
  readonly usesToMake: number
}

/**
 * Cache of the skips of dictionaries, a good three bytes for each term, in the arenas. Owned by the
 * coordinating thread, where dictionaries are walked, each walk without yielding: no entry is pinned.
 */
export class TermSkipCache {
  readonly #memory: SpareMemory
  readonly #policy: TermSkipPolicy
  /** By segment uid and number of the field; least recently used first. */
  readonly #entries = new Map<string, Entry>()

  constructor(
    memory: SpareMemory,
    policy: TermSkipPolicy = { minTerms: MIN_TERMS, usesToMake: USES_TO_MAKE },
  ) {
    this.#memory = memory
    this.#policy = policy
  }

  /**
   * The address of a dictionary's skips, valid until anything is allocated; 0: there are none.
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
    const bytes = Math.ceil(termCount / GROUP_TERMS) * GROUP_BYTES
    const range = this.#memory.allocateSpare(entry.uid, bytes)
    if (range === null) return
    if (make(range.start) < 0) this.#memory.free(range)
    else entry.range = range
  }

  /** Drops all skips of a segment that is no longer used. */
  forget({ uid }: { readonly uid: number }): void {
    for (const [key, entry] of [...this.#entries]) if (entry.uid === uid) this.#drop(key, entry)
  }

  /**
   * Evicts the least recently used skips.
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
