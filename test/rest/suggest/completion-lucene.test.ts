import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

/** Queries, with the answers of Lucene 8.7's completion queries over the same inputs. */
const VECTORS = readFileSync(join(import.meta.dirname, 'lucene-completions.txt'), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.split('|'))

const INPUTS: readonly [string, number][] = [
  ['Star Wars', 10],
  ['Star Trek', 8],
  ['starship', 8],
  ['stars', 0],
  ['Stargate', 3],
  ['tsar', 4],
  ['sat', 5],
  ['The Stand', 7],
  ['stand', 2],
  ['Sta', 1],
  ['été', 6],
  ['ete', 2],
  ['star wars', 10],
  ['Starry Night', 9],
  ['STAR', 8],
  ['sttar', 1],
]
const IN_CONTEXT: readonly [string, number, string[]][] = [
  ['foo', 5, ['red']],
  ['foobar', 4, ['red', 'blue']],
  ['food', 3, ['redder']],
  ['fool', 9, ['blue']],
  ['foot', 0, ['green', 're']],
  ['fob', 2, ['red']],
]

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  const contexts = [{ name: 'c', type: 'category' }]
  await rest.call('PUT /i', {
    settings: { number_of_shards: 1 },
    mappings: { properties: { f: { type: 'completion' }, g: { type: 'completion', contexts } } },
  })
  const lines = [
    ...INPUTS.map(([input, weight]) => ({ f: { input, weight } })),
    ...IN_CONTEXT.map(([input, weight, c]) => ({ g: { input, weight, contexts: { c } } })),
  ].flatMap(source => [{ index: {} }, source])
  // Two segments, and one after the merge.
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines.slice(0, 14)))
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines.slice(14)))
})
afterAll(() => rest.close())

async function find(text: object, completion: object): Promise<string> {
  const suggest = { s: { ...text, completion: { size: 10, ...completion } } }
  const { json } = await rest.call('POST /i/_search', { suggest })
  expect(json.error).toBeUndefined()
  const [entry] = json.suggest.s
  return entry.options
    .map(({ text, _score }: { text: string; _score: number }) => `${text}=${_score.toFixed(1)}`)
    .join(';')
}

/** A document counts once, with the best of its scores. */
const once = (options: string): string => {
  const seen = new Set<string>()
  return options
    .split(';')
    .filter(option => !seen.has(option.split('=')[0]!) && seen.add(option.split('=')[0]!))
    .join(';')
}

/** `re*2 red5`: values of a context, `*` for what begins so, with boosts. */
const contextsOf = (text: string): object => ({
  c: text.split(' ').map(each => {
    const [, context, star, boost] = /^([a-z]+)(\*?)(\d*)$/.exec(each)!
    return { context, prefix: star === '*', boost: boost === '' ? 1 : Number(boost) }
  }),
})

function ask([kind, text = '', ...more]: readonly string[]): Promise<string> {
  const [first, second, third] = more
  switch (kind) {
    case 'prefix':
      return find({ prefix: text }, { field: 'f', skip_duplicates: first === 'true' })
    case 'fuzzy':
      return find(
        { prefix: text },
        {
          field: 'f',
          fuzzy: {
            fuzziness: Number(first),
            transpositions: second === 'true',
            unicode_aware: third === 'true',
          },
        },
      )
    case 'fuzzy0':
      return find(
        { prefix: text },
        { field: 'f', fuzzy: { fuzziness: 2, prefix_length: 0, min_length: 1 } },
      )
    case 'regex':
      return find({ regex: text }, { field: 'f' })
    case 'context':
      return find({ prefix: 'fo' }, { field: 'g', contexts: contextsOf(text) })
    default:
      return find({ prefix: 'fob' }, { field: 'g', fuzzy: true, contexts: contextsOf(text) })
  }
}

describe.each(['two segments', 'one segment'])('completions of %s', name => {
  beforeAll(async () => {
    if (name === 'one segment') await rest.call('POST /i/_forcemerge?max_num_segments=1')
  })

  it.each(VECTORS)('are those of Lucene: %s %s %s', async (...vector) => {
    expect(await ask(vector.slice(0, -1))).toBe(once(vector.at(-1)!))
  })
})
