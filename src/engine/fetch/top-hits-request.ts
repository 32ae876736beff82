/** Fetch parts of the documents of a `top_hits` aggregation. */
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import type { ParsedDocuments } from '../dsl/aggregation/aggregation-parser.ts'
import { parsingError, tokenName } from '../dsl/parse-error.ts'
import { type FetchDraft, readFetchKey } from './fetch-keys.ts'
import type { FetchPartValues } from './fetch-part.ts'
import { checkFetch, coupledSource, NOTHING_TO_FETCH } from './fetch-parts.ts'

/** By object of the request, so that it is read once for all indices. */
const known = new WeakMap<JsonObjectNode, FetchPartValues>()

/**
 * Reads the values of the fetch parts.
 * @throws {EngineError} 400: a key that is unknown, or a value that is wrong
 */
export function topHitsFetch({ node, otherKeys }: ParsedDocuments): FetchPartValues {
  const read = known.get(node)
  if (read !== undefined) return read
  const draft: FetchDraft = { ...NOTHING_TO_FETCH }
  for (const entry of node.entries) {
    const { key, value } = entry
    if (otherKeys.includes(key) || readFetchKey(draft, key, value)) continue
    throw parsingError(entry, `Unknown key for a ${tokenName(value.kind)} in [${key}].`)
  }
  checkFetch(draft)
  const fetch = { ...draft, source: coupledSource(draft) }
  known.set(node, fetch)
  return fetch
}
