// @ts-check
// The one place where the bench enters Lamella's search: what production runs for one shard, from a
// query record to the ids of the best documents. The DSL before it and fetching behind it are left
// out; slices above one go to search threads where the engine finds that they pay.
import { gatherPlan, NO_LIMITS } from '../../../dist/search/collector/gather-plan.js'
import { MIN_LONG } from '../../../dist/search/query/point-value.js'
import { Unsupported } from '../child-loop.mjs'

/** @type {Record<string, number>} */
const TOP_COUNT = { top: 10, counted: 10, exact: 10, sorted: 10, count: 0, 'top-100': 100 }
/** @type {Record<string, number>} */
const COUNTED_TO = {
  top: -1,
  counted: 10_000,
  exact: Number.POSITIVE_INFINITY,
  sorted: 10_000,
  count: Number.POSITIVE_INFINITY,
  'top-100': -1,
}
/** @type {import('../../../dist/search/collector/sort-key.js').SortKey[]} */
const NEWEST_FIRST = [
  {
    kind: 'number',
    field: 'date',
    encoding: 'long',
    scale: 1,
    descending: true,
    missing: MIN_LONG,
    mode: 'max',
  },
]

/**
 * @typedef {{ occur: import('../../../dist/search/weight/weight.js').Occur, kind: string, field: string, values: string[] }} Clause
 */

/**
 * A function that searches the shard.
 * @param {import('../../../dist/engine/node/node.js').Node} node
 * @param {import('../../../dist/shard/shard.js').Shard} shard
 * @param {string} mode
 * @param {number} slices
 * @param {Clause[]} clauses
 */
export function searchOf(node, shard, mode, slices, clauses) {
  const topCount = TOP_COUNT[mode]
  const trackTotalHits = COUNTED_TO[mode]
  if (topCount === undefined || trackTotalHits === undefined)
    throw new Unsupported(`no mode ${mode}`)
  const plan = {
    query: queryOf(clauses),
    maxClauseCount: 1024,
    statistics: null,
    gather: gatherPlan(
      {
        kind: 'topHits',
        topCount,
        sort: mode === 'sorted' ? NEWEST_FIRST : null,
        searchAfter: null,
        trackTotalHits,
        trackScores: false,
        collapse: null,
        postFilter: null,
      },
      [],
      NO_LIMITS,
    ),
  }
  /** @type {import('../../../dist/parallel/search-options.js').ShardSearchOptions} */
  const options = {
    concurrent: slices > 1,
    slices: { maxSliceCount: slices, intraSegment: 'auto', intraSegmentMinDocs: 65_536 },
    profile: null,
    executor: slices > 1 ? 'auto' : 'inline',
    kernels: true,
    filterCache: true,
    reports: false,
    signal: null,
  }
  return () => node.searcher.search(shard.snapshot, plan, options)
}

/**
 * A search's outcome as the protocol has it.
 * @param {import('../../../dist/parallel/search-options.js').ShardSearchOutcome} outcome
 */
export function answerOf({ result }) {
  const { hits, total } = result
  return {
    docs: hits.map(hit => hit.globalDoc),
    keys: hits.map(hit => (hit.sort === null ? floatBits(hit.score) : Number(hit.sort[0]))),
    total: total?.value ?? null,
    exact: total?.relation === 'eq',
  }
}

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** @param {number} score */
function floatBits(score) {
  float[0] = score
  return bits[0]
}

/**
 * @param {Clause[]} clauses
 * @returns {import('../../../dist/search/query/query.js').Query}
 */
function queryOf(clauses) {
  const [first, ...others] = clauses
  if (first !== undefined && others.length === 0) return innerQuery(first)
  return {
    kind: 'boolean',
    clauses: clauses.map(clause => ({ occur: clause.occur, query: innerQuery(clause) })),
    minimumShouldMatch: 0,
  }
}

/**
 * @param {Clause} clause
 * @returns {import('../../../dist/search/query/query.js').Query}
 */
function innerQuery({ kind, field, values }) {
  const [value = '', upper = ''] = values
  switch (kind) {
    case 'term':
      return { kind, field, term: value }
    case 'phrase':
      return { kind, field, terms: values, positions: [...values.keys()], slop: 0 }
    case 'prefix':
      return { kind, field, prefix: value }
    case 'range':
      return {
        kind: 'pointRange',
        field,
        lower: BigInt(value),
        upper: BigInt(upper),
        lowerText: value,
        upperText: upper,
        indexed: true,
        docValues: true,
      }
    default:
      throw new Unsupported(`no clause ${kind}`)
  }
}

/**
 * Node settings of the bench: Lucene's query cache is off, so ours is too, unless `--filter-cache` asks
 * for it.
 */
export const HAS_FILTER_CACHE = process.env.LAMELLA_RIVALS_FILTER_CACHE === '1'
export const CACHE_SETTINGS = HAS_FILTER_CACHE ? {} : { 'indices.queries.cache.size': '0b' }
