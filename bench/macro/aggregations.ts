/** Milliseconds of aggregations over every row of a generated table, on one thread. */

import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { Random } from '../../dist/util/random.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const ROWS = 1_000_000
const CHUNK = 20_000
/** Each case runs so long before it is measured. */
const WARM_MS = 500
const MB = 2 ** 20
const YEAR = 31_536_000_000
const START = 1_700_000_000_000

type Aggs = Readonly<Record<string, object>>

/** An aggregation, what Lucene 8.8.1's doc values take for it, quoted, and the share of that to stay below. */
interface Case {
  readonly name: string
  readonly agg: Aggs
  /** Absent: all rows match. */
  readonly query?: object
  readonly ofLucene?: number
  readonly times?: number
  /** Milliseconds to stay below where Lucene has no such aggregation. */
  readonly mark?: number
}

const CASES: readonly Case[] = [
  { name: 'terms, 10 keys', agg: { terms: { field: 'k10' } }, ofLucene: 8.8, times: 5 },
  { name: 'terms, 1,000 keys', agg: { terms: { field: 'k1000' } }, ofLucene: 9.2, times: 5 },
  { name: 'terms, 100,000 keys', agg: { terms: { field: 'k100000' } }, ofLucene: 11.5, times: 3 },
  { name: 'terms, 2.4 values a row', agg: { terms: { field: 'tags' } }, ofLucene: 50, times: 10 },
  {
    name: 'histogram',
    agg: { histogram: { field: 'n', interval: 10_000 } },
    ofLucene: 30,
    times: 10,
  },
  {
    name: 'date_histogram, days',
    agg: { date_histogram: { field: 't', fixed_interval: '1d' } },
    ofLucene: 29,
    times: 10,
  },
  {
    name: 'date_histogram, months',
    agg: { date_histogram: { field: 't', calendar_interval: 'month' } },
    ofLucene: 44,
    times: 10,
  },
  {
    name: 'range of 5',
    agg: {
      range: {
        field: 'n',
        ranges: [0, 1, 2, 3, 4].map(i => ({ from: i * 200_000, to: (i + 1) * 200_000 })),
      },
    },
    ofLucene: 37,
    times: 15,
  },
  {
    name: 'cardinality, keyword 100,000',
    agg: { cardinality: { field: 'k100000' } },
    ofLucene: 23.5,
    times: 8,
  },
  { name: 'cardinality, integer', agg: { cardinality: { field: 'n' } }, ofLucene: 15.7, times: 3 },
  { name: 'stats', agg: { stats: { field: 'd' } }, ofLucene: 15.8, times: 6 },
  {
    name: 'terms 1,000 > avg',
    agg: { terms: { field: 'k1000' }, aggs: { a: { avg: { field: 'd' } } } },
    ofLucene: 20,
    times: 6,
  },
  {
    name: 'months > terms 10 > stats',
    agg: {
      date_histogram: { field: 't', calendar_interval: 'month' },
      aggs: { k: { terms: { field: 'k10' }, aggs: { s: { stats: { field: 'd' } } } } },
    },
    ofLucene: 74,
    times: 8,
  },
  {
    name: 'terms 10 > days',
    agg: {
      terms: { field: 'k10' },
      aggs: { d: { date_histogram: { field: 't', fixed_interval: '1d' } } },
    },
    ofLucene: 38,
    times: 8,
  },
  {
    name: 'top_hits, 3 in 10 buckets',
    agg: {
      terms: { field: 'k10' },
      aggs: { h: { top_hits: { size: 3, sort: [{ n: 'asc' }], _source: false } } },
    },
    ofLucene: 30,
    times: 8,
  },
  { name: 'percentiles', agg: { percentiles: { field: 'd' } }, mark: 4 },
  ...matching('10 %', { range: { p: { lt: 10 } } }, [1.2, 1.3, 3.4], 3),
  ...matching('1 %', { term: { p: 7 } }, [0.19, 0.27, 0.54], 2),
]

/** The same over few of the rows. @param ofLucene of terms of 10 and 1,000 keys, and of days */
function matching(
  share: string,
  query: object,
  ofLucene: readonly [number, number, number],
  times: number,
): readonly Case[] {
  const [few, many, days] = ofLucene
  const agg = { date_histogram: { field: 't', fixed_interval: '1d' } }
  return [
    {
      name: `${share}: terms, 10 keys`,
      agg: { terms: { field: 'k10' } },
      query,
      ofLucene: few,
      times,
    },
    {
      name: `${share}: terms, 1,000 keys`,
      agg: { terms: { field: 'k1000' } },
      query,
      ofLucene: many,
      times,
    },
    { name: `${share}: date_histogram, days`, agg, query, ofLucene: days, times },
  ]
}

/** Aggregations as whole requests, scanned: nothing is read from statistics or a cache. */
export const aggregations: Bench = {
  name: 'aggregations',
  async run({ rounds, say }) {
    const engine = await openEngine({
      folder: null,
      settings: new Map([
        ['lamella.threads.write', '1'],
        ['lamella.threads.search', '1'],
      ]),
    })
    try {
      const dispatcher = new Dispatcher(engine, openServices(engine), {
        maxContentLength: 100 * MB,
      })
      const send = async (line: string, body: string): Promise<number> => {
        const [method = '', path = ''] = line.split(' ')
        const started = performance.now()
        const answer = await dispatcher.dispatch({
          method,
          path,
          query: path.endsWith('_search') ? 'request_cache=false' : '',
          headers: { 'content-type': 'application/json' },
          body: encodeUtf8(body),
        })
        if (answer.status >= 400) throw new Error(Buffer.from(answer.body).toString())
        return performance.now() - started
      }
      say(`aggregations: indexing ${ROWS} rows`)
      await fill(send)
      const results: BenchResult[] = []
      const times = new Map<Case, number[]>(CASES.map(each => [each, []]))
      const run = ({ query = { match_all: {} }, agg }: Case): Promise<number> =>
        send(
          'POST /table/_search',
          JSON.stringify({ size: 0, track_total_hits: false, query, aggs: { x: agg } }),
        )
      // As long as a virtual machine takes to compile what is used, which Lucene's figures had too.
      for (const each of times.keys())
        for (let spent = 0; spent < WARM_MS; ) spent += await run(each)
      for (let round = 0; round < rounds; round++)
        for (const [each, found] of times) found.push(await run(each))
      for (const [{ name, ofLucene, times: share = 1, mark }, found] of times) {
        const least = Math.min(...found)
        const quoted = ofLucene === undefined ? null : ofLucene / least
        const limit = mark ?? Math.round((100 * ofLucene!) / share) / 100
        results.push(
          resultOf(`aggregations/${name}`, 'ms', found, {
            ...(quoted === null ? {} : { against: { name: 'Lucene as quoted', ratio: quoted } }),
            mark: atMost(least, limit, 'ms'),
          }),
        )
      }
      return results
    } finally {
      await engine.close()
    }
  },
}

async function fill(send: (line: string, body: string) => Promise<number>): Promise<void> {
  const keyword = { type: 'keyword', index: false }
  const properties = {
    k10: keyword,
    k1000: keyword,
    k100000: keyword,
    tags: keyword,
    n: { type: 'integer', index: false },
    d: { type: 'double', index: false },
    t: { type: 'date', index: false },
    p: { type: 'integer' },
  }
  const settings = { number_of_shards: 1, refresh_interval: '-1' }
  const mappings = { _source: { enabled: false }, properties }
  await send('PUT /table', JSON.stringify({ settings, mappings }))
  const random = new Random(17)
  for (let from = 0; from < ROWS; from += CHUNK) {
    const lines: string[] = []
    for (let i = 0; i < CHUNK; i++) {
      const tags = Array.from({ length: random.below(6) }, () => `tag ${random.below(50)}`)
      const row = {
        k10: `key ${random.below(10)}`,
        k1000: `key ${random.below(1000)}`,
        k100000: `key ${random.below(100_000)}`,
        tags,
        n: random.below(1_000_000),
        d: random.below(100_000) / 100,
        t: START + Math.floor(random.next() * YEAR),
        p: random.below(100),
      }
      lines.push('{"index":{}}', JSON.stringify(row))
    }
    await send('POST /table/_bulk', `${lines.join('\n')}\n`)
  }
  await send('POST /table/_refresh', '')
  await send('POST /table/_forcemerge', '')
}
