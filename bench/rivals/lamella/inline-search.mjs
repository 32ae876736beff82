// The one place where the bench enters Lamella's search: what production runs for one shard, from a
// query record to the ids of the best documents. The DSL before it and fetching behind it are left
// out; slices above one go to search threads where the engine finds that they pay.
import { MIN_LONG } from '../../../dist/search/query/point-value.js'
import { Unsupported } from '../child-loop.mjs'

const TOP_COUNT = { top: 10, counted: 10, exact: 10, sorted: 10, count: 0, 'top-100': 100 }
const COUNTED_TO = {
  top: -1,
  counted: 10_000,
  exact: Number.POSITIVE_INFINITY,
  sorted: 10_000,
  count: Number.POSITIVE_INFINITY,
  'top-100': -1,
}
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

/** A function that searches the shard. */
export function searchOf(node, shard, mode, slices, clauses) {
  if (!Object.hasOwn(TOP_COUNT, mode)) throw new Unsupported(`no mode ${mode}`)
  const plan = {
    query: queryOf(clauses),
    postFilter: null,
    maxClauseCount: 1024,
    spec: {
      topCount: TOP_COUNT[mode],
      sort: mode === 'sorted' ? NEWEST_FIRST : null,
      searchAfter: null,
      trackTotalHits: COUNTED_TO[mode],
      trackScores: false,
      minScore: null,
      terminateAfter: 0,
      deadline: 0,
    },
  }
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

/** A search's outcome as the protocol has it. */
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

function floatBits(score) {
  float[0] = score
  return bits[0]
}

function queryOf(clauses) {
  if (clauses.length === 1) return innerQuery(clauses[0])
  return {
    kind: 'boolean',
    clauses: clauses.map(clause => ({ occur: clause.occur, query: innerQuery(clause) })),
    minimumShouldMatch: 0,
  }
}

function innerQuery({ kind, field, values }) {
  switch (kind) {
    case 'term':
      return { kind, field, term: values[0] }
    case 'phrase':
      return { kind, field, terms: values, positions: values.map((_, i) => i), slop: 0 }
    case 'prefix':
      return { kind, field, prefix: values[0] }
    case 'range': {
      const [lower, upper] = values
      return {
        kind: 'pointRange',
        field,
        lower: BigInt(lower),
        upper: BigInt(upper),
        lowerText: lower,
        upperText: upper,
        indexed: true,
        docValues: true,
      }
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
