// @ts-check
// The generated table as an index, and the requests of its cases, as OpenSearch's language has them.

const KEYWORD = { type: 'keyword', index: false }

/** Mappings of the table's fields; rows keep no source. */
export const TABLE_MAPPINGS = {
  _source: { enabled: false },
  properties: {
    k10: KEYWORD,
    k1000: KEYWORD,
    k100000: KEYWORD,
    tags: KEYWORD,
    n: { type: 'integer', index: false },
    d: { type: 'double', index: false },
    t: { type: 'date', index: false },
    p: { type: 'integer' },
  },
}

/** @typedef {{ occur: string, kind: string, field: string, values: string[] }} Level a level's rows in `occur` */

/** @type {Record<string, object>} */
const QUERIES = {
  all: { match_all: {} },
  tenth: { range: { p: { lt: 10 } } },
  hundredth: { term: { p: 7 } },
}

/** @type {Record<string, (field: string, values: number[]) => object>} */
const KINDS = {
  terms: field => ({ terms: { field } }),
  histogram: (field, [interval]) => ({ histogram: { field, interval, min_doc_count: 1 } }),
  days: field => ({ date_histogram: { field, fixed_interval: '1d', min_doc_count: 1 } }),
  months: field => ({ date_histogram: { field, calendar_interval: 'month', min_doc_count: 1 } }),
  ranges: (field, [width = 0, count = 0]) => {
    const ranges = Array.from({ length: count }, (_, i) => ({
      from: i * width,
      to: (i + 1) * width,
    }))
    return { range: { field, ranges } }
  },
  cardinality: field => ({ cardinality: { field } }),
  stats: field => ({ stats: { field } }),
  avg: field => ({ avg: { field } }),
  percentiles: field => ({ percentiles: { field } }),
  top: (field, [size]) => ({ top_hits: { size, sort: [{ [field]: 'asc' }], _source: false } }),
}

/**
 * The body of a search without hits that asks for one aggregation, `x`, and those below it.
 * @param {readonly Level[]} levels
 */
export function tableRequest(levels) {
  const query = QUERIES[levels[0]?.occur ?? '']
  if (query === undefined) throw new Error(`no rows [${levels[0]?.occur}]`)
  return { size: 0, track_total_hits: false, query, aggs: aggsOf(levels) }
}

/**
 * @param {readonly Level[]} levels
 * @returns {object}
 */
function aggsOf([level, ...below]) {
  if (level === undefined) throw new Error('no level')
  const make = KINDS[level.kind]
  if (make === undefined) throw new Error(`no kind [${level.kind}]`)
  const own = make(level.field, level.values.map(Number))
  return { x: below.length === 0 ? own : { ...own, aggs: aggsOf(below) } }
}

/**
 * The levels of a case's text.
 * @param {string} text
 * @returns {Level[]}
 */
export function levelsOf(text) {
  return text.split(' ').map(level => {
    const [occur = '', kind = '', field = '', ...values] = level.split('|')
    return { occur, kind, field, values }
  })
}
