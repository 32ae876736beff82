import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /b', { mappings: { properties: { tag: { type: 'keyword' } } } })
  for (const [id, doc] of Object.entries({
    1: { tag: 'x', text: 'red fox' },
    2: { tag: 'y', text: 'red dog' },
    3: { tag: 'x', text: 'blue dog' },
  }))
    await rest.call(`PUT /b/_doc/${id}`, doc)
  await rest.call('POST /b/_refresh')
})
afterAll(() => rest.close())

/** A search through processors of its request. */
function through(processors: readonly object[], body: object = {}, query = ''): Promise<Answered> {
  const search_pipeline = { request_processors: processors }
  return rest.call(`GET /b/_search${query}`, { ...body, search_pipeline })
}

/** The error of a processor that is put. */
async function refusal(processor: object): Promise<unknown[]> {
  const { status, json } = await rest.call('PUT /_search/pipeline/p', {
    request_processors: [processor],
  })
  return [status, json.error?.type, json.error?.reason]
}

function ids({ json }: Answered): string[] {
  return json.hits.hits.map((hit: { _id: string }) => hit._id)
}

describe('filter_query', () => {
  const filter = { filter_query: { query: { term: { tag: 'x' } } } }

  it('narrows the query of a search, whose scores stay', async () => {
    const query = { match: { text: 'red' } }
    const plain = await rest.call('GET /b/_search', { query })
    const narrowed = await through([filter], { query })
    expect(ids(narrowed)).toEqual(['1'])
    const [first] = plain.json.hits.hits
    expect(narrowed.json.hits.hits[0]._score).toBe(first._score)
  })

  it('narrows a search without a query, and one of the URL', async () => {
    expect(ids(await through([filter]))).toEqual(['1', '3'])
    expect(ids(await through([filter], {}, '?q=text:dog'))).toEqual(['3'])
  })

  it('stands behind another one', async () => {
    const other = { filter_query: { query: { match: { text: 'fox' } } } }
    expect(ids(await through([filter, other]))).toEqual(['1'])
  })

  it('needs a query that can be', async () => {
    expect(await refusal({ filter_query: {} })).toEqual([
      400,
      'illegal_argument_exception',
      'Did not specify the query property in processor of type filter_query',
    ])
    expect(await refusal({ filter_query: { query: 'a' } })).toEqual([
      400,
      'parse_exception',
      "[query] property isn't a map, but of type [java.lang.String]",
    ])
    expect(await refusal({ filter_query: { query: { nothing: {} } } })).toEqual([
      400,
      'parsing_exception',
      'unknown query [nothing]',
    ])
  })
})

describe('oversample', () => {
  const more = (options: object): object => ({ oversample: { sample_factor: 1.5, ...options } })

  it('asks for more hits, rounded up', async () => {
    expect(ids(await through([more({})], { size: 1 }))).toHaveLength(2)
    expect(ids(await through([more({})], {}, '?size=1'))).toHaveLength(2)
    expect(ids(await through([more({ sample_factor: '3' })], { size: '1' }))).toHaveLength(3)
  })

  it('asks for more than ten where a search does not say', async () => {
    const { json } = await rest.call('GET /b/_search?verbose_pipeline=true', {
      search_pipeline: { request_processors: [more({})] },
    })
    expect(json.processor_results[0].output_data.size).toBe(15)
  })

  it('leaves the size for truncate_hits, below a prefix', async () => {
    const search = async (prefix: object, ofTruncate: object): Promise<Answered> =>
      rest.call('GET /b/_search?size=1', {
        search_pipeline: {
          request_processors: [more({ sample_factor: 3, ...prefix })],
          response_processors: [{ truncate_hits: ofTruncate }],
        },
      })
    const prefix = { context_prefix: 'own' }
    expect(ids(await search({}, {}))).toHaveLength(1)
    expect(ids(await search(prefix, prefix))).toHaveLength(1)
    expect(ids(await search({ context_prefix: '' }, {}))).toHaveLength(1)
    expect((await search(prefix, {})).json.error.reason).toBe(
      'Must specify target_size unless an earlier processor set original_size',
    )
    expect((await search({}, prefix)).json.error.reason).toBe(
      'Must specify target_size unless an earlier processor set own.original_size',
    )
  })

  it('stays within the result window', async () => {
    const { status, json } = await through([more({ sample_factor: 2000 })])
    expect([status, json.error.failed_shards[0].reason.reason]).toEqual([
      400,
      expect.stringContaining('must be less than or equal to: [10000] but was [20000]'),
    ])
  })

  it.each([
    [{ sample_factor: null }, '[sample_factor] required property is missing'],
    [{ sample_factor: 0.5 }, '[sample_factor] Value must be >= 1.0'],
    [{ sample_factor: 'a' }, '[sample_factor] property cannot be converted to a double [a]'],
    [
      { context_prefix: 1 },
      "[context_prefix] property isn't a string, but of type [java.lang.Integer]",
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await refusal(more(options))).toEqual([400, 'parse_exception', reason])
  })
})

describe('script', () => {
  const script = (source: string, more: object = {}): object => ({ script: { source, ...more } })
  /** The body that a script leaves. */
  const left = async (source: string, body: object, query = ''): Promise<object> => {
    const separator = query === '' ? '?' : '&'
    const { json } = await through([script(source)], body, `${query}${separator}verbose_pipeline`)
    const [{ error, output_data }] = json.processor_results
    expect(error).toBeUndefined()
    const { search_pipeline: _, ...others } = output_data
    return others
  }
  /** Why a script fails. */
  const cause = async (source: string): Promise<unknown[]> => {
    const { status, json } = await through([script(source)])
    const { type, caused_by } = json.error
    return [status, type, caused_by.type, caused_by.reason]
  }

  it('reads and changes the numbers and flags of a body', async () => {
    const set = (key: string, value: string): Promise<object> =>
      left(`ctx._source['${key}'] = ${value}`, {})
    expect(await set('from', '1')).toEqual({ from: 1 })
    expect(await set('size', 'ctx._source.size + 3')).toEqual({ size: 2 })
    expect(await set('explain', 'true')).toEqual({ explain: true })
    expect(await set('version', 'ctx._source.version == null')).toEqual({ version: true })
    expect(await set('seq_no_primary_term', 'true')).toEqual({ seq_no_primary_term: true })
    expect(await set('track_scores', '!ctx._source.track_scores')).toEqual({ track_scores: true })
    expect(await set('track_total_hits', '7')).toEqual({ track_total_hits: 7 })
    expect(await set('track_total_hits', '-1')).toEqual({ track_total_hits: false })
    expect(await set('track_total_hits', 'Integer.MAX_VALUE')).toEqual({ track_total_hits: true })
    expect(await set('min_score', '0.5f')).toEqual({ min_score: 0.5 })
    expect(await set('terminate_after', 'ctx._source.terminate_after + 2')).toEqual({
      terminate_after: 2,
    })
    expect(await set('profile', '!ctx._source.profile')).toEqual({ profile: true })
  })

  it('sees what the body and the URL say', async () => {
    const body = { from: 4, explain: true, version: true, seq_no_primary_term: true, profile: true }
    expect(
      await left(
        "ctx._source['size'] = ctx._source.from + (ctx._source.explain ? 10 : 0)" +
          ' + (ctx._source.version && ctx._source.seq_no_primary_term && ctx._source.profile ? 100 : 0)',
        body,
        '?from=5',
      ),
    ).toEqual({ ...body, from: 5, size: 115 })
    expect(
      await left("ctx._source['size'] = ctx._source.track_total_hits", { track_total_hits: 8 }),
    ).toMatchObject({ size: 8 })
    expect(
      await left(
        "ctx._source['from'] = ctx._source.track_total_hits == Integer.MAX_VALUE ? 1 : 0",
        {},
        '?track_total_hits=true',
      ),
    ).toEqual({ from: 1, track_total_hits: true })
    expect(
      await left(
        "ctx._source['size'] = ctx._source.min_score == 1.5f && ctx._source.track_scores ? 1 : 2",
        {},
        '?min_score=1.5&track_scores=true',
      ),
    ).toEqual({ size: 1, min_score: 1.5, track_scores: true })
  })

  it('takes keys out with null where that is their default', async () => {
    expect(await left("ctx._source['explain'] = null", { explain: true })).toEqual({})
    expect(await left("ctx._source.put('version', null)", { version: true })).toEqual({})
  })

  it('keeps the class of a number in compound assignments', async () => {
    expect(await left("ctx._source['min_score'] -= 0.5", { min_score: 1.5 })).toEqual({
      min_score: 1,
    })
  })

  it('decides what is searched', async () => {
    const { json } = await through([script("ctx._source['size'] = params.n")])
    expect(json.error.caused_by.type).toBe('null_pointer_exception')
    const with2 = await through([script("ctx._source['size'] = params.n", { params: { n: 2 } })])
    expect(ids(with2)).toHaveLength(2)
  })

  it('may be stored', async () => {
    await rest.call('PUT /_scripts/one', {
      script: { lang: 'painless', source: "ctx._source['size'] = 1" },
    })
    const put = await rest.call('PUT /_search/pipeline/stored', {
      request_processors: [{ script: { id: 'one' } }],
    })
    expect(put.status).toBe(200)
    expect(ids(await rest.call('GET /b/_search?search_pipeline=stored'))).toHaveLength(1)
    await rest.call('PUT /_scripts/one', {
      script: { lang: 'painless', source: "ctx._source['size'] = 2" },
    })
    expect(ids(await rest.call('GET /b/_search?search_pipeline=stored'))).toHaveLength(2)
    await rest.call('DELETE /_scripts/one')
    const gone = await rest.call('GET /b/_search?search_pipeline=stored')
    expect([gone.status, gone.json.error.reason]).toEqual([
      404,
      'unable to find script [one] in cluster state',
    ])
    const refused = await rest.call('PUT /_search/pipeline/stored', {
      request_processors: [{ script: { id: 'one' } }],
    })
    expect(refused.status).toBe(404)
  })

  it('sees no other keys', async () => {
    const type = 'search_request_map_processing_exception'
    const unsupported = [400, 'script_exception', type, 'Unsupported key: query']
    expect(await cause("ctx._source['query'] = null")).toEqual(unsupported)
    expect(await cause('if (ctx._source.query == null) { return }')).toEqual(unsupported)
    expect(await cause("ctx._source.remove('size')")).toEqual([
      400,
      'script_exception',
      'unsupported_operation_exception',
      'remove Method not supported in Search pipeline script',
    ])
    for (const [call, method] of [
      ['clear()', 'clear'],
      ['keySet().iterator().hasNext()', 'keySet'],
      ['forEach((k, v) -> {})', 'entrySet'],
    ] as const)
      expect((await cause(`ctx._source.${call}`))[3]).toContain(
        `${method} Method not supported in Search pipeline script`,
      )
  })

  it.each([
    [
      "ctx._source['size'] = 'a'",
      'class_cast_exception',
      'class java.lang.String cannot be cast to class java.lang.Integer',
    ],
    [
      "ctx._source['explain'] = 1",
      'class_cast_exception',
      'class java.lang.Integer cannot be cast to class java.lang.Boolean',
    ],
    [
      "ctx._source['min_score'] = 1.0",
      'class_cast_exception',
      'class java.lang.Double cannot be cast to class java.lang.Float',
    ],
    [
      "ctx._source['size'] = -1",
      'illegal_argument_exception',
      '[size] parameter cannot be negative, found [-1]',
    ],
    [
      "ctx._source['from'] = -1",
      'illegal_argument_exception',
      '[from] parameter cannot be negative, found [-1]',
    ],
    [
      "ctx._source['track_total_hits'] = -2",
      'illegal_argument_exception',
      '[track_total_hits] parameter must be positive or equals to -1, found [-2]',
    ],
    [
      "ctx._source['terminate_after'] = -1",
      'illegal_argument_exception',
      'terminateAfter must be > 0, found [-1]',
    ],
    ['ctx._source[1] = 1', 'illegal_argument_exception', 'key must be a String'],
  ])('fails at %s', async (source, type, reason) => {
    expect(await cause(source)).toEqual([400, 'script_exception', type, reason])
  })

  it('has to compile when it is put', async () => {
    const { status, json } = await rest.call('PUT /_search/pipeline/p', {
      request_processors: [{ script: { source: 'ctx.', tag: 't' } }],
    })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      type: 'script_exception',
      reason: 'compile error',
      processor_type: 'script',
      processor_tag: 't',
    })
    const empty = await rest.call('PUT /_search/pipeline/p', {
      request_processors: [{ script: { source: ' ' } }],
    })
    expect(empty.json.error).toMatchObject({
      type: 'script_exception',
      reason: 'compile error',
      caused_by: {
        type: 'illegal_argument_exception',
        reason:
          'invalid function definition: found no statements for function [execute] with [1] parameters',
      },
    })
    expect(await refusal({ script: { lang: 'none', source: 'a' } })).toEqual([
      400,
      'illegal_argument_exception',
      'script_lang not supported [none]',
    ])
    expect(await refusal({ script: {} })).toEqual([
      400,
      'illegal_argument_exception',
      'must specify either [source] for an inline script or [id] for a stored script',
    ])
  })

  it('that goes on for too long is ended', async () => {
    const { json } = await through([script('int n = 0; while (n < 2000000000) { n += 1 }')])
    // By its steps, or on a slow machine by its time.
    const { type, caused_by } = json.error
    expect(['painless_error', 'circuit_breaking_exception']).toContain(caused_by?.type ?? type)
  })

  it('stands among the contexts', async () => {
    const { json } = await rest.call('GET /_script_context')
    expect(json.contexts.map((each: { name: string }) => each.name)).toContain('search')
  })
})

describe('ignore_failure', () => {
  const failing = (ignore_failure: boolean): object => ({
    script: { source: "ctx._source['size'] = 1; ctx._source['size'] = -1", ignore_failure },
  })

  it('goes on with the search as it was', async () => {
    expect((await through([failing(false)])).status).toBe(400)
    expect(ids(await through([failing(true)]))).toHaveLength(3)
    const then = { script: { source: "ctx._source['size'] = 2" } }
    expect(ids(await through([failing(true), then]))).toHaveLength(2)
  })
})
