import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text', fields: { raw: { type: 'keyword' } } },
    u: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
  })
  await index.add(
    { t: 'sea ship sea sail', u: 'storm', k: 'x' },
    { t: 'sea ship harbour', u: 'calm', k: 'x' },
    { t: 'field and forest', u: 'ship', k: 'y' },
    { t: 'forest of ships', k: 'y' },
  )
  await index.rest.call('PUT /other/_doc/9?refresh', { t: 'harbour harbour', k: 'y' })
})
afterAll(() => index.close())

const like = (options: object): object => ({
  more_like_this: { min_term_freq: 1, min_doc_freq: 1, minimum_should_match: 1, ...options },
})

describe('more_like_this', () => {
  it.each<[object, string[]]>([
    [{ fields: ['t'], like: 'a harbour' }, ['1']],
    [{ fields: ['t'], like: ['harbour', 'field'] }, ['1', '2']],
    [{ fields: ['t', 'u'], like: 'ship' }, ['0', '1']],
    [{ like: 'calm forest', fields: ['t', 'u'] }, ['1', '2', '3']],
    [{ fields: ['t'], like: { _id: '0' } }, ['1']],
    [{ fields: ['t'], like: { _id: '0' }, include: true }, ['0', '1']],
    [{ fields: ['t'], like: [{ _index: 'i', _id: '0' }, { _id: '2' }] }, ['1', '3']],
    [{ fields: ['t'], like: { _index: 'other', _id: '9' } }, ['1']],
    [{ fields: ['t'], like: { _index: 'gone', _id: '9' } }, []],
    [{ fields: ['t'], like: { _id: 'absent' } }, []],
    [{ fields: ['t'], like: { doc: { t: 'sea forest' } } }, ['0', '1', '2', '3']],
    [{ fields: ['t'], like: { doc: { t: ['sea', 'forest'] } }, minimum_should_match: '100%' }, []],
    [{ like: { doc: { t: 'harbour', k: 'x' } } }, ['0', '1']],
    [{ like: { doc: { t: 'harbour', k: 'x' }, fields: ['t'] } }, ['1']],
    [{ fields: ['t.raw'], like: { _id: '1' }, include: true }, ['1']],
    [{ fields: ['k'], like: 'x' }, ['0', '1']],
    [{ fields: ['t'], like: 'sea forest', unlike: 'sea' }, ['2', '3']],
    [{ fields: ['t'], like: 'sea forest', unlike: { _id: '1' } }, ['2', '3']],
    [{ fields: ['t'], like: 'sea forest', unlike: { doc: { t: 'forest' } } }, ['0', '1']],
    [{ fields: ['t'], like: 'sea sea forest', min_term_freq: 2 }, ['0', '1']],
    [{ fields: ['t'], like: 'sea harbour', min_doc_freq: 2 }, ['0', '1']],
    [{ fields: ['t'], like: 'sea harbour', max_doc_freq: 1 }, ['1']],
    [{ fields: ['t'], like: 'sea harbour', max_query_terms: 1 }, ['1']],
    [{ fields: ['t'], like: 'sea forest', min_word_length: 4 }, ['2', '3']],
    [{ fields: ['t'], like: 'sea forest', max_word_length: 4 }, ['0', '1']],
    [{ fields: ['t'], like: 'sea forest', stop_words: ['sea'] }, ['2', '3']],
    [{ fields: ['t'], like: 'Sea', analyzer: 'keyword' }, []],
    [{ fields: ['t', 'n'], like: 'harbour', fail_on_unsupported_field: false }, ['1']],
    [{ fields: ['gone'], like: 'harbour' }, []],
    [{ fields: ['t'], like: { doc: { t: 'Sea' }, per_field_analyzer: { t: 'keyword' } } }, []],
  ])('%j', async (options, expected) => {
    expect(await index.find(like(options))).toEqual(expected)
    await scored(index, like(options))
  })

  it('leaves rare words out unless told', async () => {
    const query = { more_like_this: { fields: ['t'], like: 'sea sea' } }
    expect(await index.find(query)).toEqual([])
  })

  it('is the query of its words, the best last', async () => {
    const query = like({ fields: ['t'], like: 'sea harbour', boost_terms: 2 })
    const [type, description] = await profiled(index, query)
    expect(type).toBe('BooleanQuery')
    expect(description).toMatch(/^\(\(t:sea\)\^2\.0 \(t:harbour\)\^2\.\d+\)~1$/)
    expect((await profiled(index, like({ fields: ['t'], like: { _id: '3' } })))[1]).toBe(
      't:forest t:ships t:of -_id:([fe 3f])',
    )
  })

  it('reads a document of each index that is searched', async () => {
    const { json } = await index.rest.call('POST /i,other/_search', {
      query: like({ fields: ['t'], like: { _id: '9' }, include: true }),
    })
    expect(json.hits.hits.map((hit: { _index: string }) => hit._index)).toEqual(['other'])
  })

  it.each<[object, string]>([
    [{ fields: ['t'] }, "more_like_this requires 'like' to be specified"],
    [{ like: [] }, "more_like_this requires 'like' to be specified"],
    [{ like: 'a', fields: [] }, "more_like_this requires 'fields' to be non-empty"],
    [{ like: 'a', fields: ['n'] }, 'more_like_this only supports text/keyword fields: [n]'],
    [{ like: 'a', analyzer: 'none' }, '[more_like_this] analyzer [none] not found'],
    [{ like: 'a', max_query_terms: 0 }, 'requires maxQueryTerms to be greater than 0'],
    [{ like: 'a', x: 1 }, '[more_like_this] query does not support [x]'],
    [{ like: { x: 1 } }, 'failed to parse More Like This item. unknown field [x]'],
    [
      { like: { _id: '1', doc: {} } },
      'failed to parse More Like This item. either [id] or [doc] can be specified, but not both!',
    ],
    [{ like: {} }, 'Item requires either id or doc to be non-null'],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: like(options) })).toEqual([400, reason])
  })
})
