/** Parts of the keys by which bit sets of filters are cached; no two parts read the same. */

// As in Lucene's UsageTrackingQueryCachingPolicy: uses of late before a filter's documents are cached.

/** Of a filter that walks many terms or points. */
export const USES_OF_COSTLY = 2
/** Of a filter that combines others. */
export const USES_OF_COMBINED = 4
/** Of any other that is worth caching. */
export const USES_OF_OTHERS = 5

/** A text with its length in front. */
export function keyText(value: string): string {
  return `${value.length}:${value}`
}

/** Bytes with their count in front, a unit each: as UTF-8, bounds that are none would look alike. */
export function keyBytes(bytes: Uint8Array): string {
  let out = `${bytes.length}:`
  for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i]!)
  return out
}
