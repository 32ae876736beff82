import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /books', {
    mappings: {
      properties: {
        title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 9 } } },
        'author.name': { type: 'text', analyzer: 'simple' },
        year: { type: 'integer', index: true },
        notes: { type: 'nested', properties: { page: { type: 'short' } } },
      },
    },
  })
  await rest.call('PUT /empty', {})
})
afterAll(() => rest.close())

const shown = async (line: string): Promise<string> => (await rest.call(`GET ${line}`)).text

describe('mappings of fields', () => {
  it('are found by full name and by pattern, multi-fields included and objects not', async () => {
    expect(await shown('/books/_mapping/field/year,author,wat')).toBe(
      '{"books":{"mappings":{"year":{"full_name":"year","mapping":{"year":{"type":"integer"}}}}}}',
    )
    expect(await shown('/books/_mapping/field/*e')).toBe(
      '{"books":{"mappings":{' +
        '"author.name":{"full_name":"author.name","mapping":{"name":{"type":"text",' +
        '"analyzer":"simple"}}},' +
        '"notes.page":{"full_name":"notes.page","mapping":{"page":{"type":"short"}}},' +
        '"title":{"full_name":"title","mapping":{"title":{"type":"text",' +
        '"fields":{"raw":{"type":"keyword","ignore_above":9}}}}}}}}',
    )
    expect(await shown('/_mapping/field/title.raw')).toBe(
      '{"books":{"mappings":{"title.raw":{"full_name":"title.raw","mapping":{"raw":' +
        '{"type":"keyword","ignore_above":9}}}}},"empty":{"mappings":{}}}',
    )
  })

  it('print every parameter where they are asked to', async () => {
    const { json } = await rest.call('GET /books/_mapping/field/*?include_defaults=true')
    const { mappings } = json.books
    expect(mappings['title'].mapping.title).toMatchObject({
      type: 'text',
      index: true,
      norms: true,
      analyzer: 'default',
      search_analyzer: 'default',
      search_quote_analyzer: 'default',
      similarity: 'BM25',
      position_increment_gap: 100,
    })
    expect(mappings['author.name'].mapping.name).toMatchObject({
      analyzer: 'simple',
      search_analyzer: 'simple',
    })
    expect(mappings['year'].mapping.year).toMatchObject({
      coerce: true,
      ignore_malformed: false,
      null_value: null,
      meta: {},
    })
  })

  it('of an index that is missing are an error', async () => {
    const { status, json } = await rest.call('GET /nope/_mapping/field/x')
    expect([status, json.error.type]).toEqual([404, 'index_not_found_exception'])
  })
})
