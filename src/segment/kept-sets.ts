/**
 * Bit sets of a segment's documents cached between searches, in its arena: document i is bit i & 31
 * of word i >> 5. Deleted documents are included.
 */
export interface KeptSets {
  /** Address of a cached set, read-only; −1: not cached. Counts as a use. */
  find(key: string): number
  /** Whether a set is cached, or will be at its next `offer`; not counted as a use. */
  isDue(key: string, minUses: number): boolean
  /**
   * Caches a copy of a set, if it has enough uses and there is room.
   * @param minUses min recent uses
   * @param bits      address of the bits of all of the leaf's matching documents
   */
  offer(key: string, minUses: number, bits: number, byteLength: number): void
}

/** The address of a set that is pinned for a search on other threads: plain data. */
export interface KeptSetAddress {
  readonly key: string
  /** Address of its bits. */
  readonly start: number
}

/** The pinned sets of a search, read-only. */
export function pinnedSets(addresses: readonly KeptSetAddress[]): KeptSets | null {
  if (addresses.length === 0) return null
  return {
    find: key => addresses.find(address => address.key === key)?.start ?? -1,
    isDue: key => addresses.some(address => address.key === key),
    offer() {},
  }
}
