import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
/** Between two documents that are written beside the load. */
const WRITE_EVERY_MILLIS = 500

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

/**
 * A load of ten times what the server can answer: how much of it is answered, and how late; and whether documents that
 * were acknowledged amid it are there when the folder is opened again.
 */
export const overload: Bench = {
  name: 'overload',
  async run({ say }) {
    const folder = mkdtempSync(join(tmpdir(), 'lamella-overload-'))
    const database = await open(folder)
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
      const [result, written] = await Promise.all([
        runLoad({
          ...load,
          ratePerSecond: capacity * FACTOR,
          millis: OVERLOAD_IN_MILLIS,
          connections: 1000,
        }),
        writeFor(`http://${server.host}:${server.port}`, OVERLOAD_IN_MILLIS),
      ])
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
      await database.close()
      say(`${written.acknowledged.length} writes acknowledged, ${written.refused} refused`)
      const lost = await lostOf(folder, written.acknowledged)
      const lines: BenchResult[] = [
        resultOf('overload/capacity', 'requests/s', [capacity]),
        resultOf('overload/goodput', 'share', [goodput / best], {
          mark: atLeast(goodput / best, 0.8, 'share'),
        }),
        resultOf('overload/p99 of accepted', 'ms', [late], { mark: atMost(late, 2_000, 'ms') }),
        resultOf('overload/other answers', 'requests', [others + written.others], {
          mark: atMost(others + written.others, 0, 'requests'),
        }),
        resultOf('overload/acknowledged documents lost', 'documents', [lost], {
          mark: atMost(lost, 0, 'documents'),
        }),
        resultOf('overload/median time afterwards', 'times', [recovered], {
          mark: atMost(recovered, 2, 'times'),
        }),
      ]
      return lines
    } finally {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Writes documents, one after the other. */
async function writeFor(
  url: string,
  millis: number,
): Promise<{
  readonly acknowledged: readonly string[]
  readonly refused: number
  readonly others: number
}> {
  const acknowledged: string[] = []
  let refused = 0
  let others = 0
  const until = performance.now() + millis
  for (let i = 0; performance.now() < until; i++) {
    const { status } = await fetch(`${url}/written/_doc/${i}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ n: i }),
    })
    if (status === 201) acknowledged.push(String(i))
    else if (status === 429 || status === 503) refused++
    else others++
    await sleep(WRITE_EVERY_MILLIS)
  }
  if (acknowledged.length === 0) throw new Error('no write was acknowledged')
  return { acknowledged, refused, others }
}

/** How many of some documents are not there when a folder is opened again. */
async function lostOf(folder: string, ids: readonly string[]): Promise<number> {
  const database = await open(folder)
  try {
    const found = await Promise.all(
      ids.map(id => database.request({ method: 'GET', path: `/written/_doc/${id}` })),
    )
    return found.filter(({ status }) => status !== 200).length
  } finally {
    await database.close()
  }
}

function perSecond(count: number, millis: number): number {
  return (count * 1000) / millis
}
