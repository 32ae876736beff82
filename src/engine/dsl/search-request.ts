/** The body of a search and the options of its URL, as one plain request. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import { parseDuration } from '../../util/units.ts'
import type { SourceFilter } from '../api/documents.ts'
import type { SearchOptions } from '../api/searches.ts'
import type { ParsedSort } from './field/sort-level.ts'
import {
  isScalar,
  readBoolean,
  readInteger,
  readNumber,
  readText,
  readTexts,
} from './json-scalars.ts'
import { notSupportedYet, parsingError, tokenName } from './parse-error.ts'
import { parseQuery } from './query/parse-query.ts'
import type { ParsedQuery } from './query-context.ts'
import { parseSort, plainSort } from './sort.ts'

/** How many hits are counted when the request does not say. */
export const DEFAULT_TRACK_TOTAL_HITS = 10_000

/** A search that has been read and checked, but not yet made for an index. */
export interface SearchRequest {
  readonly from: number
  readonly size: number
  /** Null: match_all. */
  readonly query: ParsedQuery | null
  readonly postFilter: ParsedQuery | null
  readonly sort: readonly ParsedSort[]
  readonly searchAfter: readonly JsonNode[] | null
  /** Infinity: all; −1: none. */
  readonly trackTotalHits: number
  readonly trackScores: boolean
  readonly minScore: number | null
  /** 0: never. */
  readonly terminateAfter: number
  /** Null: none. */
  readonly timeoutInMillis: number | null
  readonly explain: boolean
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
  readonly source: SourceFilter
  readonly profile: boolean
  /** `profile_slices`: an object per slice in the profile. */
  readonly profileSlices: boolean
  /** `profile_kernels`: what production runs, beside what the profile runs; only with a profile. */
  readonly profileKernels: boolean
}

type Draft = { -readonly [key in keyof SearchRequest]: SearchRequest[key] }

const ALL_OF_SOURCE: SourceFilter = { enabled: true, includes: [], excludes: [] }

/** Keys of the real API that are not built yet. */
export const NOT_YET: ReadonlySet<string> = new Set([
  'stored_fields',
  'docvalue_fields',
  'fields',
  'script_fields',
  'slice',
  'collapse',
  'rescore',
  'highlight',
  'suggest',
  'aggs',
  'aggregations',
  'indices_boost',
  'pit',
  'ext',
  'search_pipeline',
  'verbose_pipeline',
  'derived',
])

/**
 * Reads a search; options of the URL win over the body.
 * @throws {EngineError} 400: what is wrong with the request by itself
 */
export function parseSearchRequest(body: JsonNode | null, options: SearchOptions): SearchRequest {
  const draft: Draft = {
    from: 0,
    size: 10,
    query: null,
    postFilter: null,
    sort: [],
    searchAfter: null,
    trackTotalHits: DEFAULT_TRACK_TOTAL_HITS,
    trackScores: false,
    minScore: null,
    terminateAfter: 0,
    timeoutInMillis: null,
    explain: false,
    version: false,
    seqNoPrimaryTerm: false,
    source: ALL_OF_SOURCE,
    profile: false,
    profileSlices: false,
    profileKernels: false,
  }
  if (body !== null) {
    if (body.kind !== 'object')
      throw parsingError(body, `Expected [START_OBJECT] but found [${tokenName(body.kind)}]`)
    for (const entry of body.entries) readKey(draft, entry)
  }
  readOptions(draft, options)
  check(draft)
  return draft
}

function readKey(draft: Draft, entry: JsonEntry): void {
  const { key, value } = entry
  switch (key) {
    case 'from':
      draft.from = notNegative('from', readInteger(value))
      break
    case 'size':
      draft.size = notNegative('size', readInteger(value))
      break
    case 'query':
      draft.query = parseQuery(value)
      break
    case 'post_filter':
      draft.postFilter = parseQuery(value)
      break
    case 'sort':
      draft.sort = parseSort(value)
      break
    case 'search_after':
      if (value.kind !== 'array')
        throw parsingError(
          value,
          `Expected [START_ARRAY] in [search_after] but found [${tokenName(value.kind)}] inside ` +
            'search_after',
        )
      draft.searchAfter = value.items
      break
    case 'track_total_hits':
      draft.trackTotalHits = trackTotalHits(value)
      break
    case 'track_scores':
      draft.trackScores = readBoolean(value)
      break
    case 'min_score':
      draft.minScore = readNumber(value)
      break
    case 'terminate_after':
      draft.terminateAfter = terminateAfter(readInteger(value))
      break
    case 'timeout':
      draft.timeoutInMillis = timeoutOf(value)
      break
    case 'explain':
      draft.explain = readBoolean(value)
      break
    case 'version':
      draft.version = readBoolean(value)
      break
    case 'seq_no_primary_term':
      draft.seqNoPrimaryTerm = readBoolean(value)
      break
    case '_source':
      draft.source = parseSourceFilter(value)
      break
    case 'profile':
      draft.profile = readBoolean(value)
      break
    case 'profile_slices':
      draft.profileSlices = readBoolean(value)
      break
    case 'profile_kernels':
      draft.profileKernels = readBoolean(value)
      break
    case 'include_named_queries_score':
      readBoolean(value)
      break
    case 'stats':
      readTexts(value)
      break
    default:
      if (NOT_YET.has(key)) throw notSupportedYet(key)
      throw parsingError(entry, `Unknown key for a ${tokenName(value.kind)} in [${key}].`)
  }
}

function readOptions(draft: Draft, options: SearchOptions): void {
  if (options.from !== undefined) draft.from = notNegative('from', options.from)
  if (options.size !== undefined) draft.size = notNegative('size', options.size)
  if (options.sort !== undefined)
    draft.sort = options.sort.map(({ field, order }) => plainSort(field, order))
  if (options.source !== undefined) draft.source = options.source
  if (options.trackScores !== undefined) draft.trackScores = options.trackScores
  if (options.trackTotalHits !== undefined)
    draft.trackTotalHits = trackTotalHitsValue(options.trackTotalHits)
  if (options.explain !== undefined) draft.explain = options.explain
  if (options.version !== undefined) draft.version = options.version
  if (options.seqNoPrimaryTerm !== undefined) draft.seqNoPrimaryTerm = options.seqNoPrimaryTerm
  if (options.minScore !== undefined) draft.minScore = options.minScore
  if (options.terminateAfter !== undefined)
    draft.terminateAfter = terminateAfter(options.terminateAfter)
  if (options.timeoutInMillis !== undefined)
    draft.timeoutInMillis = options.timeoutInMillis < 0 ? null : options.timeoutInMillis
  if (options.restTotalHitsAsInt === true) readTotalAsInt(draft, options)
}

/** Totals as plain numbers need an exact count, unless the request says otherwise. */
function readTotalAsInt(draft: Draft, options: SearchOptions): void {
  if (draft.trackTotalHits === DEFAULT_TRACK_TOTAL_HITS && options.trackTotalHits === undefined)
    draft.trackTotalHits = Number.POSITIVE_INFINITY
  else if (draft.trackTotalHits >= 0 && Number.isFinite(draft.trackTotalHits))
    throw new IllegalArgumentError(
      '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ' +
        `${draft.trackTotalHits}`,
    )
}

function check(draft: Draft): void {
  const adding = draft.profileSlices
    ? 'profile_slices'
    : draft.profileKernels
      ? 'profile_kernels'
      : null
  if (adding !== null && !draft.profile)
    throw new IllegalArgumentError(`[${adding}] adds to a profile: it needs [profile] to be true`)
  if (draft.searchAfter !== null && draft.from > 0)
    throw new EngineError({
      type: 'search_exception',
      reason: '`from` parameter must be set to 0 when `search_after` is used.',
    })
}

function notNegative(name: string, value: number): number {
  if (value < 0)
    throw new IllegalArgumentError(`[${name}] parameter cannot be negative, found [${value}]`)
  return value
}

function terminateAfter(value: number): number {
  // The URL's and the body's default: 0 is never.
  if (value < 0) throw new IllegalArgumentError('terminateAfter must be > 0')
  return value
}

function trackTotalHits(node: JsonNode): number {
  if (node.kind === 'boolean') return trackTotalHitsValue(node.value)
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false'))
    return trackTotalHitsValue(node.value === 'true')
  return trackTotalHitsValue(readInteger(node))
}

function trackTotalHitsValue(value: boolean | number): number {
  if (typeof value === 'boolean') return value ? Number.POSITIVE_INFINITY : -1
  if (value < -1)
    throw new IllegalArgumentError(
      `[track_total_hits] parameter must be positive or equals to -1, got ${value}`,
    )
  return value
}

function timeoutOf(node: JsonNode): number | null {
  const nanos = parseDuration(readText(node), 'timeout')
  return nanos < 0 ? null : nanos / 1e6
}

/** Reads `_source`: a boolean, a pattern, a list of them, or includes and excludes. */
export function parseSourceFilter(node: JsonNode): SourceFilter {
  if (node.kind === 'boolean') return { ...ALL_OF_SOURCE, enabled: node.value }
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false'))
    return { ...ALL_OF_SOURCE, enabled: node.value === 'true' }
  if (isScalar(node)) return { ...ALL_OF_SOURCE, includes: [readText(node)] }
  if (node.kind === 'array') return { ...ALL_OF_SOURCE, includes: readPatterns(node, 'includes') }
  if (node.kind !== 'object')
    throw parsingError(
      node,
      'Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found ' +
        `[${tokenName(node.kind)}]`,
    )
  let includes: readonly string[] = []
  let excludes: readonly string[] = []
  for (const entry of node.entries) {
    if (entry.key === 'includes' || entry.key === 'include')
      includes = readPatterns(entry.value, 'includes')
    else if (entry.key === 'excludes' || entry.key === 'exclude')
      excludes = readPatterns(entry.value, 'excludes')
    else
      throw parsingError(
        entry,
        `Unknown key for a ${tokenName(entry.value.kind)} in [${entry.key}].`,
      )
  }
  if (includes.some(pattern => excludes.includes(pattern)))
    throw new IllegalArgumentError(
      'The same entry cannot be both included and excluded in _source.',
    )
  return { enabled: true, includes, excludes }
}

function readPatterns(node: JsonNode, name: string): string[] {
  if (node.kind === 'array' && node.items.length === 0)
    throw parsingError(node, `Expected at least one value for an array of [${name}]`)
  return readTexts(node)
}

/**
 * The result window of an index, which its shards check.
 * @throws {IllegalArgumentError} `from` + `size` goes past it
 */
export function checkResultWindow(request: SearchRequest, most: number): void {
  const asked = request.from + request.size
  if (asked <= most) return
  throw new IllegalArgumentError(
    `Result window is too large, from + size must be less than or equal to: [${most}] but was ` +
      `[${asked}]. See the scroll api for a more efficient way to request large data sets. This ` +
      'limit can be set by changing the [index.max_result_window] index level setting.',
  )
}

/** Reads the body of `_count`, which has a query alone. */
export function parseCountBody(body: JsonNode | null): ParsedQuery | null {
  if (body === null) return null
  if (body.kind !== 'object')
    throw parsingError(body, `Expected [START_OBJECT] but found [${tokenName(body.kind)}]`)
  let query: ParsedQuery | null = null
  for (const entry of body.entries) {
    if (entry.key !== 'query') throw parsingError(entry, `request does not support [${entry.key}]`)
    query = parseQuery(entry.value)
  }
  return query
}
