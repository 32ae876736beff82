/** Nanoseconds that a script takes of a document in a search: its score, whether it matches, its sort value. */
import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const DOCS = 200_000
const PER_BULK = 10_000
const MB = 2 ** 20

/** Ten nodes: a call, a sum, a column, its value, a product, a score. */
const SCORE = "Math.log(2 + doc['likes'].value) * _score"

/** Bodies of searches, each with the most that its script may take of a document. */
const CASES: readonly (readonly [name: string, body: object, mark: number])[] = [
  [
    'script_score of 10 nodes',
    { query: { script_score: { query: { match_all: {} }, script: SCORE } } },
    100,
  ],
  [
    'script_score, expression',
    {
      query: {
        script_score: {
          query: { match_all: {} },
          script: { lang: 'expression', source: "ln(2 + doc['likes']) * _score" },
        },
      },
    },
    100,
  ],
  ['script filter', { query: { script: { script: "doc['likes'].value > 500" } } }, 100],
  [
    '_script sort',
    { sort: [{ _script: { type: 'number', script: "doc['likes'].value % 97" } }] },
    150,
  ],
  ['sum of a script', { size: 0, aggs: { s: { sum: { script: "doc['likes'].value * 2" } } } }, 250],
]

type Send = (path: string, body: string, method?: string) => Promise<Uint8Array>

/** Scripts in searches over 200,000 documents, on one thread. */
export const scriptedSearches: Bench = {
  name: 'scripted-searches',
  async run({ rounds, say }) {
    const engine = await openEngine({
      folder: null,
      settings: new Map([
        ['lamella.threads.write', '1'],
        ['lamella.threads.search', '1'],
      ]),
    })
    try {
      const send = senderTo(
        new Dispatcher(engine, openServices(engine), { maxContentLength: 100 * MB }),
      )
      say('scripted-searches: indexing')
      await fill(send)
      const results: BenchResult[] = []
      for (const [name, body, mark] of CASES) {
        const text = JSON.stringify({ track_total_hits: true, ...body })
        const times: number[] = []
        for (let i = 0; i < rounds; i++) {
          const start = performance.now()
          await send('/i/_search?request_cache=false', text)
          times.push(((performance.now() - start) * 1e6) / DOCS)
        }
        const least = Math.min(...times)
        results.push(
          resultOf(`scripted-searches/${name}`, 'ns/doc', times, {
            mark: atMost(least, mark, 'ns/doc'),
          }),
        )
      }
      return results
    } finally {
      await engine.close()
    }
  },
}

async function fill(send: Send): Promise<void> {
  const properties = { likes: { type: 'integer' } }
  await send('/i', JSON.stringify({ mappings: { properties } }), 'PUT')
  for (let from = 0; from < DOCS; from += PER_BULK) {
    const lines: string[] = []
    for (let i = from; i < from + PER_BULK; i++)
      lines.push('{"index":{}}', `{"likes":${(i * 7919) % 1000}}`)
    await send('/i/_bulk', `${lines.join('\n')}\n`)
  }
  await send('/i/_forcemerge?max_num_segments=1', '')
}

function senderTo(dispatcher: Dispatcher): Send {
  return async (path, body, method = 'POST') => {
    const answer = await dispatcher.dispatch({
      method,
      path,
      headers: body === '' ? {} : { 'content-type': 'application/json' },
      ...(body === '' ? {} : { body: encodeUtf8(body) }),
    })
    if (answer.status >= 400) throw new Error(Buffer.from(answer.body).toString())
    return answer.body
  }
}
