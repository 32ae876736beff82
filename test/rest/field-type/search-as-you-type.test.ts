import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const random = new Random(7)
const WORDS = ['a', 'ab', 'abc', 'b', 'ba', 'bab', 'c']

const words = (count: number): string[] =>
  Array.from({ length: count }, () => WORDS[random.below(WORDS.length)]!)
const documents = Array.from({ length: 60 }, (_, i) => ({
  id: `${i}`,
  words: words(1 + random.below(6)),
}))

beforeAll(async () => {
  rest = await openRest()
  const sizes = Object.fromEntries(
    [2, 3, 4].map(size => [`s${size}`, { type: 'search_as_you_type', max_shingle_size: size }]),
  )
  await ok('PUT /i', { mappings: { properties: sizes } })
  for (const part of [documents.slice(0, 25), documents.slice(25)])
    await ok(
      'POST /i/_bulk?refresh',
      ndjson(
        ...part.flatMap(({ id, words: own }) => {
          const text = own.join(' ')
          return [{ index: { _id: id } }, { s2: text, s3: text, s4: text }]
        }),
      ),
    )
})
afterAll(() => rest.close())

async function ids(query: object): Promise<string[]> {
  const { hits } = await ok('POST /i/_search', { size: 100, query })
  return hits.hits.map(({ _id }: { _id: string }) => _id).sort()
}

const having = (is: (own: readonly string[]) => boolean): string[] =>
  documents
    .filter(({ words: own }) => is(own))
    .map(({ id }) => id)
    .sort()

/** Whether the words have others in a row. */
const hasRow = (own: readonly string[], row: readonly string[]): boolean =>
  own.some((_, at) => row.every((word, i) => own[at + i] === word))

describe.each([2, 3, 4])('rows of up to %i words', size => {
  it('are each a term of their own field', async () => {
    for (let gram = 2; gram <= size; gram++)
      for (let round = 0; round < 15; round++) {
        const row = words(gram)
        expect(await ids({ term: { [`s${size}._${gram}gram`]: row.join(' ') } })).toEqual(
          having(own => hasRow(own, row)),
        )
      }
    expect(await ids({ match: { [`s${size}._${size + 1}gram`]: 'a b a b a' } })).toEqual([])
  })

  it('have their beginnings in a field of prefixes', async () => {
    let found = 0
    for (let round = 0; round < 40; round++) {
      const text = words(1 + random.below(size)).join(' ')
      const start = text.slice(0, 1 + random.below(text.length)).trim()
      const wanted = having(own =>
        own.some((_, at) =>
          own
            .slice(at, at + size)
            .join(' ')
            .startsWith(start),
        ),
      )
      expect(await ids({ term: { [`s${size}._index_prefix`]: start } })).toEqual(wanted)
      found += wanted.length
    }
    expect(found).toBeGreaterThan(100)
  })

  it('are found while they are typed', async () => {
    const fields = [
      `s${size}`,
      ...Array.from({ length: size - 1 }, (_, i) => `s${size}._${i + 2}gram`),
    ]
    for (let round = 0; round < 40; round++) {
      const typed = words(1 + random.below(3))
      const last = typed.at(-1)!
      const query = typed.join(' ')
      const isAny = (own: readonly string[]): boolean =>
        typed.slice(0, -1).some(word => own.includes(word)) ||
        own.some(word => word.startsWith(last))
      const isAll = (own: readonly string[]): boolean =>
        typed.slice(0, -1).every(word => own.includes(word)) &&
        own.some(word => word.startsWith(last))
      const multi = { query, type: 'bool_prefix', fields }
      expect(await ids({ multi_match: multi })).toEqual(having(isAny))
      expect(await ids({ multi_match: { ...multi, operator: 'and' } })).toEqual(having(isAll))
      expect(await ids({ match_phrase_prefix: { [`s${size}`]: query } })).toEqual(
        having(own =>
          own.some(
            (_, at) =>
              typed.slice(0, -1).every((word, i) => own[at + i] === word) &&
              own[at + typed.length - 1]?.startsWith(last),
          ),
        ),
      )
      expect(await ids({ match_phrase: { [`s${size}`]: query } })).toEqual(
        having(own => hasRow(own, typed)),
      )
    }
  })
})

it('marks the words that are whole, in the field and those of its rows', async () => {
  const vectors = { term_vector: 'with_positions_offsets' }
  await ok('PUT /h', {
    mappings: {
      properties: {
        f: { type: 'search_as_you_type' },
        v: { type: 'search_as_you_type', ...vectors },
      },
    },
  })
  const text = 'the white whale swims away'
  await ok('PUT /h/_doc/1?refresh', { f: text, v: text })
  const marked = async (query: string, field: string, type: string): Promise<unknown[]> => {
    const fields = [field, `${field}._2gram`, `${field}._3gram`]
    const { hits } = await ok('POST /h/_search', {
      query: { multi_match: { query, type: 'bool_prefix', fields } },
      highlight: { type, fields: Object.fromEntries(fields.map(name => [name, {}])) },
    })
    const { highlight } = hits.hits[0]
    return fields.map(name => highlight[name]?.join() ?? null)
  }
  const kinds = [
    ['f', 'unified'],
    ['f', 'plain'],
    ['v', 'unified'],
    ['v', 'plain'],
    ['v', 'fvh'],
  ] as const
  // The beginning of a word is a term of the field of prefixes, which has no highlight.
  for (const [field, type] of kinds)
    expect([field, type, await marked('white wha', field, type)]).toEqual([
      field,
      type,
      ['the <em>white</em> whale swims away', null, null],
    ])
  for (const [field, type] of kinds)
    expect([field, type, await marked('white whale sw', field, type)]).toEqual([
      field,
      type,
      ['the <em>white</em> <em>whale</em> swims away', 'the <em>white whale</em> swims away', null],
    ])
  // Rows that overlap share their tags.
  for (const [field, type] of kinds.slice(0, 4))
    expect([field, type, await marked('white whale swims aw', field, type)]).toEqual([
      field,
      type,
      [
        'the <em>white</em> <em>whale</em> <em>swims</em> away',
        'the <em>white whale swims</em> away',
        'the <em>white whale swims</em> away',
      ],
    ])
  // Rows have vectors where the field has them.
  const { term_vectors: made } = await ok('GET /h/_termvectors/1')
  expect(Object.keys(made).sort()).toEqual(['v', 'v._2gram', 'v._3gram'])
  expect(made['v._3gram'].terms['white whale swims'].tokens).toEqual([
    { position: 1, start_offset: 4, end_offset: 21 },
  ])
})
