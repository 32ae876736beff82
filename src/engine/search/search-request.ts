/** The body of a search and the options of its URL, as one plain request. */
import { assert } from '../../util/assert.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import type { SourceFilter } from '../api/documents.ts'
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
import { ALL_OF_SOURCE } from '../dsl/search-body/source-selection.ts'
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
  draft.fetch.source = coupledSource(draft.fetch)
  for (const name of SEARCH_PART_NAMES) checkPart(name, draft)
  checkCoupled(draft.coupled)
  return draft
}

/**
 * The source that hits carry: stored fields stop it, unless it is asked for too.
 * @throws {EngineError} `search_exception`: without even ids, sources and fields have nothing to go with
 */
function coupledSource({ storedFields, source, fields }: FetchPartValues): SourceFilter | null {
  if (storedFields === null) return source
  if (storedFields === 'none') {
    if (source?.enabled === true)
      throw searchError('[stored_fields] cannot be disabled if [_source] is requested')
    if (fields.length > 0)
      throw searchError('[stored_fields] cannot be disabled when using the [fields] option')
  }
  const isAsked = source !== null || storedFields.includes('_source')
  return isAsked ? source : { ...ALL_OF_SOURCE, enabled: false }
}

function searchError(reason: string): EngineError {
  return new EngineError({ type: 'search_exception', reason })
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
