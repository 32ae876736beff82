/** Microseconds that highlighting adds to a hit, its source read for it included; beside Lucene, and as quoted of it. */

import { crc32 } from 'node:zlib'
import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { Random } from '../../dist/util/random.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { LuceneHighlighter } from '../lib/lucene-highlighter.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const PASSAGES = 30_000
/** Passages of a longer document. */
const JOINED = 6
const HITS = 10
const FIELD = 'text'
const MB = 2 ** 20
/** How long requests of a case run before those that count, like those of the baseline: V8 compiles them by then. */
const WARM_UP_IN_MILLIS = 3000

/** Of the same text: how it is indexed, by where highlighters find the offsets of its tokens. */
const FIELDS = {
  analysis: {},
  postings: { index_options: 'offsets' },
  vectors: { term_vector: 'with_positions_offsets' },
} as const

type Offsets = keyof typeof FIELDS

/** Six to twelve words as they follow each other in a text, the most frequent among them. */
const NATURAL = 'natural language'
const NATURAL_QUERIES = 20
const SEED = 3

/**
 * Texts, classes of queries, what Lucene's unified highlighter takes of a hit by analysis with the text that it loads,
 * the smallest figure measured; and how many times as fast this is to be.
 */
const CASES = [
  ['passages', '', ['term-M', 'term-H'], 117, 5],
  ['passages', ', phrases', ['phrase2'], 117, 5],
  ['documents', '', ['term-M', 'term-H'], 191, 6],
  ['documents', ', five words', ['or5-nat'], 191, 6],
  ['documents', ', natural language', [NATURAL], 1612, 10],
] as const

/** Whole texts, and whole sentences: Lucene cuts both as well, other fragments are cut by rules of the server alone. */
const WHOLE = { number_of_fragments: 0 }
const SENTENCES = { fragment_size: 0 }

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
      const lucene = luceneOr(why => say(`highlighting: without Lucene: ${why}`))
      for (const [kind, joined] of [
        ['passages', 1],
        ['documents', JOINED],
      ] as const) {
        const texts = textsOf(documents, joined)
        for (const offsets of Object.keys(FIELDS) as Offsets[]) {
          await fill(send, `${kind}-${offsets}`, FIELDS[offsets], texts)
          await lucene?.load(`${kind}-${offsets}`, offsets, texts)
        }
      }
      const results: BenchResult[] = []
      const known = [...documents.queries, ...naturalQueries(textsOf(documents, JOINED))]
      for (const [kind, of, classes, ofLucene, times] of CASES) {
        const queries = known.filter(({ className }) =>
          (classes as readonly string[]).includes(className),
        )
        if (queries.length === 0) throw new Error(`the corpus has no queries of ${classes.join()}`)
        for (const offsets of Object.keys(FIELDS) as Offsets[]) {
          const name = `highlighting/${kind}${of}, ${offsets}`
          const given = { send, index: `${kind}-${offsets}`, queries, rounds }
          say(name)
          const { own } = await readingOf({ ...given, options: {}, lucene: null })
          results.push(
            resultOf(name, 'µs/hit', [own], {
              against: { name: 'Lucene as quoted', ratio: ofLucene / own },
              mark: atMost(own, Math.floor(ofLucene / times), 'µs/hit'),
            }),
          )
          if (lucene === null) continue
          await compareWhole(given, lucene)
          const beside = await readingOf({ ...given, options: SENTENCES, lucene })
          const ratio = beside.other / beside.own
          say(`${name}: sentences of ${Math.round(100 * beside.equal)} % of the hits are equal`)
          results.push(
            resultOf(`${name}, sentences`, 'µs/hit', [beside.own], {
              against: { name: 'Lucene 8', ratio },
              mark: atLeast(ratio, times, 'times'),
            }),
          )
        }
      }
      lucene?.close()
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

/** Queries of natural language, the same of the same texts. */
function naturalQueries(texts: readonly string[]): Documents['queries'] {
  const random = new Random(SEED)
  return Array.from({ length: NATURAL_QUERIES }, () => {
    for (;;) {
      const count = 6 + random.below(7)
      const words = texts[random.below(texts.length)]!.toLowerCase().split(/\s+/)
      const from = random.below(Math.max(1, words.length - count))
      const run = words.slice(from, from + count)
      if (run.length === count && run.every(word => /^[a-z]+$/.test(word)))
        return { className: NATURAL, kind: 'or', words: [...new Set(run)].join(' ') }
    }
  })
}

/** Fills an index of one field: what a hit's source costs to read is part of the figures. */
async function fill(
  send: Send,
  index: string,
  options: object,
  texts: readonly string[],
): Promise<void> {
  await send('PUT', `/${index}`, {
    settings: { refresh_interval: '-1' },
    mappings: { properties: { [FIELD]: { type: 'text', ...options } } },
  })
  for (let from = 0; from < texts.length; from += 1000) {
    const lines = texts
      .slice(from, from + 1000)
      .flatMap(text => ['{"index":{}}', JSON.stringify({ [FIELD]: text })])
    await send('POST', `/${index}/_bulk`, `${lines.join('\n')}\n`)
  }
  await send('POST', `/${index}/_refresh`)
  await send('POST', `/${index}/_forcemerge?max_num_segments=1`)
}

/** What is measured. */
interface Given {
  readonly send: Send
  readonly index: string
  readonly queries: Documents['queries']
  readonly rounds: number
}

/** Least times of a query without and with highlights. */
class Least {
  #without = Number.POSITIVE_INFINITY
  #with = Number.POSITIVE_INFINITY

  take(without: number, withThem: number): void {
    this.#without = Math.min(this.#without, without)
    this.#with = Math.min(this.#with, withThem)
  }

  /** What highlights add. */
  get added(): number {
    return this.#with - this.#without
  }
}

/** @throws {Error} hits are not Lucene's, or other words of them are highlighted */
async function compareWhole(given: Given, lucene: LuceneHighlighter): Promise<void> {
  const { send, index, queries } = given
  for (const { kind, words } of queries) {
    const answer = await send('POST', `/${index}/_search`, highlighted(kind, words, WHOLE))
    const theirs = await lucene.whole(index, kind, words)
    const ours = checksumsOf(answer, words)
    if (ours.join() !== theirs.join())
      throw new Error(`${index}: highlights of [${words}] are not Lucene's`)
  }
}

/**
 * Time that highlighting adds to a hit, over all queries. Of each query the least times of both count: a difference of
 * two single ones is mostly noise.
 * @returns microseconds, here and in Lucene, and the share of the hits with equal fragments: sentences end by the rules
 *   of ICU here, by Java's there
 */
async function readingOf(
  given: Given & { readonly options: object; readonly lucene: LuceneHighlighter | null },
): Promise<{ readonly own: number; readonly other: number; readonly equal: number }> {
  const { send, index, queries, rounds, options, lucene } = given
  const least = queries.map(() => ({ own: new Least(), other: new Least() }))
  let hits = 0
  let equal = 0
  const warmUntil = performance.now() + WARM_UP_IN_MILLIS
  for (let round = 0; round < rounds; ) {
    const isWarm = performance.now() >= warmUntil
    hits = 0
    equal = 0
    for (const [i, { kind, words }] of queries.entries()) {
      const { own, other } = least[i]!
      const body = highlighted(kind, words, options)
      const plain = { ...body, highlight: undefined }
      const without = await timed(() => send('POST', `/${index}/_search`, plain))
      const withThem = await timed(() => send('POST', `/${index}/_search`, body))
      const there = (await lucene?.search(index, kind, words)) ?? null
      const checksums = checksumsOf(withThem.answer, words)
      hits += checksums.length
      equal += checksums.filter((each, hit) => each === there?.checksums[hit]).length
      if (!isWarm) continue
      own.take(without.micros, withThem.micros)
      if (there !== null) other.take(there.without, there.with)
    }
    if (isWarm) round++
  }
  const added = (of: 'own' | 'other'): number =>
    least.reduce((sum, each) => sum + each[of].added, 0) / hits
  return { own: added('own'), other: added('other'), equal: equal / hits }
}

function highlighted(kind: string, words: string, options: object): object {
  return {
    query: { [kind === 'phrase' ? 'match_phrase' : 'match']: { [FIELD]: words } },
    size: HITS,
    _source: false,
    highlight: { fields: { [FIELD]: options } },
  }
}

/** The checksums of each hit's fragments, as `HighlightBench.java` makes them. */
function checksumsOf(answer: Uint8Array, words: string): readonly number[] {
  const { hits } = JSON.parse(Buffer.from(answer).toString()) as {
    hits: { hits: { highlight?: { [FIELD]: string[] } }[] }
  }
  return hits.hits.map(({ highlight }) => {
    if (highlight === undefined) throw new Error(`a hit of [${words}] has no highlight`)
    return crc32(highlight[FIELD].join('\u0001'))
  })
}

function luceneOr(without: (why: string) => void): LuceneHighlighter | null {
  try {
    return new LuceneHighlighter()
  } catch (error) {
    without((error as Error).message)
    return null
  }
}

async function timed(
  run: () => Promise<Uint8Array>,
): Promise<{ readonly micros: number; readonly answer: Uint8Array }> {
  const started = performance.now()
  const answer = await run()
  return { micros: (performance.now() - started) * 1000, answer }
}
