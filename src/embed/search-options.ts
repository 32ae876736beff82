/** How a search runs, beside what it asks for: what the API takes in its URL. */
import type {
  SearchOptions as EngineOptions,
  SearchCall,
  SearchType,
} from '../engine/api/searches.ts'
import { searchPreference, searchType } from '../rest/params.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { checkText, type OptionKeys } from './arguments.ts'

/** How a search runs. */
export interface SearchOptions {
  /**
   * Cancels: slices stop at their next check, and the call rejects with an `AbortError` whose cause is
   * the signal's reason. It does so as well where the hits were there when the signal aborted.
   */
  readonly signal?: AbortSignal
  /**
   * Cuts each shard into at most so many slices, from 1, whatever the settings of the index and the
   * cluster say.
   */
  readonly slices?: number
  /** Searches only the shards that documents of these routings are in: of one, or of several. Default: all. */
  readonly routing?: string | readonly string[]
  /** `_shards:0,2` searches only shards of these numbers; any other text, as there is one copy of each, all. */
  readonly preference?: string
  /**
   * Whether each shard scores by its own statistics, which is the default, or all by those of all
   * (`dfs_query_then_fetch`): then an index scores the same, whatever its number of shards.
   */
  readonly searchType?: SearchType
  /**
   * True keeps the answers of shards for searches with the same body, false looks for none that is
   * kept. Default: answers without hits are kept, where the index's `index.requests.cache.enable` says so.
   */
  readonly requestCache?: boolean
  /**
   * False rejects where a shard fails or its time is over, in place of an answer that lacks hits. Default:
   * the cluster's `search.default_allow_partial_results`, which is true.
   */
  readonly allowPartialSearchResults?: boolean
}

/** How a count runs. */
export type CountOptions = Pick<SearchOptions, 'signal' | 'routing' | 'preference'>

/** The options of a search, for checks of their names. */
export const SEARCH_OPTIONS: OptionKeys<SearchOptions> = {
  signal: true,
  slices: true,
  routing: true,
  preference: true,
  searchType: true,
  requestCache: true,
  allowPartialSearchResults: true,
}

/** The options of a count, for checks of their names. */
export const COUNT_OPTIONS: OptionKeys<CountOptions> = {
  signal: true,
  routing: true,
  preference: true,
}

/**
 * The options as the engine reads them, their names checked before.
 * @throws {IllegalArgumentError} a value of another type, or that there is not
 */
export function searchCallOptions(
  options: SearchOptions,
): Pick<SearchCall, 'slices'> & { readonly options: EngineOptions } {
  const { slices } = options
  if (slices !== undefined && !(Number.isSafeInteger(slices) && slices >= 1))
    throw new IllegalArgumentError(`[slices] must be a whole number from 1, found [${slices}]`)
  return { ...(slices === undefined ? {} : { slices }), options: engineOptions(options) }
}

/** Those that are no matter of slices and signals. */
export function engineOptions(options: SearchOptions): EngineOptions {
  const { routing, preference, searchType: type, requestCache, allowPartialSearchResults } = options
  checkFlag('requestCache', requestCache)
  checkFlag('allowPartialSearchResults', allowPartialSearchResults)
  return {
    ...(routing === undefined ? {} : { routing: routings(routing) }),
    ...(preference === undefined ? {} : { preference: readPreference(preference) }),
    ...(type === undefined ? {} : { searchType: searchType(type) }),
    ...(requestCache === undefined ? {} : { requestCache }),
    ...(allowPartialSearchResults === undefined ? {} : { allowPartialSearchResults }),
  }
}

function routings(given: string | readonly string[]): readonly string[] {
  if (!Array.isArray(given)) {
    checkText('routing', given, ' or an array of them')
    return [given as string]
  }
  for (const value of given) checkText('routing', value, ' or an array of them')
  return given
}

function readPreference(given: string): string {
  checkText('preference', given)
  return searchPreference(given)
}

function checkFlag(name: string, given: boolean | undefined): void {
  if (given === undefined || typeof given === 'boolean') return
  throw new IllegalArgumentError(`[${name}] must be true or false, found [${given}]`)
}
