import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /b/_doc/1?refresh=true', { a: 1 })
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

async function stats(): Promise<Json> {
  const { json } = await rest.call('GET /_nodes/stats/search_pipeline')
  return (Object.values(json.nodes)[0] as Json).search_pipeline
}

function counted(count: number, failed = 0): object {
  return { count, time_in_millis: expect.any(Number), current: 0, failed }
}

/** Of processors that the node makes by itself, which `mmr.test.ts` counts. */
const NO_SYSTEM = {
  system_generated_processors: { request_processors: [], response_processors: [] },
  system_generated_factories: {
    request_processor_factories: [],
    response_processor_factories: [],
  },
}

describe('statistics of search pipelines', () => {
  it('are zeros before a pipeline runs', async () => {
    expect(await stats()).toEqual({
      ...NO_SYSTEM,
      total_request: counted(0),
      total_response: counted(0),
      pipelines: {},
    })
  })

  it('count pipelines and processors, and what fails in them', async () => {
    const rename = { field: 'a', target_field: 'b' }
    const put = (request: object[], response: object[]): Promise<unknown> =>
      rest.call('PUT /_search/pipeline/p', {
        request_processors: request,
        response_processors: response,
      })
    const all = { filter_query: { query: { match_all: {} } } }
    const failing = {
      rename_field: { field: 'x', target_field: 'y', tag: 't', ignore_failure: true },
    }
    await put([all], [{ rename_field: rename }, failing])
    await rest.call('GET /b/_search?search_pipeline=p')
    await rest.call('GET /b/_search?search_pipeline=p', { _source: false })
    const rows = { type: 'rename_field' }
    expect(await stats()).toEqual({
      ...NO_SYSTEM,
      total_request: counted(2),
      total_response: counted(2, 1),
      pipelines: {
        p: {
          request: counted(2),
          response: counted(2, 1),
          request_processors: [{ filter_query: { type: 'filter_query', stats: counted(2) } }],
          response_processors: [
            { rename_field: { ...rows, stats: counted(2, 1) } },
            { 'rename_field:t': { ...rows, stats: counted(1, 1) } },
          ],
        },
      },
    })
    // A pipeline that is put anew keeps the counts of the processors that stay.
    await put([], [failing])
    await put([all], [failing])
    const { pipelines } = await stats()
    expect(pipelines.p).toEqual({
      request: counted(2),
      response: counted(2, 1),
      request_processors: [{ filter_query: { type: 'filter_query', stats: counted(0) } }],
      response_processors: [{ 'rename_field:t': { ...rows, stats: counted(1, 1) } }],
    })
  })

  it('count definitions of searches in the totals alone, and nothing where a half is empty', async () => {
    await rest.call('DELETE /_search/pipeline/*')
    const before = await stats()
    await rest.call('GET /b/_search', {
      search_pipeline: { response_processors: [{ truncate_hits: { target_size: 1 } }] },
    })
    const after = await stats()
    expect(after.pipelines).toEqual({})
    expect(after.total_request.count).toBe(before.total_request.count)
    expect(after.total_response.count).toBe(before.total_response.count + 1)
  })

  it('tell which processors there are', async () => {
    const { json } = await rest.call('GET /_nodes/search_pipelines')
    const types = (names: string[]): object[] => names.map(type => ({ type }))
    expect((Object.values(json.nodes)[0] as Json).search_pipelines).toEqual({
      phase_results_processors: types(['normalization-processor', 'score-ranker-processor']),
      request_processors: types([
        'acl_routing_search',
        'filter_query',
        'hierarchical_routing_search',
        'oversample',
        'script',
        'temporal_routing_search',
      ]),
      response_processors: types([
        'collapse',
        'hybrid_score_explanation',
        'rename_field',
        'rerank',
        'sort',
        'split',
        'truncate_hits',
      ]),
    })
  })
})
