/** Microseconds that highlighting adds to a hit, its source read for it included. */

import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const PASSAGES = 30_000
/** Passages of a longer document. */
const JOINED = 6
const HITS = 10
const MB = 2 ** 20
/** How long requests of a case run before those that count, like those of the baseline: V8 compiles them by then. */
const WARM_UP_IN_MILLIS = 3000

/** Of the same text, indexed without and with the offsets of its tokens. */
const FIELDS = ['body', 'offsets'] as const

/**
 * Fields, classes of queries, and what Lucene's unified highlighter takes of a hit by analysis, with the
 * text that it loads: the smallest figure measured.
 */
const CASES = [
  ['passages', 'body', ['term-M', 'term-H'], 117, 5],
  ['passages with offsets', 'offsets', ['term-M', 'term-H'], 117, 5],
  ['passages, phrases', 'body', ['phrase2'], 117, 5],
  ['passages, phrases, with offsets', 'offsets', ['phrase2'], 117, 5],
  ['documents', 'body', ['term-M', 'term-H'], 191, 6],
  ['documents with offsets', 'offsets', ['term-M', 'term-H'], 191, 6],
  ['documents, natural language', 'body', ['or5-nat'], 1612, 10],
  ['documents, natural language, with offsets', 'offsets', ['or5-nat'], 1612, 10],
] as const

type Send = (method: string, path: string, body?: unknown) => Promise<Uint8Array>

/** `unified` over passages and over documents of some 2,000 characters. */
export const highlighting: Bench = {
  name: 'highlighting',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, PASSAGES)
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
      say('highlighting: indexing')
      for (const field of FIELDS) {
        await fill(send, `passages-${field}`, field, textsOf(documents, 1))
        await fill(send, `documents-${field}`, field, textsOf(documents, JOINED))
      }
      const results: BenchResult[] = []
      for (const [name, field, classes, ofLucene, times] of CASES) {
        const index = `${name.startsWith('passages') ? 'passages' : 'documents'}-${field}`
        const queries = documents.queries.filter(({ className }) =>
          (classes as readonly string[]).includes(className),
        )
        if (queries.length === 0) throw new Error(`the corpus has no queries of ${classes.join()}`)
        const least = await readingOf(send, index, field, queries, rounds)
        results.push(
          resultOf(`highlighting/${name}`, 'µs/hit', [least], {
            against: { name: 'Lucene as quoted', ratio: ofLucene / least },
            mark: atMost(least, Math.floor(ofLucene / times), 'µs/hit'),
          }),
        )
      }
      return results
    } finally {
      await engine.close()
    }
  },
}

function senderTo(dispatcher: Dispatcher): Send {
  return async (method, path, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await dispatcher.dispatch({
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: encodeUtf8(text) }),
    })
    if (answer.status >= 400) throw new Error(Buffer.from(answer.body).toString())
    return answer.body
  }
}

/** The texts of a corpus, so many joined to one. */
function textsOf({ bytes, bounds, textField }: Documents, joined: number): string[] {
  const texts: string[] = []
  for (let i = 0; i + joined < bounds.length; i += joined) {
    const parts = Array.from({ length: joined }, (_, k) => {
      const line = Buffer.from(bytes.subarray(bounds[i + k]!, bounds[i + k + 1]! - 1)).toString()
      return String((JSON.parse(line) as Record<string, unknown>)[textField])
    })
    texts.push(parts.join(' '))
  }
  return texts
}

/** Fills an index of one field: what a hit's source costs to read is part of the figures. */
async function fill(
  send: Send,
  index: string,
  field: (typeof FIELDS)[number],
  texts: readonly string[],
): Promise<void> {
  const type = { type: 'text', ...(field === 'offsets' && { index_options: 'offsets' }) }
  await send('PUT', `/${index}`, {
    settings: { refresh_interval: '-1' },
    mappings: { properties: { [field]: type } },
  })
  for (let from = 0; from < texts.length; from += 1000) {
    const lines = texts
      .slice(from, from + 1000)
      .flatMap(text => ['{"index":{}}', JSON.stringify({ [field]: text })])
    await send('POST', `/${index}/_bulk`, `${lines.join('\n')}\n`)
  }
  await send('POST', `/${index}/_refresh`)
  await send('POST', `/${index}/_forcemerge?max_num_segments=1`)
}

/**
 * Time that highlighting adds to a hit, over all queries. Of each query the least times of
 * both count: a difference of two single ones is mostly noise.
 */
async function readingOf(
  send: Send,
  index: string,
  field: string,
  queries: Documents['queries'],
  rounds: number,
): Promise<number> {
  const least = queries.map(() => ({
    without: Number.POSITIVE_INFINITY,
    with: Number.POSITIVE_INFINITY,
  }))
  let hits = 0
  const warmUntil = performance.now() + WARM_UP_IN_MILLIS
  for (let round = 0; round < rounds; ) {
    const isWarm = performance.now() >= warmUntil
    hits = 0
    for (const [i, { kind, words }] of queries.entries()) {
      const clause = kind === 'phrase' ? 'match_phrase' : 'match'
      const body = { query: { [clause]: { [field]: words } }, size: HITS, _source: false }
      const highlighted = { ...body, highlight: { fields: { [field]: {} } } }
      const without = await timed(() => send('POST', `/${index}/_search`, body))
      const withThem = await timed(() => send('POST', `/${index}/_search`, highlighted))
      const answer = JSON.parse(Buffer.from(withThem.answer).toString()) as {
        hits: { hits: { highlight?: unknown }[] }
      }
      if (answer.hits.hits.some(({ highlight }) => highlight === undefined))
        throw new Error(`a hit of [${words}] has no highlight`)
      const own = least[i]!
      hits += answer.hits.hits.length
      if (!isWarm) continue
      own.without = Math.min(own.without, without.micros)
      own.with = Math.min(own.with, withThem.micros)
    }
    if (isWarm) round++
  }
  return least.reduce((sum, own) => sum + own.with - own.without, 0) / hits
}

async function timed(
  run: () => Promise<Uint8Array>,
): Promise<{ readonly micros: number; readonly answer: Uint8Array }> {
  const started = performance.now()
  const answer = await run()
  return { micros: (performance.now() - started) * 1000, answer }
}
