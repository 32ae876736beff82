import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { type Answered, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A value of each type whose fields may be kept in no way but stored. */
const VALUES = {
  keyword: 'a',
  long: 1,
  half_float: 1.5,
  boolean: true,
  date: '2020',
  ip: '::1',
  binary: 'AQI=',
  long_range: { gte: 1 },
  geo_point: [1, 2],
} as const

describe('a field that is stored, without index and doc values', () => {
  let index: FieldIndex
  beforeAll(async () => {
    const bare = { index: false, doc_values: false, store: true }
    const types = Object.keys(VALUES)
    const properties = types.map(type => [
      type,
      { type, ...(type === 'binary' ? { store: true } : bare) },
    ])
    index = await fieldIndex(Object.fromEntries(properties))
    await index.add(VALUES, {})
  })
  afterAll(() => index.close())

  it.each(Object.keys(VALUES))('of type %s is found by its presence', async field => {
    expect(await index.find({ exists: { field } })).toEqual(['0'])
  })

  it('prints that it is', async () => {
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain('"ip":{"type":"ip","index":false,"doc_values":false,"store":true}')
  })
})

/** How a mapping drops what its stored fields hold. */
const SOURCES = {
  disabled: { enabled: false },
  excluded: { excludes: ['*'] },
  filtered: { includes: ['other', 'kids.name'] },
} as const

const PROPERTIES = {
  title: { type: 'text', store: true, fields: { raw: { type: 'keyword', store: true } } },
  n: { type: 'long', store: true },
  part: { type: 'keyword', copy_to: 'all' },
  all: { type: 'text', store: true },
  plain: { type: 'text' },
  other: { type: 'keyword' },
  kids: {
    type: 'nested',
    properties: { age: { type: 'integer', store: true }, name: { type: 'keyword' } },
  },
}

const DOCUMENT = {
  title: ['Sea Wolf', 'Seal'],
  n: '7',
  part: 'whale',
  plain: 'sea',
  other: 'x',
  kids: [{ name: 'ann', age: 3 }, { name: 'bob' }, { name: 'cid', age: 5 }],
}

const FIELDS = 'title,title.raw,n,all,plain'
const STORED = {
  title: ['Sea Wolf', 'Seal'],
  'title.raw': ['Sea Wolf', 'Seal'],
  n: [7],
  all: ['whale'],
}

describe.each(Object.keys(SOURCES) as (keyof typeof SOURCES)[])(
  'stored fields where _source is %s',
  how => {
    const folder = tempFolder(`stored-fields-${how}`)
    let rest: Rest

    beforeAll(async () => {
      rest = await openRest({}, folder)
      const made = await rest.call('PUT /i', {
        settings: { refresh_interval: -1 },
        mappings: { _source: SOURCES[how], properties: PROPERTIES },
      })
      expect(made.status).toBe(200)
      expect((await rest.call('PUT /i/_doc/1', DOCUMENT)).json.error).toBeUndefined()
      await rest.call('PUT /i/_doc/2', { n: 8 })
    })
    afterAll(() => rest.close())

    const json = async (line: string, body?: object): Promise<Answered['json']> => {
      const answer = await rest.call(line, body)
      expect([line, answer.json.error]).toEqual([line, undefined])
      return answer.json
    }

    /** All that prints stored fields; the same whatever happened to the segments. */
    const check = async (): Promise<void> => {
      const got = await json(`GET /i/_doc/1?stored_fields=${FIELDS}`)
      expect([got.found, got._source, got.fields]).toEqual([true, undefined, STORED])
      const { docs } = await json('GET /i/_mget', {
        docs: [
          { _id: '1', stored_fields: ['n'] },
          { _id: '2', stored_fields: ['title', 'n'] },
        ],
      })
      expect(docs.map(({ fields }: { fields: object }) => fields)).toEqual([{ n: [7] }, { n: [8] }])
      const found = await json('GET /i/_search', {
        stored_fields: FIELDS.split(','),
        query: { match: { title: 'wolf' } },
        highlight: { fields: { title: {}, plain: {} } },
      })
      const [hit] = found.hits.hits
      expect([hit._id, hit._source, hit.fields]).toEqual(['1', undefined, STORED])
      expect(hit.highlight).toEqual({ title: ['Sea <em>Wolf</em>'] })
      const explained = await json(`GET /i/_explain/1?stored_fields=n,all`, {
        query: { match_all: {} },
      })
      expect(explained.get.fields).toEqual({ n: [7], all: ['whale'] })
      const nested = await json('GET /i/_search', {
        _source: false,
        query: {
          nested: {
            path: 'kids',
            query: { exists: { field: 'kids.age' } },
            inner_hits: { stored_fields: ['kids.age'], sort: [{ 'kids.age': 'asc' }] },
          },
        },
      })
      const inner = nested.hits.hits[0].inner_hits.kids.hits.hits as {
        _nested: { offset: number }
        fields: object
      }[]
      expect(inner.map(({ _nested, fields }) => [_nested.offset, fields])).toEqual([
        [0, { 'kids.age': [3] }],
        [2, { 'kids.age': [5] }],
      ])
      const { term_vectors: vectors } = await json('GET /i/_termvectors/1?fields=title,all,plain')
      expect(Object.keys(vectors)).toEqual(['all', 'title'])
      expect(Object.keys(vectors.title.terms)).toEqual(['sea', 'seal', 'wolf'])
    }

    it('come from the log before a refresh, and from the segment after', async () => {
      const got = await json(`GET /i/_doc/1?stored_fields=${FIELDS}`)
      expect(got.fields).toEqual({ ...STORED })
      await json('POST /i/_refresh')
      await check()
    })

    it('come back with a replay of the log, and with the files', async () => {
      await rest.close()
      rest = await openRest({}, folder)
      await check()
      await json('POST /i/_flush')
      await rest.close()
      rest = await openRest({}, folder)
      await check()
    })

    it('outlive merges and deletes', async () => {
      for (let i = 10; i < 30; i++) await json(`PUT /i/_doc/${i}?refresh`, { n: i })
      await json('DELETE /i/_doc/12')
      await json('POST /i/_forcemerge?max_num_segments=1')
      await json('POST /i/_refresh')
      await check()
      const { hits } = await json('GET /i/_search?size=100', {
        stored_fields: 'n',
        query: { range: { n: { gte: 10 } } },
        sort: ['n'],
      })
      expect(hits.hits.map(({ fields }: { fields: { n: number[] } }) => fields.n[0])).toEqual(
        Array.from({ length: 20 }, (_, i) => 10 + i).filter(n => n !== 12),
      )
    })

    it('go with their documents into an index that is split', async () => {
      await json('PUT /i/_settings', { 'index.blocks.write': true })
      await json('PUT /i/_split/two', { settings: { 'index.number_of_shards': 2 } })
      for (const [id, n] of [
        ['1', 7],
        ['2', 8],
        ['29', 29],
      ] as const)
        expect((await json(`GET /two/_doc/${id}?stored_fields=n`)).fields).toEqual({ n: [n] })
    })
  },
)

it('move with their documents in a sorted index without sources', async () => {
  const rest = await openRest()
  await rest.call('PUT /i', {
    settings: { number_of_shards: 1, 'sort.field': 'n', 'sort.order': 'desc' },
    mappings: {
      _source: { enabled: false },
      properties: { n: { type: 'long', store: true }, t: { type: 'keyword', store: true } },
    },
  })
  const check = async (count: number): Promise<void> => {
    await rest.call('POST /i/_refresh')
    const { json } = await rest.call('GET /i/_search?size=100&stored_fields=n,t')
    const found = json.hits.hits as { _id: string; fields: object }[]
    expect(found).toHaveLength(count)
    for (const { _id, fields } of found)
      expect(fields).toEqual({ n: [Number(_id)], ...(Number(_id) % 3 ? { t: [`t${_id}`] } : {}) })
  }
  for (const id of [5, 9, 1, 30, 2, 8]) {
    const t = id % 3 ? { t: `t${id}` } : {}
    await rest.call(`PUT /i/_doc/${id}`, { n: id, ...t })
    if (id === 1) await check(3)
  }
  await check(6)
  await rest.call('POST /i/_forcemerge?max_num_segments=1')
  await check(6)
  await rest.close()
})
