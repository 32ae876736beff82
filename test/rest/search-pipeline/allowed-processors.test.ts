import { expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const REQUEST = 'search.pipeline.common.request.processors.allowed'
const RESPONSE = 'search.pipeline.common.response.processors.allowed'
const PHASE = 'search.pipeline.common.search.phase.results.processors.allowed'

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

it('narrows the types of processors', async () => {
  const rest = await openRest({ [REQUEST]: 'oversample,script', [RESPONSE]: '' })
  const { json } = await rest.call('GET /_nodes/search_pipelines')
  expect((Object.values(json.nodes)[0] as Json).search_pipelines).toEqual({
    phase_results_processors: [
      { type: 'normalization-processor' },
      { type: 'score-ranker-processor' },
    ],
    request_processors: [{ type: 'oversample' }, { type: 'script' }],
    response_processors: [],
  })
  const put = async (definition: object): Promise<unknown> =>
    (await rest.call('PUT /_search/pipeline/p', definition)).json.error?.reason ?? null
  expect(await put({ request_processors: [{ oversample: { sample_factor: 1 } }] })).toBeNull()
  expect(await put({ request_processors: [{ filter_query: {} }] })).toBe(
    'Invalid processor type filter_query',
  )
  expect(await put({ response_processors: [{ truncate_hits: {} }] })).toBe(
    'Invalid processor type truncate_hits',
  )
  await rest.close()
})

it('lets stored pipelines fail whose types are not allowed any more', async () => {
  const folder = tempFolder('allowed-processors')
  const first = await openRest({}, folder)
  await first.call('PUT /_search/pipeline/p', {
    response_processors: [{ truncate_hits: { target_size: 1 } }],
  })
  await first.call('PUT /b/_doc/1?refresh=true', {})
  await first.close()
  const second = await openRest({ [RESPONSE]: 'sort' }, folder)
  const { status, json } = await second.call('GET /b/_search?search_pipeline=p')
  expect([status, json.error.reason]).toEqual([400, 'Invalid processor type truncate_hits'])
  const stats = await second.call('GET /_nodes/stats/search_pipeline')
  expect((Object.values(stats.json.nodes)[0] as Json).search_pipeline.pipelines).toEqual({})
  await second.close()
})

it.each([
  [REQUEST, 'oversample,none,truncate_hits', 'none, truncate_hits'],
  [RESPONSE, 'oversample', 'oversample'],
  [PHASE, 'rrf', 'rrf'],
])('refuses to start where %s names types that are not there', async (setting, names, unknown) => {
  await expect(openRest({ [setting]: names })).rejects.toThrow(
    `Processor(s) [${unknown}] were defined in [${setting}] but do not exist`,
  )
})
