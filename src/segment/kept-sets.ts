/**
 * Sets of a segment's documents that are kept from search to search, as bits in its arena: document
 * i & 31 of word i >> 5. They know nothing of deletes.
 */
export interface KeptSets {
  /** Address of a set that is kept, which nobody may write; −1: it is not. Counts as a use. */
  find(key: string): number
  /** Whether a set is kept, or will be when its next user offers it; counts as no use. */
  isDue(key: string, leastUses: number): boolean
  /**
   * Keeps a copy of a set, when it was used often enough and there is room.
   * @param leastUses how often it must have been asked for of late
   * @param bits      address of all of the leaf's documents that match
   */
  offer(key: string, leastUses: number, bits: number, byteLength: number): void
}

/** A set that is kept while a search runs on other threads: plain data. */
export interface KeptSetPlace {
  readonly key: string
  /** Address of its bits. */
  readonly start: number
}

/** The sets that a search was handed over with; there is nothing to add to them. */
export function placedSets(places: readonly KeptSetPlace[]): KeptSets | null {
  if (places.length === 0) return null
  return {
    find: key => places.find(place => place.key === key)?.start ?? -1,
    isDue: key => places.some(place => place.key === key),
    offer() {},
  }
}
