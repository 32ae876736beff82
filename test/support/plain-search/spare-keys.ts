/** Keys and parameters that leave hits, totals and scores as they are: each search has one of them. */
import type { Random } from '../../../src/util/random.ts'
import { randomWord } from './collection.ts'
import { oneOf } from './kind.ts'

/** What a request gets. */
export interface SpareKeys {
  readonly body?: Readonly<Record<string, unknown>>
  readonly params?: Readonly<Record<string, string>>
}

/** What a search has that not every spare key goes with. */
export interface SpareFor {
  readonly isScrolled: boolean
  /** Whether it is over a point in time, which names its indices and shards by itself. */
  readonly hasPit: boolean
  readonly tracksTotal: boolean
}

type DrawSpare = (random: Random, search: SpareFor) => SpareKeys

function param(name: string, values: readonly string[]): DrawSpare {
  return random => ({ params: { [name]: oneOf(random, values) } })
}

/** A parameter of indices or shards. */
function ofTarget(name: string, values: readonly string[]): DrawSpare {
  return (random, search) => (search.hasPit ? {} : param(name, values)(random, search))
}

function suggest(random: Random): SpareKeys {
  const text = `${randomWord(random)} ${randomWord(random).slice(1)}`
  return { body: { suggest: { s: { text, term: { field: 'title' } } } } }
}

function urlSuggest(random: Random): SpareKeys {
  return {
    params: {
      suggest_field: 'title',
      suggest_text: randomWord(random).slice(1),
      suggest_mode: oneOf(random, ['always', 'missing', 'popular']),
      suggest_size: `${1 + random.below(3)}`,
    },
  }
}

/** Every draw of spare keys. */
export const SPARE_KEYS: readonly DrawSpare[] = [
  suggest,
  urlSuggest,
  () => ({ body: { stats: ['one', 'two'] } }),
  () => ({ body: { ext: {} } }),
  param('phase_took', ['true', 'false']),
  param('allow_partial_search_results', ['true', 'false']),
  param('batched_reduce_size', ['2', '512']),
  param('max_concurrent_shard_requests', ['1', '5']),
  param('pre_filter_shard_size', ['1', '128']),
  param('cancel_after_time_interval', ['1h', '-1']),
  param('ignore_throttled', ['true', 'false']),
  param('typed_keys', ['true', 'false']),
  ofTarget('ccs_minimize_roundtrips', ['true', 'false']),
  ofTarget('expand_wildcards', ['open', 'all']),
  ofTarget('ignore_unavailable', ['true', 'false']),
  ofTarget('allow_no_indices', ['true', 'false']),
  (random, search) =>
    search.isScrolled ? {} : param('request_cache', ['true', 'false'])(random, search),
  (_, { tracksTotal, isScrolled }) =>
    tracksTotal && !isScrolled ? { params: { rest_total_hits_as_int: 'true' } } : {},
]
