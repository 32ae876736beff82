// @ts-check
// The one place where the bench enters Lamella's search: what production runs for one shard, from a
// query record to the ids of the best documents. The DSL before it and fetching behind it are left
// out; slices above one go to search threads where the engine finds that they pay.
import { rescore } from '../../../dist/engine/search/rescore.js'
import { gatherPlan, NO_LIMITS } from '../../../dist/search/collector/gather-plan.js'
import { NO_JOINS } from '../../../dist/search/query/bind-joins.js'
import { MIN_LONG } from '../../../dist/search/query/point-value.js'
import { Unsupported } from '../child-loop.mjs'

/** @type {Record<string, number>} */
const TOP_COUNT = {
  top: 10,
  counted: 10,
  exact: 10,
  sorted: 10,
  'by-keyword': 10,
  collapsed: 10,
  count: 0,
  rescored: 100,
  'top-100': 100,
}
/** @type {Record<string, number>} */
const COUNTED_TO = {
  top: -1,
  counted: 10_000,
  exact: Number.POSITIVE_INFINITY,
  sorted: 10_000,
  'by-keyword': 10_000,
  collapsed: Number.POSITIVE_INFINITY,
  rescored: -1,
  count: Number.POSITIVE_INFINITY,
  'top-100': -1,
}
/** @type {import('../../../dist/search/sort/sort-key.js').SortKey[]} */
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

/** @type {import('../../../dist/search/sort/sort-key.js').SortKey[]} */
const BY_PACKAGE = [
  { kind: 'keyword', field: 'package', descending: false, missing: 'last', mode: 'min' },
]
/** @type {Record<string, import('../../../dist/search/sort/sort-key.js').SortKey[]>} */
const SORTS = { sorted: NEWEST_FIRST, 'by-keyword': BY_PACKAGE }

/** @typedef {import('../../../dist/search/weight/weight-node.js').Occur | 'function'} ClauseOccur */
/**
 * @typedef {{ occur: ClauseOccur, kind: string, field: string, values: string[] }} Clause
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
        sort: SORTS[mode] ?? null,
        searchAfter: null,
        trackTotalHits,
        trackScores: false,
        collapse: mode === 'collapsed' ? { kind: 'keyword', field: 'package' } : null,
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
  if (mode === 'rescored') return rescoredSearch(node, shard, plan, options, clauses)
  return () => node.searcher.search(shard.snapshot, plan, options)
}

/**
 * The ten best of the hundred best, the words as a phrase adding to their scores.
 * @param {import('../../../dist/engine/node/node.js').Node} node
 * @param {import('../../../dist/shard/shard.js').Shard} shard
 * @param {import('../../../dist/parallel/prepare.js').SearchPlan} plan
 * @param {import('../../../dist/parallel/search-options.js').ShardSearchOptions} options
 * @param {Clause[]} clauses
 */
function rescoredSearch(node, shard, plan, options, clauses) {
  const values = clauses.flatMap(clause => clause.values)
  /** @type {import('../../../dist/engine/fetch/fetch-part.js').RescoreQuery} */
  const second = {
    windowSize: 100,
    query: innerQuery({ occur: 'must', kind: 'phrase', field: 'body', values }),
    queryWeight: 1,
    rescoreWeight: 2,
    mode: 'total',
  }
  return async () => {
    const { snapshot } = shard
    const found = await node.searcher.search(snapshot, plan, options)
    const { searcher, memory, stored } = node
    const place = { searcher, memory, stored, snapshot, ...NO_PLACE }
    const { result } = rescore(place, found.result, [second])
    return { ...found, result: { ...result, hits: result.hits.slice(0, 10) } }
  }
}

/**
 * A search's outcome as the protocol has it.
 * @param {import('../../../dist/parallel/search-options.js').ShardSearchOutcome} outcome
 */
export function answerOf({ result }) {
  const { hits, total } = result
  return {
    docs: hits.map(hit => hit.globalDoc),
    keys: hits.map(keyOf),
    total: total?.value ?? null,
    exact: total?.relation === 'eq',
  }
}

/** @param {import('../../../dist/parallel/reduce.js').ShardResult['hits'][number]} hit */
function keyOf({ score, sort }) {
  const [value = score] = sort ?? []
  // Groups of hits are sorted by score as by a field.
  if (value === score) return floatBits(score)
  return value instanceof Uint8Array ? value.length : Number(value)
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
  const scored = clauses.filter(({ occur }) => occur !== 'function')
  const query = booleanOf(scored)
  const functions = clauses.filter(({ occur }) => occur === 'function')
  if (functions.length === 0) return query
  return {
    kind: 'functionScore',
    query,
    functions: functions.map(clause => ({
      filter: null,
      function: functionOf(clause),
      weight: null,
    })),
    combination: {
      scoreMode: 'multiply',
      boostMode: 'multiply',
      maxBoost: MAX_FLOAT,
      minScore: null,
    },
  }
}

/**
 * @param {Clause[]} clauses
 * @returns {import('../../../dist/search/query/query.js').Query}
 */
function booleanOf(clauses) {
  const [first, ...others] = clauses
  if (first !== undefined && others.length === 0) return innerQuery(first)
  return {
    kind: 'boolean',
    clauses: clauses.map(clause => ({
      occur: /** @type {import('../../../dist/search/weight/weight-node.js').Occur} */ (
        clause.occur
      ),
      query: innerQuery(clause),
    })),
    minimumShouldMatch: 0,
  }
}

/** What rescoring asks of a place beyond its snapshot; sources are not read. */
const NO_PLACE = {
  fields: null,
  joins: NO_JOINS,
  statistics: null,
  rescored: [],
  combined: null,
  nodeId: 'bench',
  index: 'bench',
  shard: 0,
  charge: { add() {}, release() {} },
  profiler: null,
}

/** What the real server lets patterns have unless it is told otherwise: everything. */
const OPERATORS = {
  intersection: true,
  complement: true,
  empty: true,
  anyString: true,
  interval: true,
}

/** The largest float32. */
const MAX_FLOAT = 3.4028234663852886e38

/**
 * @param {Clause} clause
 * @returns {import('../../../dist/search/weight/function/score-function.js').ScoreFunction}
 */
function functionOf({ kind, field, values }) {
  /** @type {import('../../../dist/search/scorer/number-values.js').NumberColumn} */
  const column = { field, encoding: 'long', scale: 1 }
  if (kind === 'log1p')
    return { kind: 'fieldValue', field, column, factor: 1, modifier: 'log1p', missing: null }
  return {
    kind: 'decay',
    shape: 'gauss',
    field,
    origin: { kind: 'number', column, value: Number(values[0]) },
    scale: Number(values[1]),
    offset: 0,
    decay: 0.5,
    mode: 'min',
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
    case 'wildcard':
      return {
        kind: 'pattern',
        field,
        start: '',
        pattern: { kind, text: value },
        ignoresCase: false,
        rewrite: { kind: 'constant' },
      }
    case 'regexp':
      return {
        kind: 'pattern',
        field,
        start: '',
        pattern: { kind, text: value, operators: OPERATORS, maxStates: 10_000 },
        ignoresCase: false,
        rewrite: { kind: 'constant' },
      }
    case 'fuzzy':
      return {
        kind,
        field,
        start: '',
        term: value,
        maxEdits: upper === '1' ? 1 : 2,
        prefixLength: 0,
        transpositions: true,
        rewrite: { kind: 'topTermsBlended', max: 50 },
      }
    case 'best':
      return {
        kind: 'disMax',
        queries: ['head', field].map(name => booleanOf(values.map(term => wordIn(name, term)))),
        tieBreaker: 0,
      }
    default:
      throw new Unsupported(`no clause ${kind}`)
  }
}

/**
 * @param {string} field
 * @param {string} text
 * @returns {Clause}
 */
function wordIn(field, text) {
  return { occur: 'should', kind: 'term', field, values: [text] }
}

/**
 * Node settings of the bench: Lucene's query cache is off, so ours is too, unless `--filter-cache` asks
 * for it.
 */
export const HAS_FILTER_CACHE = process.env.LAMELLA_RIVALS_FILTER_CACHE === '1'
export const CACHE_SETTINGS = HAS_FILTER_CACHE ? {} : { 'indices.queries.cache.size': '0b' }
