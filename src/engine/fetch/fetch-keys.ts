import type { JsonNode } from '../../util/json/json-tree.ts'
import type { FetchPartName, FetchPartValues } from './fetch-part.ts'
import { FETCH_PART_NAMES, FETCH_PARTS } from './fetch-parts.ts'

/** Values of the parts while a request is read. */
export type FetchDraft = { -readonly [N in FetchPartName]: FetchPartValues[N] }

/** The keys of all parts. */
export const FETCH_KEYS: readonly string[] = FETCH_PART_NAMES.flatMap(name =>
  Object.keys(FETCH_PARTS[name].keys),
)

/** Reads a key if it is one of a part. @returns whether it is */
export function readFetchKey(to: FetchDraft, key: string, value: JsonNode): boolean {
  return FETCH_PART_NAMES.some(name => readPart(name, to, key, value))
}

function readPart<N extends FetchPartName>(
  name: N,
  to: FetchDraft,
  key: string,
  value: JsonNode,
): boolean {
  const { keys } = FETCH_PARTS[name]
  if (!Object.hasOwn(keys, key)) return false
  to[name] = keys[key]!(value, to[name])
  return true
}
