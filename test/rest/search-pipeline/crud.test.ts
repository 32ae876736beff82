import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
beforeEach(() => rest.call('DELETE /_search/pipeline/*'))
afterAll(() => rest.close())

const TRUNCATE = { response_processors: [{ truncate_hits: { target_size: 1 } }] }

/** The error of a definition that is put. */
async function refusal(definition: object): Promise<Record<string, unknown>> {
  const { status, json } = await rest.call('PUT /_search/pipeline/p', definition)
  return { status, ...json.error, root_cause: undefined }
}

describe('search pipelines', () => {
  it('are shown as they were put', async () => {
    const text =
      '{"version":10,"description":"d","request_processors":[{"filter_query":{"query":{"term":{"a":1.0}}}}],"response_processors":[]}'
    const put = await rest.call('PUT /_search/pipeline/p', text)
    expect([put.status, put.text]).toEqual([200, '{"acknowledged":true}'])
    const got = await rest.call('GET /_search/pipeline/p')
    expect([got.status, got.text]).toEqual([200, `{"p":${text}}`])
  })

  it('take the timeouts of the real API', async () => {
    const times = 'timeout=5s&cluster_manager_timeout=5s'
    expect((await rest.call(`PUT /_search/pipeline/p?${times}`, {})).status).toBe(200)
    expect((await rest.call('GET /_search/pipeline?cluster_manager_timeout=5s')).json).toEqual({
      p: {},
    })
    expect((await rest.call(`DELETE /_search/pipeline/p?${times}`)).status).toBe(200)
    expect((await rest.call('GET /_search/pipeline?timeout=x')).status).toBe(400)
  })

  it('are found by lists and patterns of ids', async () => {
    for (const id of ['b1', 'b2', 'a']) await rest.call(`PUT /_search/pipeline/${id}`, TRUNCATE)
    const ids = async (part: string): Promise<string[]> =>
      Object.keys((await rest.call(`GET /_search/pipeline${part}`)).json)
    expect(await ids('')).toEqual(['a', 'b1', 'b2'])
    expect(await ids('/*')).toEqual(['a', 'b1', 'b2'])
    expect(await ids('/b*')).toEqual(['b1', 'b2'])
    expect(await ids('/b2,a,none')).toEqual(['a', 'b2'])
  })

  it('answer 404 where none has the name', async () => {
    for (const part of ['/none', '/n*']) {
      const got = await rest.call(`GET /_search/pipeline${part}`)
      expect([got.status, got.text]).toEqual([404, '{}'])
    }
    const all = await rest.call('GET /_search/pipeline')
    expect([all.status, all.text]).toEqual([200, '{}'])
  })

  it('are deleted by id and by pattern', async () => {
    for (const id of ['b1', 'b2', 'a']) await rest.call(`PUT /_search/pipeline/${id}`, TRUNCATE)
    const gone = await rest.call('DELETE /_search/pipeline/b*')
    expect([gone.status, gone.text]).toEqual([200, '{"acknowledged":true}'])
    expect(Object.keys((await rest.call('GET /_search/pipeline')).json)).toEqual(['a'])
    for (const id of ['b1', 'b*']) {
      const missing = await rest.call(`DELETE /_search/pipeline/${id}`)
      expect(missing.status).toBe(404)
      expect(missing.json.error).toMatchObject({
        type: 'resource_not_found_exception',
        reason: `pipeline [${id}] is missing`,
      })
    }
    await rest.call('DELETE /_search/pipeline/*')
    expect((await rest.call('DELETE /_search/pipeline/*')).status).toBe(200)
  })

  it('outlive the node, and stand in the cluster state', async () => {
    const folder = tempFolder('search-pipelines')
    const first = await openRest({}, folder)
    await first.call('PUT /_search/pipeline/p', TRUNCATE)
    await first.close()
    const second = await openRest({}, folder)
    expect((await second.call('GET /_search/pipeline')).json).toEqual({ p: TRUNCATE })
    const state = await second.call('GET /_cluster/state/metadata')
    expect(state.json.metadata.search_pipeline).toEqual({
      pipeline: [{ id: 'p', config: TRUNCATE }],
    })
    await second.call('PUT /b/_doc/1?refresh=true', {})
    await second.call('PUT /b/_doc/2?refresh=true', {})
    const found = await second.call('GET /b/_search?search_pipeline=p')
    expect(found.json.hits.hits).toHaveLength(1)
    await second.close()
  })

  it('come back with the global state of a snapshot', async () => {
    const folder = tempFolder('search-pipelines')
    const own = await openRest({ 'path.repo': folder }, tempFolder('search-pipelines'))
    await own.call('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r' } })
    await own.call('PUT /_search/pipeline/p', TRUNCATE)
    await own.call('PUT /_snapshot/r/s?wait_for_completion=true', {})
    await own.call('DELETE /_search/pipeline/p')
    const restored = await own.call('POST /_snapshot/r/s/_restore?wait_for_completion=true', {
      include_global_state: true,
    })
    expect(restored.status).toBe(200)
    expect((await own.call('GET /_search/pipeline')).json).toEqual({ p: TRUNCATE })
    await own.close()
  })

  it('need a body that is an object', async () => {
    const none = await rest.call('PUT /_search/pipeline/p')
    expect([none.status, none.json.error.reason]).toEqual([400, 'request body is required'])
    expect(await refusal([])).toMatchObject({ status: 400, type: 'parse_exception' })
  })

  it('that cannot be leave what was there', async () => {
    await rest.call('PUT /_search/pipeline/p', TRUNCATE)
    expect(await refusal({ response_processors: [{ none: {} }] })).toMatchObject({
      status: 400,
      type: 'illegal_argument_exception',
      reason: 'Invalid processor type none',
    })
    expect((await rest.call('GET /_search/pipeline')).json).toEqual({ p: TRUNCATE })
  })

  it('have no processors that ask models yet', async () => {
    expect(await refusal({ response_processors: [{ ml_inference: {} }] })).toMatchObject({
      type: 'illegal_argument_exception',
      reason: '[processor ml_inference] is not supported yet',
    })
  })

  it('have processors of their own for each list', async () => {
    for (const [list, type] of [
      ['request_processors', 'truncate_hits'],
      ['response_processors', 'filter_query'],
      ['phase_results_processors', 'sort'],
    ] as const)
      expect(await refusal({ [list]: [{ [type]: {} }] })).toMatchObject({
        type: 'illegal_argument_exception',
        reason: `Invalid processor type ${type}`,
      })
  })

  it.each([
    [
      { invalid: {}, _meta: {} },
      "pipeline [p] doesn't support one or more provided configuration parameters [invalid, _meta]",
    ],
    [{ version: 'a' }, '[version] property cannot be converted to an int [a]'],
    [{ description: 1 }, "[description] property isn't a string, but of type [java.lang.Integer]"],
    [
      { request_processors: {} },
      "[request_processors] property isn't a list, but of type [java.util.HashMap]",
    ],
    [
      { request_processors: ['a'] },
      "[request_processors] property isn't a map, but of type [java.lang.String]",
    ],
    [
      { request_processors: [{ oversample: 1 }] },
      "property isn't a map, but of type [java.lang.Integer]",
    ],
    [
      { response_processors: [{ truncate_hits: { a: 1, b: 2 } }] },
      "processor [truncate_hits] doesn't support one or more provided configuration parameters [a, b]",
    ],
    [
      { response_processors: [{ truncate_hits: { tag: 't', a: 1 } }] },
      "processor [truncate_hits:t] doesn't support one or more provided configuration parameters [a]",
    ],
    [
      { response_processors: [{ truncate_hits: { tag: 1 } }] },
      "[tag] property isn't a string, but of type [java.lang.Integer]",
    ],
    [
      { response_processors: [{ truncate_hits: { description: 1 } }] },
      "[description] property isn't a string, but of type [java.lang.Integer]",
    ],
    [
      { response_processors: [{ truncate_hits: { ignore_failure: 'a' } }] },
      "[ignore_failure] property isn't a boolean, but of type [java.lang.String]",
    ],
  ])('refuses %j', async (definition, reason) => {
    expect(await refusal(definition)).toMatchObject({
      status: 400,
      type: 'parse_exception',
      reason,
    })
  })

  it('says which processor an option is of', async () => {
    expect(await refusal({ response_processors: [{ rename_field: { tag: 'fritag' } }] })).toEqual({
      status: 400,
      type: 'parse_exception',
      reason: '[field] required property is missing',
      processor_type: 'rename_field',
      processor_tag: 'fritag',
      property_name: 'field',
    })
  })
})
