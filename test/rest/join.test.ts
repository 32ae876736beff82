import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let next = 0
const RELATIONS = { question: ['answer', 'comment'], answer: 'vote' }

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /forum', {
    settings: { number_of_shards: 2 },
    mappings: { properties: { j: { type: 'join', relations: RELATIONS }, t: { type: 'text' } } },
  })
  for (const [id, query, source] of [
    ['1', '', { j: 'question', t: 'why' }],
    ['2', '', { j: { name: 'question' } }],
    ['3', '?routing=1', { j: { name: 'answer', parent: '1' } }],
    ['4', '?routing=1', { j: [{ name: 'comment', parent: 1 }] }],
    ['5', '?routing=1', { j: { parent: '3', name: 'vote' } }],
    ['6', '', { t: 'no relation' }],
  ] as const)
    expect((await rest.call(`PUT /forum/_doc/${id}${query}`, source)).status).toBe(201)
  await rest.call('POST /forum/_refresh')
})
afterAll(() => rest.close())

const idsOf = async (query: object): Promise<string[]> => {
  const { status, json, text } = await rest.call('POST /forum/_search', { query })
  expect(status, text).toBe(200)
  return json.hits.hits.map((hit: { _id: string }) => hit._id).sort()
}

describe('join fields', () => {
  it('are searched by the names of relations and by the ids of parents', async () => {
    expect(await idsOf({ term: { j: 'question' } })).toEqual(['1', '2'])
    expect(await idsOf({ terms: { j: ['answer', 'vote'] } })).toEqual(['3', '5'])
    expect(await idsOf({ prefix: { j: 'c' } })).toEqual(['4'])
    expect(await idsOf({ exists: { field: 'j' } })).toEqual(['1', '2', '3', '4', '5'])
    expect(await idsOf({ term: { 'j#question': '1' } })).toEqual(['1', '3', '4'])
    expect(await idsOf({ term: { 'j#answer': '3' } })).toEqual(['3', '5'])
    const sorted = await rest.call('POST /forum/_search', { sort: [{ j: 'desc' }, '_score'] })
    expect(sorted.json.hits.hits.map((hit: { sort: string[] }) => hit.sort[0])).toEqual([
      'vote',
      'question',
      'question',
      'comment',
      'answer',
      null,
    ])
  })

  it('print their relations, and none of the fields that hold ids', async () => {
    const { json } = await rest.call('GET /forum/_mapping')
    expect(JSON.stringify(json.forum.mappings.properties.j)).toBe(
      '{"type":"join","eager_global_ordinals":true,"relations":' +
        '{"question":["answer","comment"],"answer":"vote"}}',
    )
    const fields = await rest.call('GET /forum/_mapping/field/*')
    expect(Object.keys(fields.json.forum.mappings)).toEqual(['j', 't'])
  })

  it.each([
    ['', { j: 'wat' }, 'unknown join name [wat] for field [j]'],
    ['', { j: {} }, 'null join name in field [j]'],
    ['', { j: { name: 'answer' } }, '[parent] is missing for join field [j]'],
    ['', { j: 'answer' }, '[parent] is missing for join field [j]'],
    ['', { j: { name: 'answer', parent: '1' } }, '[routing] is missing for join field [j]'],
    ['', { j: { name: 'question', wat: 'x' } }, 'unknown field name [wat] in join field [j]'],
    ['', { j: { name: { a: 1 } } }, 'unknown field name [name] in join field [j]'],
    ['', { j: 5 }, '[j] expected START_OBJECT or VALUE_STRING but was: VALUE_NUMBER'],
    ['', { j: null }, '[j] expected START_OBJECT or VALUE_STRING but was: VALUE_NULL'],
    ['', { j: true }, '[j] expected START_OBJECT or VALUE_STRING but was: VALUE_BOOLEAN'],
    [
      '?routing=1',
      { j: ['question', 'question'] },
      'DocValuesField "j" appears more than once in this document (only one value is allowed per ' +
        'field)',
    ],
  ])('refuse a document%s of %j', async (query, source, reason) => {
    const { status, json } = await rest.call(`PUT /forum/_doc/9${query}`, source)
    expect([status, json.error.type, json.error.reason, json.error.caused_by.reason]).toEqual([
      400,
      'mapper_parsing_exception',
      'failed to parse',
      reason,
    ])
  })

  it.each([
    [
      { o: { properties: { j: { type: 'join', relations: { a: 'b' } } } } },
      'join field [o.j] cannot be added inside an object or in a multi-field',
    ],
    [
      { t: { type: 'text', fields: { j: { type: 'join', relations: { a: 'b' } } } } },
      'join field [t.j] cannot be added inside an object or in a multi-field',
    ],
    [
      { j: { type: 'join', relations: { a: ['b', 'c'], d: 'b' } } },
      'invalid definition for join field [j]:\n[[b] cannot have multiple parents]',
    ],
    [
      {
        i: { type: 'join', relations: { a: 'b' } },
        j: { type: 'join', relations: { a: 'b' } },
      },
      'Only one [parent-join] field can be defined per index, got [i, j]',
    ],
    [{ j: { type: 'join', wat: 1 } }, 'unknown parameter [wat] on mapper [j] of type [join]'],
    [{ j: { type: 'join', relations: 'a' } }, '[relations] of join field [j] must be an object'],
    [
      { j: { type: 'join', relations: { a: { b: 1 } } } },
      '[relations] of join field [j] must name children, got [{b=1}]',
    ],
    [
      { j: { type: 'join', relations: { a: 'b' } }, 'j#a': { type: 'long' } },
      'Field [j#a] is defined more than once',
    ],
  ])('refuse a mapping of %j', async (properties, reason) => {
    const { status, json } = await rest.call(`PUT /j${next++}`, { mappings: { properties } })
    expect([status, json.error.reason]).toEqual([400, `Failed to parse mapping [_doc]: ${reason}`])
  })

  it('take more relations later, and lose none', async () => {
    const put = async (relations: object): Promise<string | undefined> =>
      (await rest.call('PUT /later/_mapping', { properties: { j: { type: 'join', relations } } }))
        .json.error?.reason
    await rest.call('PUT /later', {
      mappings: { properties: { j: { type: 'join', relations: { a: ['b', 'c'] } } } },
    })
    const invalid = 'invalid update for join field [j]:\n'
    expect(await put({ x: 'y' })).toBe(`${invalid}[cannot remove parent [a] in join field [j]]`)
    expect(await put({ a: 'b' })).toBe(`${invalid}[cannot remove child [c] in join field [j]]`)
    expect(await put({ a: ['b', 'c'], b: 'd' })).toBe(
      `${invalid}[cannot create parent [b] from an existing child]`,
    )
    expect(await put({ a: ['b', 'c'], x: 'a' })).toBe(
      `${invalid}[cannot create child [a] from an existing parent]`,
    )
    expect(await put({ a: ['b', 'c', 'd'], x: 'y' })).toBe(undefined)
    expect((await rest.call('PUT /later/_doc/1', { j: 'x' })).status).toBe(201)
  })
})
