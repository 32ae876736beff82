import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_CONTEXTS } from '../../../src/script/context/script-contexts.ts'
import { failureOf, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const MUSTACHE = { lang: 'mustache', source: '{"size":{{n}}}' }

describe('stored scripts', () => {
  beforeEach(async () => {
    await rest.call('DELETE /_scripts/a')
  })

  it('are put, shown as they are, and deleted', async () => {
    const options = { content_type: 'application/json; charset=UTF-8' }
    expect(await ok('PUT /_scripts/a', { script: { ...MUSTACHE, options } })).toEqual({
      acknowledged: true,
    })
    expect(await ok('GET /_scripts/a')).toEqual({
      _id: 'a',
      found: true,
      script: { ...MUSTACHE, options },
    })
    expect(await ok('DELETE /_scripts/a')).toEqual({ acknowledged: true })
    const missing = await rest.call('GET /_scripts/a')
    expect([missing.status, missing.json]).toEqual([404, { _id: 'a', found: false }])
  })

  it('keep none of the keys that they do not have', async () => {
    await ok('PUT /_scripts/a', { script: { ...MUSTACHE, params: { n: 1 }, odd: [] } })
    expect((await ok('GET /_scripts/a')).script).toEqual(MUSTACHE)
  })

  it('keep JSON as their source in its text', async () => {
    await ok('POST /_scripts/a', { script: { lang: 'mustache', source: { query: { a: 1.5 } } } })
    expect((await ok('GET /_scripts/a')).script.source).toBe('{"query":{"a":1.5}}')
  })

  it.each([
    [
      { script: { source: 'a' } },
      'illegal_argument_exception',
      'must specify lang for stored script',
    ],
    [
      { script: { lang: 'mustache' } },
      'illegal_argument_exception',
      'must specify source for stored script',
    ],
    [
      { script: { lang: 'mustache', source: '' } },
      'illegal_argument_exception',
      'source cannot be empty',
    ],
    [
      { script: { lang: 'java', source: 'a' } },
      'illegal_argument_exception',
      'unable to put stored script with unsupported lang [java]',
    ],
    [
      { script: { lang: 'mustache', source: 'x'.repeat(65_536) } },
      'illegal_argument_exception',
      `exceeded max allowed stored script size in bytes [65535] with size [65536] for script [a]`,
    ],
    [
      { script: { ...MUSTACHE, options: { x: '1' } } },
      'illegal_argument_exception',
      'illegal compiler options [{x=1}] specified',
    ],
    [
      { script: 'a' },
      'parsing_exception',
      'unexpected token [VALUE_STRING], expected [{, <source>]',
    ],
    [{ scripts: {} }, 'parsing_exception', 'unexpected field [scripts], expected [script]'],
    [[], 'parsing_exception', 'unexpected token [START_ARRAY], expected [{]'],
    [{ script: { ...MUSTACHE, lang: '' } }, 'illegal_argument_exception', 'lang cannot be empty'],
    [
      { script: { ...MUSTACHE, lang: 1 } },
      'x_content_parse_exception',
      "[1:19] [stored script source] lang doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { script: { ...MUSTACHE, options: [] } },
      'x_content_parse_exception',
      "[1:68] [stored script source] options doesn't support values of type: START_ARRAY",
    ],
  ])('refuses %j', async (body, type, reason) => {
    expect(await failure('PUT /_scripts/a', body)).toEqual([400, type, reason])
    expect((await rest.call('GET /_scripts/a')).status).toBe(404)
  })

  it('are compiled for a context that is named', async () => {
    await ok('PUT /_scripts/a/template', { script: MUSTACHE })
    await ok('PUT /_scripts/a?context=template', { script: MUSTACHE })
    expect(await failure('PUT /_scripts/a/nowhere', { script: MUSTACHE })).toEqual([
      400,
      'illegal_argument_exception',
      'Unknown context [nowhere]',
    ])
    expect(await failure('PUT /_scripts/a/update', { script: MUSTACHE })).toEqual([
      400,
      'illegal_argument_exception',
      'failed to parse/compile stored script [a]',
    ])
    const broken = { script: { lang: 'mustache', source: '{{x' } }
    expect(await failure('PUT /_scripts/a/template', broken)).toEqual([
      400,
      'script_exception',
      'Improperly closed variable in query-template:1',
    ])
  })

  it('cannot be deleted where there is none', async () => {
    expect(await failure('DELETE /_scripts/b')).toEqual([
      404,
      'resource_not_found_exception',
      'stored script [b] does not exist and cannot be deleted',
    ])
  })
})

describe('contexts and languages', () => {
  it('are those of the table', async () => {
    const { contexts } = await ok('GET /_script_context')
    expect(contexts.map(({ name }: { name: string }) => name)).toEqual([...SCRIPT_CONTEXTS.keys()])
    const score = contexts.find(({ name }: { name: string }) => name === 'score')
    expect(score.methods.map(({ name }: { name: string }) => name)).toEqual([
      'execute',
      'getParams',
      'getDoc',
      'get_score',
    ])
    expect(score.methods[0]).toEqual({
      name: 'execute',
      return_type: 'double',
      params: [
        { type: 'org.opensearch.script.ScoreScript$ExplanationHolder', name: 'explanation' },
      ],
    })
    const { types_allowed, language_contexts } = await ok('GET /_script_language')
    expect(types_allowed).toEqual(['inline', 'stored'])
    expect(language_contexts.map(({ language }: { language: string }) => language)).toEqual([
      'expression',
      'mustache',
      'painless',
    ])
    expect(language_contexts[1].contexts).toEqual(['template'])
  })
})
