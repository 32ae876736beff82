import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', { mappings: { properties: { n: { type: 'integer' } } } })
  await ok(
    'POST /i/_bulk?refresh',
    ndjson(...[1, 2, 3].flatMap(n => [{ index: { _id: `${n}` } }, { n, t: `word ${n}` }])),
  )
  await ok('PUT /_scripts/stored', {
    script: { lang: 'mustache', source: { query: { match: { t: '{{t}}' } }, size: '{{size}}' } },
  })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const INLINE = { source: '{"query":{"term":{"n":{{n}}}}}' }

const idsOf = ({ hits }: { hits: { hits: { _id: string }[] } }): string[] =>
  hits.hits.map(({ _id }) => _id)

describe('a search by template', () => {
  it('runs the body that an inline or a stored one makes', async () => {
    expect(idsOf(await ok('GET /i/_search/template', { ...INLINE, params: { n: 2 } }))).toEqual([
      '2',
    ])
    const params = { t: 'word', size: 2 }
    const found = await ok('POST /_search/template', { id: 'stored', params })
    expect([found.hits.total.value, idsOf(found)]).toEqual([3, ['1', '2']])
  })

  it('explains and profiles where it is asked to, and takes parameters of searches', async () => {
    const body = { ...INLINE, params: { n: 2 }, explain: true, profile: true }
    const found = await ok('GET /i/_search/template?rest_total_hits_as_int=true', body)
    expect(found.hits.total).toBe(1)
    expect(found.hits.hits[0]._explanation.value).toBe(1)
    expect(found.profile.shards).toHaveLength(1)
  })

  it.each([
    [
      { params: {} },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: template is missing;',
    ],
    [
      { source: '' },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: template is missing;',
    ],
    [
      { id: 'none' },
      404,
      'resource_not_found_exception',
      'unable to find script [none] in cluster state',
    ],
    [{ source: '[]' }, 400, 'parsing_exception', 'a template of a search must make an object'],
    [{ source: '{{n' }, 400, 'script_exception', 'Improperly closed variable in query-template:1'],
    [
      { source: {}, size: 1 },
      400,
      'x_content_parse_exception',
      '[1:14] [search_template] unknown field [size]',
    ],
  ])('refuses %j', async (body, status, type, reason) => {
    expect(await failure('GET /i/_search/template', body)).toEqual([status, type, reason])
  })
})

describe('several searches by template', () => {
  it('fail one by one', async () => {
    const { responses } = await ok(
      'GET /_msearch/template',
      ndjson(
        { index: 'i' },
        { ...INLINE, params: { n: 1 } },
        { index: 'i' },
        { source: '{"query":' },
        {},
        { id: 'none' },
        { index: 'i' },
        { source: { query: { '{{q}}': {} } }, params: { q: 'nothing' } },
        { index: 'i' },
        { id: 'stored', params: { t: '3', size: 1 } },
      ),
    )
    expect([idsOf(responses[0]), idsOf(responses[4])]).toEqual([['1'], ['3']])
    expect(
      responses
        .slice(1, 4)
        .map(({ status, error }: { status: number; error: { type: string } }) => [
          status,
          error.type,
        ]),
    ).toEqual([
      [400, 'json_e_o_f_exception'],
      [404, 'resource_not_found_exception'],
      [400, 'parsing_exception'],
    ])
  })

  it('are refused together where one has no template', async () => {
    const lines = ndjson({}, { ...INLINE, params: { n: 1 } }, {}, { source: '' })
    expect(await failure('GET /_msearch/template', lines)).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: template is missing;',
    ])
  })
})

describe('rendering', () => {
  it('shows the body that a template makes', async () => {
    expect(await ok('GET /_render/template', { ...INLINE, params: { n: 1.5 } })).toEqual({
      template_output: { query: { term: { n: 1.5 } } },
    })
    const params = { t: 'a "b"', size: 1 }
    const made = { template_output: { query: { match: { t: 'a "b"' } }, size: '1' } }
    expect(await ok('POST /_render/template/stored', { params })).toEqual(made)
    expect(await ok('POST /_render/template', { id: 'stored', params })).toEqual(made)
    // No search is made of it: it may ask for anything.
    expect(await ok('POST /_render/template', { source: '{"nothing":1}' })).toEqual({
      template_output: { nothing: 1 },
    })
  })

  it.each([
    [
      'GET /_render/template/none',
      {},
      404,
      'resource_not_found_exception',
      'unable to find script [none] in cluster state',
    ],
    [
      'GET /_render/template',
      { params: {} },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: template is missing;',
    ],
    [
      'GET /_render/template',
      { source: {}, size: 1 },
      400,
      'x_content_parse_exception',
      '[1:14] [search_template] unknown field [size]',
    ],
  ])('refuses %s %j', async (line, body, status, type, reason) => {
    expect(await failure(line, body)).toEqual([status, type, reason])
  })
})
