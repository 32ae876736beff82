import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  for (const index of ['a', 'b', 'c', 'd']) {
    for (const id of ['1', '2', '3']) await rest.call(`PUT /${index}/_doc/${id}`, { n: Number(id) })
    await rest.call(`POST /${index}/_refresh`)
  }
  await rest.call('PUT /_search/pipeline/one', truncated(1))
  await rest.call('PUT /_search/pipeline/two', truncated(2))
  for (const [index, pipeline] of [
    ['a', 'one'],
    ['b', 'one'],
    ['c', 'two'],
  ] as const)
    await rest.call(`PUT /${index}/_settings`, { 'index.search.default_pipeline': pipeline })
  await rest.call('POST /_aliases', { actions: [{ add: { index: 'a', alias: 'alias' } }] })
})
afterAll(() => rest.close())

function truncated(size: number): object {
  return { response_processors: [{ truncate_hits: { target_size: size } }] }
}

/** How many hits a search answers. */
async function hits(line: string, body?: object): Promise<number> {
  const { json } = await rest.call(line, body)
  return json.hits?.hits.length ?? json.error.reason
}

function errorOf({ status, json }: Answered): unknown[] {
  return [status, json.error.type, json.error.reason]
}

describe('the pipeline of a search', () => {
  it('is that of the parameter, the body, or a definition in the body', async () => {
    expect(await hits('GET /d/_search')).toBe(3)
    expect(await hits('GET /d/_search?search_pipeline=one')).toBe(1)
    expect(await hits('GET /d/_search', { search_pipeline: 'two' })).toBe(2)
    expect(await hits('GET /d/_search', { search_pipeline: truncated(2) })).toBe(2)
    expect(await hits('GET /_search?size=100', { search_pipeline: 'two' })).toBe(2)
  })

  it('by the parameter wins over a name in the body', async () => {
    expect(await hits('GET /d/_search?search_pipeline=one', { search_pipeline: 'two' })).toBe(1)
    expect(await hits('GET /d/_search?search_pipeline=_none', { search_pipeline: 'two' })).toBe(3)
  })

  it('is the default of its indices, unless another is asked for', async () => {
    expect(await hits('GET /a/_search')).toBe(1)
    expect(await hits('GET /alias/_search')).toBe(1)
    expect(await hits('GET /c/_search')).toBe(2)
    expect(await hits('GET /c/_search?search_pipeline=one')).toBe(1)
    expect(await hits('GET /c/_search', { search_pipeline: truncated(1) })).toBe(1)
    for (const none of ['GET /a/_search?search_pipeline=_none', 'GET /_search'])
      expect(await hits(none)).toBeGreaterThan(2)
    expect(await hits('GET /a/_search', { search_pipeline: '_none' })).toBe(3)
  })

  it('of several indices is the one that those with a default agree on', async () => {
    expect(await hits('GET /a,b/_search')).toBe(1)
    expect(await hits('GET /a,d/_search')).toBe(1)
    expect(await hits('GET /a,c/_search')).toBe(6)
    expect(await hits('GET /*/_search?size=20')).toBe(12)
    expect(await hits('GET /a,missing/_search?ignore_unavailable=true')).toBe(1)
  })

  it('leaves it to the search to say which index is missing', async () => {
    expect(errorOf(await rest.call('GET /a,missing/_search'))).toEqual([
      404,
      'index_not_found_exception',
      'no such index [missing]',
    ])
  })

  it('follows the setting of the index', async () => {
    await rest.call('PUT /e/_doc/1?refresh=true', {})
    await rest.call('PUT /e/_doc/2?refresh=true', {})
    expect(await hits('GET /e/_search')).toBe(2)
    await rest.call('PUT /e/_settings', { 'index.search.default_pipeline': 'one' })
    expect(await hits('GET /e/_search')).toBe(1)
    await rest.call('PUT /e/_settings', { 'index.search.default_pipeline': '_none' })
    expect(await hits('GET /e/_search')).toBe(2)
    await rest.call('PUT /e/_settings', { 'index.search.default_pipeline': 'gone' })
    expect(await hits('GET /e/_search')).toBe('Pipeline gone is not defined')
    await rest.call('PUT /e/_settings', { 'index.search.default_pipeline': null })
    expect(await hits('GET /e/_search')).toBe(2)
    await rest.call('DELETE /e')
  })

  it('has to be there', async () => {
    const expected = [400, 'illegal_argument_exception', 'Pipeline none is not defined']
    expect(errorOf(await rest.call('GET /d/_search?search_pipeline=none'))).toEqual(expected)
    expect(errorOf(await rest.call('GET /d/_search', { search_pipeline: 'none' }))).toEqual(
      expected,
    )
  })

  it('is not given by name and by definition at once', async () => {
    const both = await rest.call('GET /d/_search?search_pipeline=one', {
      search_pipeline: truncated(1),
    })
    expect(errorOf(both)).toEqual([
      400,
      'illegal_argument_exception',
      'Both named and inline search pipeline were specified. Please only specify one or the other.',
    ])
  })

  it('refuses a definition that cannot be', async () => {
    const unknown = await rest.call('GET /d/_search', { search_pipeline: { foo: 1 } })
    expect(errorOf(unknown)).toEqual([
      400,
      'parse_exception',
      "pipeline [_ad_hoc_pipeline] doesn't support one or more provided configuration parameters [foo]",
    ])
    for (const [value, token] of [
      [['one'], 'START_ARRAY'],
      [null, 'VALUE_NULL'],
    ] as const)
      expect(errorOf(await rest.call('GET /d/_search', { search_pipeline: value }))).toEqual([
        400,
        'parsing_exception',
        `Unknown key for a ${token} in [search_pipeline].`,
      ])
  })

  it('is that of each search of a multi-search', async () => {
    const lines = [
      '{"index":"d"}',
      '{"search_pipeline":"one"}',
      '{"index":"d"}',
      `{"search_pipeline":${JSON.stringify(truncated(2))}}`,
      '{"index":"c"}',
      '{}',
      '{"index":"d"}',
      '{"search_pipeline":"none"}',
      '',
    ].join('\n')
    const { json } = await rest.call('POST /_msearch', lines)
    const found = json.responses.map(
      (each: Answered['json']) => each.hits?.hits.length ?? each.error.reason,
    )
    expect(found).toEqual([1, 2, 2, 'Pipeline none is not defined'])
  })

  it('runs over a search that a template makes', async () => {
    const source = '{"search_pipeline":"{{p}}"}'
    const call = { source, params: { p: 'two' } }
    expect(await hits('GET /d/_search/template', call)).toBe(2)
    expect(await hits('GET /d/_search/template?search_pipeline=one', call)).toBe(1)
    const { json } = await rest.call(
      'POST /_msearch/template',
      `{"index":"d"}\n${JSON.stringify(call)}\n`,
    )
    expect(json.responses[0].hits.hits).toHaveLength(2)
  })

  it('runs over the first page of a scroll alone', async () => {
    const first = await rest.call('GET /a/_search?scroll=1m&size=2')
    expect(first.json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['1'])
    const next = await rest.call('POST /_search/scroll', { scroll_id: first.json._scroll_id })
    expect(next.json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['3'])
  })

  it('of a point in time is named by the search, not by its indices', async () => {
    const { json } = await rest.call('POST /a/_search/point_in_time?keep_alive=1m')
    const pit = { pit: { id: json.pit_id } }
    expect(await hits('GET /_search', pit)).toBe(3)
    expect(await hits('GET /_search', { ...pit, search_pipeline: 'two' })).toBe(2)
  })
})

describe('a default pipeline', () => {
  it('filters counts as it filters searches', async () => {
    await rest.call('PUT /_search/pipeline/low', {
      request_processors: [{ filter_query: { query: { range: { n: { lt: 3 } } } } }],
      response_processors: [{ truncate_hits: {} }],
    })
    await rest.call('PUT /d/_settings', { 'index.search.default_pipeline': 'low' })
    const count = async (line: string, body?: object): Promise<number> =>
      (await rest.call(line, body)).json.count
    expect(await count('GET /d/_count')).toBe(2)
    expect(await count('GET /d/_count?min_score=2')).toBe(0)
    expect(await count('GET /d/_count', { query: { range: { n: { gt: 1 } } } })).toBe(1)
    expect(await count('GET /_count')).toBe(12)
    expect((await rest.call('GET /_cat/count/d?h=count')).text.trim()).toBe('2')
    const wrong = await rest.call('GET /d/_count', { size: 1 })
    expect(errorOf(wrong)[2]).toBe('request does not support [size]')
    await rest.call('PUT /d/_settings', { 'index.search.default_pipeline': null })
    expect(await count('GET /d/_count')).toBe(3)
  })
})

describe('processor_results', () => {
  it('need a pipeline', async () => {
    const expected = [
      400,
      'illegal_argument_exception',
      "The 'verbose pipeline' option requires a search pipeline to be defined.",
    ]
    expect(errorOf(await rest.call('GET /d/_search?verbose_pipeline=true'))).toEqual(expected)
    const body = { verbose_pipeline: true }
    expect(errorOf(await rest.call('GET /d/_search', body))).toEqual(expected)
    const none = await rest.call('GET /a/_search?search_pipeline=_none', body)
    expect(errorOf(none)).toEqual(expected)
  })

  it('take a flag', async () => {
    const wrong = await rest.call('GET /d/_search', { verbose_pipeline: 'x' })
    expect(errorOf(wrong)[2]).toBe(
      'Failed to parse value [x] as only [true] or [false] are allowed.',
    )
    const silent = await rest.call('GET /a/_search?verbose_pipeline=false', {
      verbose_pipeline: true,
    })
    expect(silent.json).not.toHaveProperty('processor_results')
  })

  it('tell what each processor made of what', async () => {
    const pipeline = {
      request_processors: [{ oversample: { sample_factor: 1.5, tag: 'more' } }],
      response_processors: [{ truncate_hits: {} }],
    }
    const { json } = await rest.call('GET /d/_search?size=2&verbose_pipeline=true&sort=n', {
      _source: false,
      search_pipeline: pipeline,
    })
    const hit = (id: number): object => ({ _index: 'd', _id: `${id}`, _score: null, sort: [id] })
    expect(json.hits.hits).toEqual([hit(1), hit(2)])
    const body = { _source: false, search_pipeline: pipeline }
    expect(json.processor_results).toEqual([
      {
        processor_name: 'oversample',
        tag: 'more',
        duration_millis: expect.any(Number),
        status: 'success',
        input_data: { ...body, size: 2 },
        output_data: { ...body, size: 3 },
      },
      {
        processor_name: 'truncate_hits',
        duration_millis: expect.any(Number),
        status: 'success',
        input_data: [hit(1), hit(2), hit(3)],
        output_data: [hit(1), hit(2)],
      },
    ])
  })

  it('tell of failures, which then end nothing', async () => {
    const { status, json } = await rest.call('GET /d/_search', {
      verbose_pipeline: true,
      search_pipeline: {
        response_processors: [
          { rename_field: { field: 'x', target_field: 'y' } },
          { truncate_hits: { target_size: 1 } },
        ],
      },
    })
    expect(status).toBe(200)
    expect(json.hits.hits).toHaveLength(1)
    const [failed, done] = json.processor_results
    expect(failed).toMatchObject({
      processor_name: 'rename_field',
      status: 'fail',
      error: 'Document with id 1 is missing field x',
      output_data: null,
    })
    expect(failed.input_data).toHaveLength(3)
    expect(done).toMatchObject({ processor_name: 'truncate_hits', status: 'success' })
  })
})
