/** Milliseconds of aggregations over every row of a generated table, on one thread. */

import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { TABLE_CASES, type TableCase } from '../lib/table-cases.ts'
import { fillTable, openTableEngine, senderOver } from '../lib/table-index.ts'
import { levelsOf, tableRequest } from '../lib/table-request.mjs'

const ROWS = 1_000_000
/** Each case runs so long before it is measured. */
const WARM_MS = 500
/** Milliseconds of requests in a round, whose mean counts: the first ones find the caches with what the case before read. */
const ROUND_MS = 50

/** Aggregations as whole requests, scanned: nothing is read from statistics or a cache. */
export const aggregations: Bench = {
  name: 'aggregations',
  async run({ rounds, say }) {
    const engine = await openTableEngine(null)
    try {
      const send = senderOver(engine)
      say(`aggregations: indexing ${ROWS} rows`)
      await fillTable(send, ROWS)
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
          let calls = 0
          for (; spent < ROUND_MS; calls++) spent += await run(each)
          found.push(spent / calls)
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
