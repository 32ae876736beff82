/** Parts of the cache keys of filters' bit sets; the encoding is unambiguous. */

// As in Lucene's UsageTrackingQueryCachingPolicy: min recent uses before a filter is cached.

/** For a filter that walks many terms or points. */
export const USES_OF_COSTLY = 2
/** For a filter that combines others. */
export const USES_OF_COMBINED = 4
/** For any other cached filter. */
export const USES_OF_OTHERS = 5

/** A text prefixed by its length. */
export function keyText(value: string): string {
  return `${value.length}:${value}`
}

/** Bytes prefixed by their count, one UTF-16 unit each: as UTF-8, invalid bytes would collide. */
export function keyBytes(bytes: Uint8Array): string {
  let out = `${bytes.length}:`
  for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i]!)
  return out
}
