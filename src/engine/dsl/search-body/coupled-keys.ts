/**
 * The keys of a search that decide together which hits there are, in what order, how many are counted
 * and when the search stops. Each conflict is between two of them, so they are one record with one
 * check; keys that mean nothing to each other are request parts.
 */
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import type { SearchOptions } from '../../api/searches.ts'
import type { ParsedSort } from '../field/sort-level.ts'
import { readBoolean, readInteger, readNumber, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { ParsedQuery } from '../query-context.ts'
import { parseSort, plainSort } from '../sort.ts'
import { type ParsedCollapse, parseCollapse } from './collapse.ts'
import { type IndicesBoost, parseIndicesBoost } from './indices-boost.ts'
import { type PointInTime, parsePointInTime } from './point-in-time.ts'
import { type ParsedRescore, parseRescore } from './rescore.ts'
import { parseSlice, type SearchSlice } from './slice.ts'
import {
  DEFAULT_TRACK_TOTAL_HITS,
  exactTrackTotalHits,
  readTrackTotalHits,
  trackTotalHitsOf,
} from './track-total-hits.ts'

/** The coupled keys of one request. */
export interface CoupledKeys {
  /** Hits passed over, from 0. */
  readonly from: number
  /** Hits returned; 0 only counts. */
  readonly size: number
  /** Null: match_all. */
  readonly query: ParsedQuery | null
  readonly postFilter: ParsedQuery | null
  /** Empty: by score. */
  readonly sort: readonly ParsedSort[]
  readonly searchAfter: readonly JsonNode[] | null
  readonly collapse: ParsedCollapse | null
  readonly indicesBoost: IndicesBoost
  /** In the order in which they run. */
  readonly rescore: readonly ParsedRescore[]
  /** Infinity: all; −1: none. */
  readonly trackTotalHits: number
  /** Whether the request says how far matches are counted. */
  readonly isTotalGiven: boolean
  /** Totals print as plain numbers. */
  readonly totalAsInt: boolean
  readonly trackScores: boolean
  readonly minScore: number | null
  /** 0: never. */
  readonly terminateAfter: number
  /** Null: none. */
  readonly timeoutInMillis: number | null
  /** The part of the documents that is searched; null: all. */
  readonly slice: SearchSlice | null
  /** The point in time that is searched; null: now. */
  readonly pit: PointInTime | null
  /** How long a scroll is kept for its next page; null: it is none. */
  readonly scrollInMillis: number | null
}

/** Coupled keys while a request is read. */
export type CoupledDraft = { -readonly [K in keyof CoupledKeys]: CoupledKeys[K] }

/** The keys of the body, each with what reads it; an `EngineError` of 400 where it is no such value. */
export const COUPLED_KEYS: {
  readonly [key: string]: (draft: CoupledDraft, value: JsonNode) => void
} = {
  from: (draft, value) => {
    draft.from = notNegative('from', readInteger(value))
  },
  size: (draft, value) => {
    draft.size = notNegative('size', readInteger(value))
  },
  query: (draft, value) => {
    draft.query = parseQuery(value)
  },
  post_filter: (draft, value) => {
    draft.postFilter = parseQuery(value)
  },
  sort: (draft, value) => {
    draft.sort = parseSort(value)
  },
  search_after: (draft, value) => {
    draft.searchAfter = searchAfter(value)
  },
  indices_boost: (draft, value) => {
    draft.indicesBoost = parseIndicesBoost(value)
  },
  collapse: (draft, value) => {
    draft.collapse = parseCollapse(value)
  },
  rescore: (draft, value) => {
    draft.rescore = parseRescore(value)
  },
  track_total_hits: (draft, value) => {
    draft.trackTotalHits = readTrackTotalHits(value)
    draft.isTotalGiven = true
  },
  track_scores: (draft, value) => {
    draft.trackScores = readBoolean(value)
  },
  min_score: (draft, value) => {
    draft.minScore = readNumber(value)
  },
  terminate_after: (draft, value) => {
    draft.terminateAfter = terminateAfter(readInteger(value))
  },
  timeout: (draft, value) => {
    draft.timeoutInMillis = timeoutOf(value)
  },
  slice: (draft, value) => {
    draft.slice = parseSlice(value)
  },
  pit: (draft, value) => {
    draft.pit = parsePointInTime(value)
  },
}

/** The keys of a request that has none of them. */
export function newCoupledDraft(): CoupledDraft {
  return {
    from: 0,
    size: 10,
    query: null,
    postFilter: null,
    sort: [],
    searchAfter: null,
    collapse: null,
    indicesBoost: { boosts: [], isOldForm: false },
    rescore: [],
    trackTotalHits: DEFAULT_TRACK_TOTAL_HITS,
    totalAsInt: false,
    trackScores: false,
    minScore: null,
    terminateAfter: 0,
    timeoutInMillis: null,
    isTotalGiven: false,
    slice: null,
    pit: null,
    scrollInMillis: null,
  }
}

/**
 * Takes over the options of the URL, which win over the body.
 * @throws {EngineError} 400: an option out of its range
 */
export function takeCoupledOptions(draft: CoupledDraft, options: SearchOptions): void {
  if (options.from !== undefined) draft.from = notNegative('from', options.from)
  if (options.size !== undefined) draft.size = notNegative('size', options.size)
  if (options.sort !== undefined)
    draft.sort = options.sort.map(({ field, order }) => plainSort(field, order))
  if (options.trackScores !== undefined) draft.trackScores = options.trackScores
  if (options.trackTotalHits !== undefined) {
    draft.trackTotalHits = trackTotalHitsOf(options.trackTotalHits)
    draft.isTotalGiven = true
  }
  if (options.minScore !== undefined) draft.minScore = options.minScore
  if (options.terminateAfter !== undefined)
    draft.terminateAfter = terminateAfter(options.terminateAfter)
  if (options.timeoutInMillis !== undefined)
    draft.timeoutInMillis = options.timeoutInMillis < 0 ? null : options.timeoutInMillis
  draft.totalAsInt = options.restTotalHitsAsInt === true
  if (draft.totalAsInt)
    draft.trackTotalHits = exactTrackTotalHits(
      draft.trackTotalHits,
      options.trackTotalHits !== undefined,
    )
  if (options.scrollInMillis !== undefined) draft.scrollInMillis = options.scrollInMillis
  // Every page tells the same total.
  if (draft.scrollInMillis !== null && !draft.isTotalGiven)
    draft.trackTotalHits = Number.POSITIVE_INFINITY
}

/**
 * Holds the keys against each other, as the shards do.
 * @throws {EngineError} `search_exception`: two of them exclude each other
 */
export function checkCoupled(keys: CoupledKeys): void {
  const { searchAfter, from, slice, pit, scrollInMillis, collapse } = keys
  if (searchAfter !== null && scrollInMillis !== null)
    throw searchError('`search_after` cannot be used in a scroll context.')
  if (searchAfter !== null && from > 0)
    throw searchError('`from` parameter must be set to 0 when `search_after` is used.')
  if (slice !== null && scrollInMillis === null && pit === null)
    throw searchError('`slice` cannot be used outside of a scroll context or PIT context')
  if (collapse !== null) checkCollapse(keys, collapse)
}

function checkCollapse(
  { searchAfter, scrollInMillis, rescore, sort }: CoupledKeys,
  { field }: ParsedCollapse,
): void {
  if (scrollInMillis !== null) throw searchError('cannot use `collapse` in a scroll context')
  if (rescore.length > 0) throw searchError('cannot use `collapse` in conjunction with `rescore`')
  const [only] = sort
  if (searchAfter !== null && (sort.length !== 1 || only?.field !== field))
    throw searchError(
      'collapse field and sort field must be the same when use `collapse` in conjunction with ' +
        '`search_after`',
    )
}

function searchError(reason: string): EngineError {
  return new EngineError({ type: 'search_exception', reason })
}

/**
 * Holds the result window against that of an index, as its shards do.
 * @throws {IllegalArgumentError} `from` + `size` goes past it
 */
export function checkResultWindow({ from, size, scrollInMillis }: CoupledKeys, most: number): void {
  const asked = from + size
  if (asked <= most) return
  if (scrollInMillis !== null)
    throw new IllegalArgumentError(
      `Batch size is too large, size must be less than or equal to: [${most}] but was [${size}]. ` +
        'Scroll batch sizes cost as much memory as result windows so they are controlled by the ' +
        '[index.max_result_window] index level setting.',
    )
  throw new IllegalArgumentError(
    `Result window is too large, from + size must be less than or equal to: [${most}] but was ` +
      `[${asked}]. See the scroll api for a more efficient way to request large data sets. This ` +
      'limit can be set by changing the [index.max_result_window] index level setting.',
  )
}

/**
 * Holds rescorings against the sort and the limit of an index, as its shards do.
 * @param isSorted hits stand in another order than by score
 * @throws {IllegalArgumentError} there is another sort, or a window goes past the limit
 */
export function checkRescore({ rescore }: CoupledKeys, isSorted: boolean, most: number): void {
  if (rescore.length === 0) return
  if (isSorted)
    throw new IllegalArgumentError('Cannot use [sort] option in conjunction with [rescore].')
  for (const { windowSize } of rescore)
    if (windowSize > most)
      throw new IllegalArgumentError(
        `Rescore window [${windowSize}] is too large. It must be less than [${most}]. This ` +
          'prevents allocating massive heaps for storing the results to be rescored. This limit ' +
          'can be set by changing the [index.max_rescore_window] index level setting.',
      )
}

function notNegative(name: string, value: number): number {
  if (value < 0)
    throw new IllegalArgumentError(`[${name}] parameter cannot be negative, found [${value}]`)
  return value
}

function searchAfter(node: JsonNode): readonly JsonNode[] {
  if (node.kind !== 'array')
    throw parsingError(
      node,
      `Expected [START_ARRAY] in [search_after] but found [${tokenName(node.kind)}] inside ` +
        'search_after',
    )
  if (node.items.length === 0)
    throw new IllegalArgumentError('Values must contains at least one value.')
  for (const item of node.items)
    if (item.kind === 'object' || item.kind === 'array')
      throw parsingError(
        item,
        'Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
          `[${tokenName(item.kind)}] inside search_after.`,
      )
  return node.items
}

function terminateAfter(value: number): number {
  // The URL's and the body's default: 0 is never.
  if (value < 0) throw new IllegalArgumentError('terminateAfter must be > 0')
  return value
}

function timeoutOf(node: JsonNode): number | null {
  const nanos = parseDuration(readText(node), 'timeout')
  return nanos < 0 ? null : nanos / 1e6
}
