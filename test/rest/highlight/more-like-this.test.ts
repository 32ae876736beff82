import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { highlightCalls } from '../../support/highlight-calls.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const { fill, first, highlights } = highlightCalls(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await fill(
    {
      properties: {
        t: {
          type: 'text',
          fields: { v: { type: 'text', term_vector: 'with_positions_offsets' } },
        },
      },
    },
    [
      { t: 'a whale in the sea' },
      { t: 'the sea and the ship' },
      { t: 'the harbour' },
      { t: 'the whale' },
    ],
    { number_of_shards: 1 },
  )
})
afterAll(() => rest.close())

const like = (options: object = {}, field = 't'): object => ({
  more_like_this: {
    fields: [field],
    like: 'whale sea sea harbour the',
    min_term_freq: 1,
    min_doc_freq: 1,
    minimum_should_match: 1,
    ...options,
  },
})

describe('more_like_this', () => {
  it.each(['unified', 'plain', 'fvh'])('is marked by its chosen words: %s', async type => {
    const fields = { 't.v': { type, number_of_fragments: 0 } }
    const all = await highlights(like({}, 't.v'), { fields })
    expect(all).toEqual({
      0: { 't.v': ['a <em>whale</em> in <em>the</em> <em>sea</em>'] },
      1: { 't.v': ['<em>the</em> <em>sea</em> and <em>the</em> ship'] },
      2: { 't.v': ['<em>the</em> <em>harbour</em>'] },
      3: { 't.v': ['<em>the</em> <em>whale</em>'] },
    })
  })

  it('leaves words that the shard does not choose', async () => {
    const fields = { t: { number_of_fragments: 0 } }
    // By their frequency in the text and the documents.
    expect(await highlights(like({ max_query_terms: 1 }), { fields })).toEqual({
      0: { t: ['a whale in the <em>sea</em>'] },
      1: { t: ['the <em>sea</em> and the ship'] },
    })
    const few = await highlights(like({ min_doc_freq: 2, max_doc_freq: 3 }), { fields })
    expect(few[0]).toEqual({ t: ['a <em>whale</em> in the <em>sea</em>'] })
    expect(few[2]).toBeUndefined()
  })

  it('is marked within other queries, and as a query of the highlight', async () => {
    const fields = { t: { number_of_fragments: 0 } }
    const within = { bool: { must: [{ match: { t: 'ship' } }], should: [like({ like: 'sea' })] } }
    expect(await highlights(within, { fields })).toEqual({
      1: { t: ['the <em>sea</em> and the <em>ship</em>'] },
    })
    const own = { t: { number_of_fragments: 0, highlight_query: like({ like: 'whale' }) } }
    expect(await first({ match: { t: 'sea' } }, { fields: own })).toEqual({
      t: ['a <em>whale</em> in the sea'],
    })
  })

  it('chooses words by shard', async () => {
    await rest.call('PUT /other/_doc/0?refresh', { t: 'a harbour, and the sea' })
    const body = {
      query: like({ max_doc_freq: 1 }),
      highlight: { fields: { t: { number_of_fragments: 0 } } },
    }
    const { json } = await rest.call('POST /i,other/_search', body)
    const marked = json.hits.hits.map(({ _index: index, highlight }: Record<string, unknown>) => [
      index,
      highlight,
    ])
    expect(marked).toContainEqual(['i', { t: ['the <em>harbour</em>'] }])
    expect(marked).toContainEqual([
      'other',
      { t: ['a <em>harbour</em>, and <em>the</em> <em>sea</em>'] },
    ])
  })
})
