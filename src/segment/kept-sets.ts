/** Documents in an arena, i32 each, ascending. */
export interface DocList {
  readonly at: number
  readonly count: number
}

/** A cached set of a segment's documents, read-only; deleted ones are included. */
export interface KeptSet {
  /** Address of its bits: document i is bit i & 31 of word i >> 5. */
  readonly start: number
  /** The same documents; null: too many for a list. */
  readonly list: DocList | null
}

/** Sets of a segment's documents cached between searches, in its arena. */
export interface KeptSets {
  /** Null: not cached. Counts as a use. */
  find(key: string): KeptSet | null
  /** Whether a set is cached, or will be at its next `offer`; not counted as a use. */
  isDue(key: string, minUses: number): boolean
  /**
   * Caches a copy of a set, if it has enough uses and there is room.
   * @param minUses min recent uses
   * @param bits      address of the bits of all of the leaf's matching documents
   */
  offer(key: string, minUses: number, bits: number, byteLength: number): void
}

/** A set that is pinned for a search on other threads: plain data. */
export interface KeptSetAddress extends KeptSet {
  readonly key: string
}

/** The pinned sets of a search, read-only. */
export function pinnedSets(addresses: readonly KeptSetAddress[]): KeptSets | null {
  if (addresses.length === 0) return null
  return {
    find: key => addresses.find(address => address.key === key) ?? null,
    isDue: key => addresses.some(address => address.key === key),
    offer() {},
  }
}
