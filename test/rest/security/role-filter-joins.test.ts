/** Roles whose document restrictions look at nested objects, parents and children. */
import { beforeAll, describe, expect, it } from 'vitest'
import { withoutRandomIds } from '../../support/random-ids.ts'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()

const ALL = { match_all: {} }
/** Users with their restriction, and the ids that they see; null: it joins documents, which is refused. */
const USERS: Readonly<Record<string, readonly [filter: object, ids: readonly string[] | null]>> = {
  parts: [{ nested: { path: 'parts', query: { term: { 'parts.kind': 'open' } } } }, ['1', '3']],
  others: [
    {
      bool: { must_not: { nested: { path: 'parts', query: { term: { 'parts.kind': 'shut' } } } } },
    },
    ['1', '4'],
  ],
  child: [{ parent_id: { type: 'answer', id: '1' } }, ['3']],
  asked: [{ has_child: { type: 'answer', query: ALL } }, null],
  under: [{ has_parent: { parent_type: 'question', query: ALL } }, null],
  beyond: [{ bool: { must_not: { has_child: { type: 'answer', query: ALL } } } }, null],
  within: [
    { bool: { should: [{ term: { word: 'w1' } }, { has_child: { type: 'answer', query: ALL } }] } },
    null,
  ],
}
const SEEING = Object.entries(USERS).flatMap(([name, [, ids]]) =>
  ids === null ? [] : [[name, ids] as const],
)
const JOINING = Object.keys(USERS).filter(name => USERS[name]![1] === null)

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /posts', {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: {
        word: { type: 'keyword' },
        parts: { type: 'nested', properties: { kind: { type: 'keyword' } } },
        rel: { type: 'join', relations: { question: 'answer' } },
      },
    },
  })
  const sources = [
    { word: 'w1', parts: [{ kind: 'open' }], rel: 'question' },
    { word: 'w2', parts: [{ kind: 'shut' }], rel: 'question' },
    {
      word: 'w3',
      parts: [{ kind: 'open' }, { kind: 'shut' }],
      rel: { name: 'answer', parent: '1' },
    },
    { word: 'w4', parts: [], rel: { name: 'answer', parent: '2' } },
  ]
  const lines = sources.flatMap((source, i) => [
    { index: { _id: String(i + 1), routing: 'r' } },
    source,
  ])
  await rest.call('POST /posts/_bulk?refresh', ndjson(...lines))
  for (const [name, [filter]] of Object.entries(USERS)) {
    await addRole(rest, name, {
      cluster_permissions: ['cluster_composite_ops'],
      index_permissions: [
        { index_patterns: ['posts'], dls: JSON.stringify(filter), allowed_actions: ['*'] },
      ],
    })
    await addUser(rest, name, { opendistro_security_roles: [name] })
  }
})

describe.each(SEEING)('a restriction that joins nothing (%s)', (user, ids) => {
  const words = ids.map(id => `w${id}`)

  it('holds for searches, counts and aggregations', async () => {
    const aggs = {
      words: { terms: { field: 'word' } },
      all: { global: {}, aggs: { words: { terms: { field: 'word' } } } },
      parts: { nested: { path: 'parts' }, aggs: { back: { reverse_nested: {} } } },
    }
    const { json } = await secured().as(user, 'GET /posts/_search', { aggs, sort: ['word'] })
    expect(json.hits.hits.map((hit: Reply['json']) => hit._id)).toEqual(ids)
    const { words: own, all, parts } = json.aggregations
    for (const { buckets } of [own, all.words])
      expect(buckets.map((bucket: Reply['json']) => bucket.key)).toEqual(words)
    expect(parts.back.doc_count).toBe(ids.filter(id => id !== '4').length)
    expect((await secured().as(user, 'GET /posts/_count')).json.count).toBe(ids.length)
  })

  it('holds for reads by id', async () => {
    for (const id of ['1', '2', '3', '4']) {
      const { json } = await secured().as(user, `GET /posts/_doc/${id}?routing=r`)
      expect([id, json.found]).toEqual([id, ids.includes(id)])
    }
  })
})

describe.each(JOINING)('a restriction that joins documents (%s)', user => {
  it.each([
    ['GET /posts/_search'],
    ['GET /posts/_count'],
    ['GET /posts/_search', { size: 0, aggs: { g: { global: {} } } }],
    ['GET /posts/_doc/1?routing=r'],
    ['GET /posts/_source/1?routing=r'],
    ['GET /posts/_explain/1?routing=r', { query: ALL }],
    ['GET /posts/_search', { suggest: { s: { text: 'w', term: { field: 'word' } } } }],
    ['POST /posts/_delete_by_query', { query: ALL }],
  ])('is refused with its reason: %s', async (line, body?: object) => {
    const { status, json, text } = await secured().as(user, line, body)
    expect([line, status]).toEqual([line, 403])
    expect(text).toContain('Joining is not supported in document restrictions')
    expect(withoutRandomIds(text)).not.toMatch(/w[1-4]|has_child|has_parent|question|answer/)
    expect(json.hits).toBeUndefined()
  })
})
