/**
 * Keys of a search body that the real API has and this build has not: they are refused, never passed
 * over. One that is built becomes a key of a part (`search-parts.ts`, `fetch/fetch-parts.ts`) or of the
 * coupled record (`dsl/search-body/coupled-keys.ts`).
 */
export const KEYS_NOT_YET: ReadonlySet<string> = new Set(['derived'])
