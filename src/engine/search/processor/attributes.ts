/** Names of the values that processors of a pipeline leave for each other. */

/** The number of hits that a search asked for before `oversample` raised it. */
export const ORIGINAL_SIZE = 'original_size'

/** A name within a prefix, by which processors of one type keep theirs apart; null or empty: none. */
export function prefixed(prefix: string | null, name: string): string {
  return prefix === null || prefix === '' ? name : `${prefix}.${name}`
}
