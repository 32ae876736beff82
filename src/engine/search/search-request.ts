/** The body of a search and the options of its URL, as one plain request. */
import { assert } from '../../util/assert.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { SearchOptions } from '../api/searches.ts'
import { parsingError, tokenName } from '../dsl/parse-error.ts'
import {
  COUPLED_KEYS,
  type CoupledDraft,
  type CoupledKeys,
  newCoupledDraft,
  takeCoupledOptions,
} from '../dsl/search-body/coupled-keys.ts'
import { checkForm, checkFormsOf, unknownKey } from '../dsl/search-body/key-forms.ts'
import type { FetchPartName, FetchPartValues, ParsedInnerHits } from '../fetch/fetch-part.ts'
import {
  coupledSource,
  FETCH_PART_NAMES,
  FETCH_PARTS,
  NOTHING_TO_FETCH,
} from '../fetch/fetch-parts.ts'
import { parseGroupHits, parseInnerHits } from '../fetch/inner-hits-request.ts'
import type { HybridScoring } from './hybrid/hybrid-scoring.ts'
import type { SearchPartName, SearchPartValues } from './search-part.ts'
import { SEARCH_PART_NAMES, SEARCH_PARTS } from './search-parts.ts'

/** Inner hits by the object that the request wrote. */
export type InnerHitsByNode = ReadonlyMap<JsonObjectNode, ParsedInnerHits>

/** A search that has been read and checked, but not yet made for an index. */
export interface SearchRequest {
  readonly coupled: CoupledKeys
  /** Values of the fetch parts. */
  readonly fetch: FetchPartValues
  /** Inner hits of the query, by the object that the request wrote. */
  readonly innerHits: InnerHitsByNode
  /** Values of the parts beside the hits. */
  readonly parts: SearchPartValues
  /** How the scores of a hybrid query are combined; null: as they are without a pipeline. */
  readonly scoring: HybridScoring | null
}

interface Draft {
  readonly coupled: CoupledDraft
  readonly fetch: { -readonly [N in FetchPartName]: FetchPartValues[N] }
  readonly parts: { -readonly [N in SearchPartName]: SearchPartValues[N] }
}

type ReadKey = (draft: Draft, value: JsonNode) => void

/** A request with none of the parts beside the hits. */
export const NO_OTHER_PARTS: SearchPartValues = Object.fromEntries(
  SEARCH_PART_NAMES.map(name => [name, SEARCH_PARTS[name].unasked]),
) as unknown as SearchPartValues

/** Every key of a body that is built. */
const KEYS: ReadonlyMap<string, ReadKey> = allKeys()

/** Their names. */
export const SEARCH_KEYS: readonly string[] = [...KEYS.keys()]

/**
 * Reads a search; options of the URL win over the body. Its keys may exclude each other, which is told
 * where it runs.
 * @throws {EngineError} 400: what is wrong with the request by itself
 */
export function parseSearchRequest(body: JsonNode | null, options: SearchOptions): SearchRequest {
  const draft: Draft = {
    coupled: newCoupledDraft(),
    fetch: { ...NOTHING_TO_FETCH },
    parts: { ...NO_OTHER_PARTS },
  }
  if (body !== null) {
    if (body.kind !== 'object')
      throw parsingError(body, `Expected [START_OBJECT] but found [${tokenName(body.kind)}]`)
    for (const entry of body.entries) readEntry(draft, entry)
  }
  takeCoupledOptions(draft.coupled, options)
  for (const name of FETCH_PART_NAMES) takeFetchOptions(name, draft, options)
  if (options.stats !== undefined) draft.parts.groups = options.stats
  draft.fetch.source = coupledSource(draft.fetch)
  for (const name of SEARCH_PART_NAMES) checkPart(name, draft)
  return { innerHits: innerHitsOf(draft.coupled), scoring: null, ...draft }
}

const NO_INNER_HITS: InnerHitsByNode = new Map()

function innerHitsOf({ query, postFilter, collapse }: CoupledKeys): InnerHitsByNode {
  const ofQueries = [...(query?.innerHits ?? []), ...(postFilter?.innerHits ?? [])]
  const ofGroups = collapse?.innerHits ?? []
  if (ofQueries.length + ofGroups.length === 0) return NO_INNER_HITS
  return new Map([
    ...ofQueries.map(node => [node, parseInnerHits(node)] as const),
    ...ofGroups.map(node => [node, parseGroupHits(node)] as const),
  ])
}

function readEntry(draft: Draft, entry: JsonEntry): void {
  const read = KEYS.get(entry.key)
  if (read === undefined) throw unknownKey(entry)
  checkForm(entry)
  read(draft, entry.value)
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
    assert(!keys.has(key), `the key ${key} of a search is read once`)
    keys.set(key, read)
  }
  for (const [key, read] of Object.entries(COUPLED_KEYS))
    add(key, ({ coupled }, value) => read(coupled, value))
  for (const name of FETCH_PART_NAMES) addFetchKeys(name, add)
  for (const name of SEARCH_PART_NAMES) addPartKeys(name, add)
  checkFormsOf(keys.keys())
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
