import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    mappings: {
      properties: {
        rank: { type: 'long' },
        field: { type: 'keyword' },
        text: { type: 'text' },
        items: { type: 'nested', properties: { n: { type: 'integer' } } },
      },
    },
  })
})
afterAll(() => rest.close())

const result = async (body: object): Promise<unknown> =>
  (await ok('POST /_scripts/painless/_execute', body)).result

async function refused(body: object): Promise<[string, string]> {
  const { json, status } = await rest.call('POST /_scripts/painless/_execute', body)
  expect(status).toBe(400)
  return [json.error.type, json.error.reason]
}

const on = (document: object, more: object = {}): object => ({
  context_setup: { index: 'i', document, ...more },
})

describe('_scripts/painless/_execute', () => {
  it.each<[object, string]>([
    [{ script: { source: 'params.a / params.b', params: { a: 100.0, b: 1000.0 } } }, '0'],
    [{ script: { source: 'params.a / params.b', params: { a: 100.5, b: 1000 } } }, '0.1005'],
    [{ script: { source: '1 - 3' }, context: 'painless_test' }, '-2'],
    [{ script: "['a': [1, 2.0]]" }, '{a=[1, 2.0]}'],
    [{ script: 'null' }, 'null'],
  ])('runs %j', async (body, expected) => {
    // JSON of JavaScript knows no 100.0.
    expect(await result(body)).toBe(expected)
  })

  it('runs filters and scores on a document that no index keeps', async () => {
    const filter = {
      context: 'filter',
      script: { source: "doc['field'].value.length() <= params.m", params: { m: 4 } },
    }
    expect(await result({ ...filter, ...on({ field: 'four' }) })).toBe(true)
    expect(await result({ ...filter, ...on({ field: 'longer', items: [{ n: 1 }] }) })).toBe(false)
    const score = { context: 'score', script: "doc['rank'].value / 5.0" }
    expect(await result({ ...score, ...on({ rank: 4, fresh: 'x' }) })).toBe(0.8)
    expect(await result({ context: 'score', script: '_score * 2', ...on({ rank: 4 }) })).toBe(2)
    const query = { constant_score: { filter: { term: { rank: 4 } }, boost: 3 } }
    expect(
      await result({ context: 'score', script: '_score', ...on({ rank: 4 }, { query }) }),
    ).toBe(3)
    expect((await ok('GET /i/_count')).count).toBe(0)
  })

  it.each<[object, string, string]>([
    [{}, 'illegal_argument_exception', 'Required [script]'],
    [
      { script: '1', other: 1 },
      'x_content_parse_exception',
      '[1:15] [painless_execute_request] unknown field [other]',
    ],
    [
      { script: { id: 'x' } },
      'action_request_validation_exception',
      'Validation Failed: 1: only inline scripts are supported;',
    ],
    [
      { script: '1', context: 'filter' },
      'action_request_validation_exception',
      'Validation Failed: 1: index is a required parameter for current context;2: document is a required parameter for current context;',
    ],
    [{ script: 'foo' }, 'script_exception', 'compile error'],
    [{ script: '1 / (2 - params.n)' }, 'script_exception', 'runtime error'],
    [
      { context: 'score', script: "doc['none'].value", ...on({}) },
      'script_exception',
      'runtime error',
    ],
    [
      { context: 'score', script: '1', ...on({ rank: 'x' }) },
      'mapper_parsing_exception',
      "failed to parse field [rank] of type [long] in document with id '_id'. Preview of field's value: 'x'",
    ],
    [
      { context: 'score', script: '1', ...on({ rank: 1 }, { query: { term: { rank: 2 } } }) },
      'illegal_argument_exception',
      'the document does not match the query',
    ],
  ])('refuses %j', async (body, type, reason) => {
    expect(await refused(body)).toEqual([type, reason])
  })

  it('refuses other contexts and indices that are not there', async () => {
    const { json } = await rest.call('POST /_scripts/painless/_execute', {
      script: '1',
      context: 'update',
    })
    expect(json.error.caused_by).toEqual({
      type: 'unsupported_operation_exception',
      reason: 'unsupported script context name [update]',
    })
    const gone = { script: '1', context: 'score', context_setup: { index: 'gone', document: {} } }
    expect((await rest.call('POST /_scripts/painless/_execute', gone)).status).toBe(404)
  })
})
