/** Microseconds that a query string takes beyond the same query written out. */
import { type Database, open } from '../../dist/index.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const PASSAGES = 30_000
const MARK_IN_MICROS = 5

type Clause = Record<string, unknown>

/** Forms of two words, as a text and written out. */
const FORMS: Readonly<
  Record<string, (a: string, b: string) => { readonly text: string; readonly query: Clause }>
> = {
  'either word': (a, b) => ({
    text: `${a} ${b}`,
    query: { bool: { should: [term(a), term(b)] } },
  }),
  'both words': (a, b) => ({
    text: `+${a} +${b}`,
    query: { bool: { must: [term(a), term(b)] } },
  }),
  'one without the other': (a, b) => ({
    text: `${a} -${b}`,
    query: { bool: { should: [term(a)], must_not: [term(b)] } },
  }),
  'a phrase': (a, b) => ({
    text: `"${a} ${b}"`,
    query: { match_phrase: { body: `${a} ${b}` } },
  }),
  'groups with boosts': (a, b) => ({
    text: `(${a} AND ${b})^2 OR ${a}`,
    query: {
      bool: { should: [{ bool: { must: [term(a), term(b)], boost: 2 } }, term(a)] },
    },
  }),
}

function term(word: string): Clause {
  return { match: { body: word } }
}

/** `query_string` beside the query that it stands for, both as bodies of a search in the library. */
export const queryStrings: Bench = {
  name: 'query-strings',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, PASSAGES)
    const pairs = documents.queries
      .filter(({ className }) => className.startsWith('or2'))
      .map(({ words }) => words.split(' ') as [string, string])
    const database = await open(undefined, {
      settings: { 'lamella.threads.write': '1', 'lamella.threads.search': '1' },
    })
    try {
      say('query-strings: indexing')
      await fill(database, documents)
      const results: BenchResult[] = []
      for (const [name, form] of Object.entries(FORMS)) {
        const both = pairs.map(([a, b]) => {
          const { text, query } = form(a, b)
          return [{ query_string: { query: text, default_field: 'body' } }, query] as const
        })
        for (const [string, query] of both) await compare(database, string, query)
        const beyond = await readings(database, both, rounds)
        results.push(
          resultOf(`query-strings/${name}`, 'µs beyond', beyond, {
            mark: atMost(Math.min(...beyond), MARK_IN_MICROS, 'µs beyond'),
          }),
        )
      }
      return results
    } finally {
      await database.close()
    }
  },
}

async function fill(database: Database, { bytes, bounds, textField }: Documents): Promise<void> {
  const index = await database.index<{ body: string }>('texts', {
    properties: { body: { type: 'text' } },
  })
  const texts = Array.from({ length: bounds.length - 1 }, (_, i) => {
    const line = Buffer.from(bytes.subarray(bounds[i]!, bounds[i + 1]! - 1)).toString()
    return String((JSON.parse(line) as Record<string, unknown>)[textField])
  })
  for await (const _ of index.bulk(
    texts.map(body => ({ source: { body } })),
    { refresh: true },
  )) {
    // Loads on.
  }
  await database.request({ method: 'POST', path: '/texts/_forcemerge?max_num_segments=1' })
}

async function found(database: Database, query: Clause): Promise<unknown> {
  const answer = await database.request({
    method: 'POST',
    path: '/texts/_search',
    body: JSON.stringify({ query, _source: false }),
  })
  return (answer.json() as { hits: unknown }).hits
}

async function compare(database: Database, string: Clause, query: Clause): Promise<void> {
  const [one, other] = [await found(database, string), await found(database, query)]
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`${JSON.stringify(string)} finds other hits than ${JSON.stringify(query)}`)
}

/** Of each round the mean over all queries of what the string takes longer, each by the least of several. */
async function readings(
  database: Database,
  both: readonly (readonly [Clause, Clause])[],
  rounds: number,
): Promise<number[]> {
  const found: number[] = []
  for (let round = -2; round < rounds; round++) {
    let sum = 0
    for (const [string, query] of both) {
      const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let i = 0; i < REPEATS; i++)
        for (const [which, asked] of [string, query].entries()) {
          const body = JSON.stringify({ query: asked, _source: false })
          const start = performance.now()
          await database.request({ method: 'POST', path: '/texts/_search', body })
          least[which] = Math.min(least[which]!, 1000 * (performance.now() - start))
        }
      sum += least[0]! - least[1]!
    }
    if (round >= 0) found.push(sum / both.length)
  }
  return found
}

/** Searches of each form in a round. */
const REPEATS = 15
