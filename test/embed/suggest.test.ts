import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, type Index, LamellaError, open } from '../../src/index.ts'

let db: Database
let books: Index<{ title: string }>

beforeAll(async () => {
  db = await open()
  const contexts = [{ name: 'kind', type: 'category' }]
  books = await db.index('books', {
    properties: {
      title: { type: 'text' },
      name: { type: 'completion' },
      shelved: { type: 'completion', contexts },
    },
  })
  const shelved = { input: 'Moby', weight: 7, contexts: { kind: ['sea', 'whales'] } }
  await books.put('1', { title: 'moby dick the whale', name: 'Moby Dick', shelved } as never)
  await books.put('2', { title: 'the mobile whaler', name: ['Mobile', 'Whaler'] } as never)
  await books.refresh()
})
afterAll(() => db.close())

it('completes inputs, with the documents that they stand in', async () => {
  const { names } = await books.suggest({ names: { prefix: 'mob', completion: { field: 'name' } } })
  expect(names).toEqual([
    {
      text: 'mob',
      offset: 0,
      length: 3,
      options: [
        {
          text: 'Mobile',
          score: 1,
          freq: null,
          highlighted: null,
          collateMatch: null,
          index: 'books',
          id: '2',
          source: { title: 'the mobile whaler', name: ['Mobile', 'Whaler'] },
          contexts: {},
        },
        expect.objectContaining({ text: 'Moby Dick', id: '1' }),
      ],
    },
  ])
})

it('takes options in its own names, and leaves names of contexts alone', async () => {
  const { a, b, c } = await books.suggest({
    a: {
      prefix: 'mib',
      completion: {
        field: 'shelved',
        fuzzy: { prefixLength: 1, minLength: 2 },
        contexts: { kind: [{ context: 'wh', prefix: true, boost: 3 }] },
      },
    },
    b: { text: 'mobi', term: { field: 'title', suggestMode: 'always', maxTermFreq: 1 } },
    c: {
      text: 'moby dock',
      phrase: {
        field: 'title',
        maxErrors: 1,
        directGenerator: [{ field: 'title', suggestMode: 'always', minWordLength: 1 }],
        highlight: { preTag: '<', postTag: '>' },
        smoothing: { stupidBackoff: { discount: 0.5 } },
      },
    },
  })
  expect(a![0]!.options).toMatchObject([
    { text: 'Moby', score: 28, contexts: { kind: ['whales'] } },
  ])
  expect(b![0]!.options).toMatchObject([
    { text: 'moby', score: 0.75, freq: 1, id: null },
    { text: 'mobile', score: 0.5, freq: 1, id: null },
  ])
  expect(c![0]!.options[0]).toMatchObject({ text: 'moby dick', highlighted: 'moby <dick>' })
})

it('suggests beside hits, and nothing where nobody asked', async () => {
  const suggest = { words: { text: 'whalr', term: { field: 'title' } } } as const
  const both = await books.search({ query: { match: { title: 'whale' } }, suggest })
  expect(both.hits).toHaveLength(1)
  expect(both.suggest?.['words']?.[0]?.options.map(({ text }) => text)).toEqual(['whale', 'whaler'])
  const alone = await books.search({ suggest })
  expect([alone.total, alone.hits, alone.maxScore]).toEqual([
    { value: 0, relation: 'eq' },
    [],
    null,
  ])
  expect((await books.search()).suggest).toBeNull()
})

it('refuses what is no suggestion', async () => {
  const reasonOf = async (requests: unknown): Promise<string> => {
    try {
      await books.suggest(requests as never)
    } catch (error) {
      expect(error).toBeInstanceOf(LamellaError)
      return (error as LamellaError).message
    }
    throw new Error('nothing was refused')
  }
  expect(await reasonOf({ a: { tetx: 'x' } })).toContain(
    'unknown key of a suggestion [tetx] did you mean any of [term, text]?',
  )
  expect(await reasonOf([])).toContain('[suggest] must be an object')
  expect(await reasonOf({ a: { text: 'x', term: { field: 'nope' } } })).toContain(
    'no mapping found for field [nope]',
  )
})
