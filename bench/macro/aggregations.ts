/** Milliseconds of aggregations over every row of a generated table, on one thread. */

import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { TABLE_CASES, type TableCase } from '../lib/table-cases.ts'
import { levelsOf, TABLE_MAPPINGS, tableRequest } from '../lib/table-request.mjs'
import { tableRows } from '../lib/table-rows.ts'

const ROWS = 1_000_000
const CHUNK = 20_000
/** Each case runs so long before it is measured. */
const WARM_MS = 500
/** Requests of a round, whose mean counts: the first of them finds the caches with what the case before it read. */
const CALLS = 5
const MB = 2 ** 20

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
      const times = new Map<TableCase, number[]>(TABLE_CASES.map(each => [each, []]))
      const run = ({ text }: TableCase): Promise<number> =>
        send('POST /table/_search', JSON.stringify(tableRequest(levelsOf(text))))
      // As long as a virtual machine takes to compile what is used, which Lucene's figures had too.
      for (const each of times.keys())
        for (let spent = 0; spent < WARM_MS; ) spent += await run(each)
      for (let round = 0; round < rounds; round++)
        for (const [each, found] of times) {
          let spent = 0
          for (let call = 0; call < CALLS; call++) spent += await run(each)
          found.push(spent / CALLS)
        }
      for (const [{ name, ofLucene, times: share, mark }, found] of times) {
        const least = Math.min(...found)
        const quoted = ofLucene === null ? null : ofLucene / least
        const limit = mark ?? Math.round((100 * ofLucene!) / share!) / 100
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
  const settings = { number_of_shards: 1, refresh_interval: '-1' }
  await send('PUT /table', JSON.stringify({ settings, mappings: TABLE_MAPPINGS }))
  const lines: string[] = []
  for (const row of tableRows(ROWS)) {
    lines.push('{"index":{}}', JSON.stringify(row))
    if (lines.length < 2 * CHUNK) continue
    await send('POST /table/_bulk', `${lines.join('\n')}\n`)
    lines.length = 0
  }
  await send('POST /table/_refresh', '')
  await send('POST /table/_forcemerge', '')
}
