import { open } from '../../dist/index.js'
import { percentile, runLoad } from '../lib/load.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const DOCUMENTS = 100_000
const WARM_UP_IN_MILLIS = 3_000
const CAPACITY_IN_MILLIS = 10_000
const OVERLOAD_IN_MILLIS = 60_000
/** Until when a node has to be back to its usual times. */
const RECOVERY_IN_MILLIS = 5_000
const PROCESSES = 2
/** How many times the capacity is asked for. */
const FACTOR = 10

/** A function of every document: some milliseconds of work on search threads. */
const BODY = JSON.stringify({
  size: 5,
  query: {
    script_score: {
      query: { match_all: {} },
      script: { source: "Math.log(2 + doc['n'].value)" },
    },
  },
})

/** A load of ten times what the server can answer: how much of it is answered, and how late. */
export const overload: Bench = {
  name: 'overload',
  async run({ say }) {
    const database = await open()
    try {
      const mappings = { properties: { kind: { type: 'keyword' }, n: { type: 'long' } } }
      await database.request({ method: 'PUT', path: '/load', body: JSON.stringify({ mappings }) })
      const documents = await database.index<{ kind: string; n: number }>('load')
      await documents.bulk(
        Array.from({ length: DOCUMENTS }, (_, i) => ({
          source: { kind: `kind ${i % 500}`, n: (i * 7919) % 100_003 },
        })),
      )
      await documents.refresh()
      await using server = await database.serve({ port: 0 })
      const request =
        'POST /load/_search?request_cache=false HTTP/1.1\r\nhost: localhost\r\n' +
        `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`
      const load = { host: server.host, port: server.port, request, processes: PROCESSES }
      // As many as are never refused.
      const closed = { ...load, ratePerSecond: 0, connections: 32 }
      await runLoad({ ...closed, millis: WARM_UP_IN_MILLIS })
      const usual = await runLoad({ ...closed, millis: CAPACITY_IN_MILLIS })
      const capacity = perSecond(usual.acceptedInMillis.length, CAPACITY_IN_MILLIS)
      say(`capacity ${capacity.toFixed(0)} requests/s`)
      const result = await runLoad({
        ...load,
        ratePerSecond: capacity * FACTOR,
        millis: OVERLOAD_IN_MILLIS,
        connections: 1000,
      })
      say(`${JSON.stringify(result.statuses)}, ${result.failed} failed, ${result.unsent} unsent`)
      const after = await runLoad({ ...closed, millis: RECOVERY_IN_MILLIS })
      const goodput = perSecond(result.acceptedInMillis.length, OVERLOAD_IN_MILLIS)
      // Other work on the machine changes meanwhile: the better of both capacities is the baseline.
      const best = Math.max(capacity, perSecond(after.acceptedInMillis.length, RECOVERY_IN_MILLIS))
      const others = Object.entries(result.statuses)
        .filter(([status]) => !['200', '429', '503'].includes(status))
        .reduce((sum, [, count]) => sum + count, result.failed)
      const late = percentile(result.acceptedInMillis, 0.99)
      const recovered =
        percentile(after.acceptedInMillis, 0.5) / percentile(usual.acceptedInMillis, 0.5)
      const lines: BenchResult[] = [
        resultOf('overload/capacity', 'requests/s', [capacity]),
        resultOf('overload/goodput', 'share', [goodput / best], {
          mark: atLeast(goodput / best, 0.8, 'share'),
        }),
        resultOf('overload/p99 of accepted', 'ms', [late], { mark: atMost(late, 2_000, 'ms') }),
        resultOf('overload/other answers', 'requests', [others], {
          mark: atMost(others, 0, 'requests'),
        }),
        resultOf('overload/median time afterwards', 'times', [recovered], {
          mark: atMost(recovered, 2, 'times'),
        }),
      ]
      return lines
    } finally {
      await database.close()
    }
  },
}

function perSecond(count: number, millis: number): number {
  return (count * 1000) / millis
}
