/** The body of a search and the options of its URL, as one plain request. */
import { assert } from '../../util/assert.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import type { SearchOptions } from '../api/searches.ts'
import { notSupportedYet, parsingError, tokenName } from '../dsl/parse-error.ts'
import {
  COUPLED_KEYS,
  type CoupledDraft,
  type CoupledKeys,
  checkCoupled,
  newCoupledDraft,
  takeCoupledOptions,
} from '../dsl/search-body/coupled-keys.ts'
import type { FetchPartName, FetchPartValues } from '../fetch/fetch-part.ts'
import { FETCH_PART_NAMES, FETCH_PARTS } from '../fetch/fetch-parts.ts'
import { KEYS_NOT_YET } from './keys-not-yet.ts'
import type { SearchPartName, SearchPartValues } from './search-part.ts'
import { SEARCH_PART_NAMES, SEARCH_PARTS } from './search-parts.ts'

/** A search that has been read and checked, but not yet made for an index. */
export interface SearchRequest {
  readonly coupled: CoupledKeys
  /** Values of the fetch parts. */
  readonly fetch: FetchPartValues
  /** Values of the parts beside the hits. */
  readonly parts: SearchPartValues
}

interface Draft {
  readonly coupled: CoupledDraft
  readonly fetch: { -readonly [N in FetchPartName]: FetchPartValues[N] }
  readonly parts: { -readonly [N in SearchPartName]: SearchPartValues[N] }
}

type ReadKey = (draft: Draft, value: JsonNode) => void

/** A request that has no key of any part. */
const NOTHING_TO_FETCH_ELSE = Object.fromEntries(
  FETCH_PART_NAMES.map(name => [name, FETCH_PARTS[name].unasked]),
) as unknown as FetchPartValues
const NO_OTHER_PARTS = Object.fromEntries(
  SEARCH_PART_NAMES.map(name => [name, SEARCH_PARTS[name].unasked]),
) as unknown as SearchPartValues

/** Every key of a body that is built. */
const KEYS: ReadonlyMap<string, ReadKey> = allKeys()

/**
 * Reads a search; options of the URL win over the body.
 * @throws {EngineError} 400: what is wrong with the request by itself
 */
export function parseSearchRequest(body: JsonNode | null, options: SearchOptions): SearchRequest {
  const request = readSearchRequest(body, options)
  checkCoupled(request.coupled)
  return request
}

/** Reads a search that is not run: its keys may exclude each other. */
export function readSearchRequest(body: JsonNode | null, options: SearchOptions): SearchRequest {
  const draft: Draft = {
    coupled: newCoupledDraft(),
    fetch: { ...NOTHING_TO_FETCH_ELSE },
    parts: { ...NO_OTHER_PARTS },
  }
  if (body !== null) {
    if (body.kind !== 'object')
      throw parsingError(body, `Expected [START_OBJECT] but found [${tokenName(body.kind)}]`)
    for (const entry of body.entries) readEntry(draft, entry)
  }
  takeCoupledOptions(draft.coupled, options)
  for (const name of FETCH_PART_NAMES) takeFetchOptions(name, draft, options)
  for (const name of SEARCH_PART_NAMES) checkPart(name, draft)
  return draft
}

function readEntry(draft: Draft, entry: JsonEntry): void {
  const { key, value } = entry
  const read = KEYS.get(key)
  if (read === undefined) {
    if (KEYS_NOT_YET.has(key)) throw notSupportedYet(key)
    throw parsingError(entry, `Unknown key for a ${tokenName(value.kind)} in [${key}].`)
  }
  read(draft, value)
}

function takeFetchOptions<N extends FetchPartName>(
  name: N,
  draft: Draft,
  options: SearchOptions,
): void {
  const asked = FETCH_PARTS[name].ofOptions(options)
  if (asked !== undefined) draft.fetch[name] = asked
}

function checkPart<N extends SearchPartName>(name: N, { parts }: Draft): void {
  SEARCH_PARTS[name].check(parts[name])
}

function allKeys(): Map<string, ReadKey> {
  const keys = new Map<string, ReadKey>()
  const add = (key: string, read: ReadKey): void => {
    assert(!keys.has(key) && !KEYS_NOT_YET.has(key), `the key ${key} of a search is read once`)
    keys.set(key, read)
  }
  for (const [key, read] of Object.entries(COUPLED_KEYS))
    add(key, ({ coupled }, value) => read(coupled, value))
  for (const name of FETCH_PART_NAMES) addFetchKeys(name, add)
  for (const name of SEARCH_PART_NAMES) addPartKeys(name, add)
  return keys
}

function addFetchKeys<N extends FetchPartName>(
  name: N,
  add: (key: string, read: ReadKey) => void,
): void {
  for (const [key, read] of Object.entries(FETCH_PARTS[name].keys))
    add(key, ({ fetch }, value) => {
      fetch[name] = read(value, fetch[name])
    })
}

function addPartKeys<N extends SearchPartName>(
  name: N,
  add: (key: string, read: ReadKey) => void,
): void {
  for (const [key, read] of Object.entries(SEARCH_PARTS[name].keys))
    add(key, ({ parts }, value) => {
      parts[name] = read(value, parts[name])
    })
}
