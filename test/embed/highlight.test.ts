import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type Index, open } from '../../src/index.ts'

let db: Database
let books: Index<{ title: string }>
beforeAll(async () => {
  db = await open()
  books = await db.index('books', { properties: { title: { type: 'text' } } })
  await books.put('1', { title: 'Moby-Dick; or, The Whale. A novel.' }, { refresh: true })
})
afterAll(() => db.close())

describe('highlighting in the library', () => {
  it('takes names of fields, or options of each', async () => {
    const query = { match: { title: 'whale' } }
    const named = await books.search({ query, highlight: { fields: ['title'] } })
    expect(named.hits[0]?.highlight).toEqual({
      title: ['Moby-Dick; or, The <em>Whale</em>. A novel.'],
    })
    const fields = {
      title: { type: 'plain', fragmentSize: 20, preTags: '[', postTags: ']' },
    } as const
    const { hits } = await books.search({ query, highlight: { numberOfFragments: 1, fields } })
    expect(hits[0]?.highlight).toEqual({ title: [' [Whale]. A novel.'] })
  })

  it('is null where it was not asked for or nothing is found', async () => {
    const { hits } = await books.search({ query: { match: { title: 'novel' } } })
    expect(hits[0]?.highlight).toBeNull()
    const other = { highlightQuery: { match: { title: 'none' } }, fields: ['title'] }
    expect((await books.search({ highlight: other })).hits[0]?.highlight).toBeNull()
  })

  it('refuses options that there are not', async () => {
    await expect(books.search({ highlight: { fields: [], size: 1 } as never })).rejects.toThrow(
      'unknown highlight option [size]',
    )
    const fields = { title: { fragment_size: 1 } } as never
    await expect(books.search({ highlight: { fields } })).rejects.toThrow(
      'unknown option of a highlighted field [fragment_size]',
    )
  })
})
