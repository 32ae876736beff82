/** Error texts of the contract that no other test quotes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /_data_stream/*')
  await rest.call('DELETE /*?expand_wildcards=all')
  await rest.call('DELETE /_index_template/*')
})

const ILLEGAL = 'illegal_argument_exception'
const VALIDATION = 'action_request_validation_exception'

/** Holds a call to its status, its error's type and its whole reason. */
async function refuses(
  line: string,
  body: object | string | undefined,
  expected: readonly [status: number, type: string, reason: string],
): Promise<void> {
  const { status, json } = await rest.call(line, body)
  expect([status, json.error?.type, json.error?.reason]).toEqual(expected)
}

describe('names', () => {
  it('of nothing, where there is no index at all', () =>
    refuses('GET /_all/_settings?allow_no_indices=false', undefined, [
      404,
      'index_not_found_exception',
      'no such index [null] and no indices exist',
    ]))

  it.each([
    ['with a blank', 'a b', 'name must not contain a space'],
    ['with capitals', 'Ab', 'name must be lower cased'],
  ])('of index templates %s', (_what, name, reason) =>
    refuses(`PUT /_index_template/${encodeURIComponent(name)}`, { index_patterns: ['x'] }, [
      400,
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [Validation Failed: 1: ${reason};]`,
    ]),
  )
})

describe('indices that cannot be had', () => {
  const TAKEN = `[ , ", *, \\, <, |, ,, >, /, ?]`
  it.each([
    ['_a', "must not start with '_', '-', or '+'"],
    ['-a', "must not start with '_', '-', or '+'"],
    ['+a', "must not start with '_', '-', or '+'"],
    ['..', "must not be '.' or '..'"],
    ['a b', `must not contain the following characters ${TAKEN}`],
    ['a"b', `must not contain the following characters ${TAKEN}`],
    ['a\\b', `must not contain the following characters ${TAKEN}`],
    ['a|b', `must not contain the following characters ${TAKEN}`],
    ['a,b', `must not contain the following characters ${TAKEN}`],
    ['a#b', "must not contain '#'"],
    ['a:b', "must not contain ':'"],
    ['aB', 'must be lowercase'],
    ['ü'.repeat(128), 'index name is too long, (256 > 255)'],
  ])('that are named %s', async (name, fault) => {
    const line = `PUT /${encodeURIComponent(name)}`
    const { json } = await rest.call(line)
    expect(json).toEqual({
      error: { ...json.error.root_cause[0], root_cause: [json.error.root_cause[0]] },
      status: 400,
    })
    expect(json.error.root_cause[0]).toEqual({
      type: 'invalid_index_name_exception',
      reason: `Invalid index name [${name}], ${fault}`,
      index: name,
      index_uuid: '_na_',
    })
  })

  it('that are missing, and as which they were looked for', async () => {
    const { json, status } = await rest.call('GET /none/_search')
    expect([status, json.error.root_cause]).toEqual([
      404,
      [
        {
          type: 'index_not_found_exception',
          reason: 'no such index [none]',
          index: 'none',
          'resource.id': 'none',
          'resource.type': 'index_or_alias',
          index_uuid: '_na_',
        },
      ],
    ])
  })

  it('with settings that there are not', () =>
    refuses('PUT /i', { settings: { zzzzzzzz: 1 } }, [
      400,
      ILLEGAL,
      'unknown setting [index.zzzzzzzz] please check that any required plugins are installed, or check ' +
        'the breaking changes documentation for removed settings',
    ]))

  it('with numbers of shards that are no numbers', () =>
    refuses('PUT /i', { settings: { number_of_shards: 'many' } }, [
      400,
      ILLEGAL,
      'Failed to parse value [many] for setting [index.number_of_shards]',
    ]))
})

describe('searches', () => {
  it.each([
    [
      { _source: { includes: ['a'], excludes: ['a'] } },
      ILLEGAL,
      'The same entry cannot be both included and excluded in _source.',
    ],
    [{ query: {} }, ILLEGAL, 'query malformed, empty clause found at [1:10]'],
    [
      { query: { match_all: {}, match_none: {} } },
      'parsing_exception',
      '[match_all] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    ],
  ])('of %j', (body, type, reason) => refuses('POST /_search', body, [400, type, reason]))

  it.each([
    [{ query: { prefix: { n: 'a' } } }, /^Can only use prefix queries on keyword, text/],
    [{ sort: ['none'] }, /^No mapping found for \[none\] in order to sort on$/],
    [{ sort: [{ n: { nested: { path: 'none' } } }] }, /^\[nested\] failed to find nested object/],
  ])('of %j, which do not fit an index, tell which', async (body, reason) => {
    const properties = { n: { type: 'long' } }
    for (const index of ['i', 'j']) await rest.call(`PUT /${index}`, { mappings: { properties } })
    const { json } = await rest.call('POST /i,j/_search', body)
    const { i, j } = (await rest.call('GET /i,j/_settings')).json
    const uuids = [i, j].map(each => each.settings.index.uuid)
    expect(json.error.root_cause).toEqual(
      ['i', 'j'].map((index, at) => ({
        type: 'query_shard_exception',
        reason: expect.stringMatching(reason),
        index,
        index_uuid: uuids[at],
      })),
    )
  })
})

describe('documents', () => {
  it('that wait for more copies than there are', () =>
    refuses('PUT /i/_doc/1?wait_for_active_shards=2&timeout=1ms', {}, [
      503,
      'unavailable_shards_exception',
      '[i][0] Not enough active copies to meet shard count of [2] (have 1, needed 2). Timeout: [1ms], request: [BulkShardRequest [[i][0]] containing [index {[i][1], source[{}]}]]',
    ]))

  it('with ids that are too long', () =>
    refuses(`PUT /i/_doc/${'x'.repeat(513)}`, {}, [
      400,
      VALIDATION,
      `Validation Failed: 1: id [${'x'.repeat(513)}] is too long, must be no longer than 512 bytes but was: 513;`,
    ]))

  it('with an empty pipeline', () =>
    refuses('PUT /i/_doc/1?pipeline=', {}, [
      400,
      VALIDATION,
      'Validation Failed: 1: pipeline cannot be an empty string;',
    ]))

  it('that are compared with one that is not there', async () => {
    await rest.call('PUT /i')
    await refuses('PUT /i/_doc/1?if_seq_no=1&if_primary_term=1', {}, [
      409,
      'version_conflict_engine_exception',
      '[1]: version conflict, required seqNo [1], primary term [1]. but no document was found',
    ])
  })

  it('that are updated without their source', async () => {
    await rest.call('PUT /i', { mappings: { _source: { enabled: false } } })
    await rest.call('PUT /i/_doc/1?refresh=true', { a: 1 })
    await refuses('POST /i/_update/1', { doc: {} }, [
      400,
      'document_source_missing_exception',
      '[1]: document source missing',
    ])
  })
})

describe('bulks', () => {
  it('with an empty id fail for that item alone', async () => {
    const { json } = await rest.call('POST /i/_bulk', '{"index":{"_id":""}}\n{}\n')
    expect(json.items[0].index.error).toMatchObject({
      type: ILLEGAL,
      reason: 'if _id is specified it must not be empty',
    })
  })

  it.each([
    [
      '{"put":{}}\n{}\n',
      ILLEGAL,
      'Malformed action/metadata line [1], expected field [create], [delete], [index] or [update] but found [put]',
    ],
    ['\n', VALIDATION, 'Validation Failed: 1: no requests added;'],
    [
      '{"index":5}\n{}\n',
      ILLEGAL,
      'Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_NUMBER]',
    ],
    [
      '{}\n{}\n',
      ILLEGAL,
      'Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]',
    ],
    [
      '{"index":{}}\n{}\n{"index":{"_id":{"a":1}}}\n{}\n',
      ILLEGAL,
      'Malformed action/metadata line [3], expected a simple value for field [_id] but found [START_OBJECT]',
    ],
    [
      '{"index":{"ida":1}}\n{}\n',
      ILLEGAL,
      'Action/metadata line [1] contains an unknown parameter [ida]',
    ],
  ])('of the lines %j', (body, type, reason) => refuses('POST /i/_bulk', body, [400, type, reason]))
})

describe('an index of its own for each line of a bulk', () => {
  it('may be forbidden', async () => {
    const strict = await openRest({ 'rest.action.multi.allow_explicit_index': 'false' })
    const line = (index: object): string => `${JSON.stringify({ index })}\n{}\n`
    const { status, json } = await strict.call('POST /i/_bulk', line({ _index: 'j' }))
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      ILLEGAL,
      'explicit index in bulk is not allowed',
    ])
    expect((await strict.call('POST /i/_bulk', line({ _id: '1' }))).json.errors).toBe(false)
    await strict.close()
  })
})

describe('disk watermarks', () => {
  const watermark = 'cluster.routing.allocation.disk.watermark'

  it.each([
    [
      { high: '98%', flood_stage: '96%' },
      'high disk watermark [98%] more than flood stage disk watermark [96%]',
    ],
    [{ low: '1gb', high: '2gb' }, 'low disk watermark [1gb] more than high disk watermark [2gb]'],
    [
      { low: '10gb', high: '92%' },
      `unable to consistently parse [${watermark}.low=10gb], [${watermark}.high=92%], and [${watermark}.flood_stage=95%] as percentage or bytes`,
    ],
  ])('of %j', async (values, reason) => {
    const transient = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`${watermark}.${name}`, value]),
    )
    await refuses('PUT /_cluster/settings', { transient }, [400, ILLEGAL, reason])
    const { json } = await rest.call('GET /_cluster/settings')
    expect(json.transient).toEqual({})
  })
})

describe('indices', () => {
  it('with an unknown policy of merges', () =>
    refuses('PUT /i', { settings: { 'merge.policy': 'x' } }, [
      400,
      ILLEGAL,
      'The setting has unsupported policy specified: x. Please use one of: tiered, log_byte_size, default',
    ]))

  it('with mappings below a type', () =>
    refuses('PUT /i', { mappings: { _doc: { properties: {} } } }, [
      400,
      ILLEGAL,
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    ]))

  it.each([
    [
      { 'soft_deletes.enabled': false },
      'Creating indices with soft-deletes disabled is no longer supported. Please do not specify a value for setting [index.soft_deletes.enabled].',
    ],
    [
      { number_of_shards: 4, number_of_routing_shards: 2 },
      'index.number_of_routing_shards [2] must be >= index.number_of_shards [4]',
    ],
    [
      { number_of_search_replicas: 1 },
      'To set index.number_of_search_replicas, index.remote_store.enabled must be set to true',
    ],
  ])('with the settings %j', (settings, reason) =>
    refuses('PUT /i', { settings }, [400, ILLEGAL, reason]),
  )

  it('warn of forced merges that ask for two things', async () => {
    await rest.call('PUT /i')
    const { headers } = await rest.call(
      'POST /i/_forcemerge?max_num_segments=1&only_expunge_deletes=true',
    )
    expect(headers['warning']).toContain(
      'setting only_expunge_deletes and max_num_segments at the same time is deprecated and will be rejected in a future version',
    )
  })

  it('with names that count no rollovers', async () => {
    await rest.call('PUT /i', { aliases: { a: {} } })
    await refuses('POST /a/_rollover', undefined, [
      400,
      ILLEGAL,
      "index name [i] does not match pattern '^.*-\\d+$'",
    ])
  })

  it('of data streams that are written to', async () => {
    await rest.call('PUT /_index_template/t', { index_patterns: ['s'], data_stream: {} })
    await rest.call('PUT /_data_stream/s')
    const index = '.ds-s-000001'
    await rest.call(`PUT /${index}/_settings`, { 'index.blocks.write': true })
    await refuses(`PUT /${index}/_clone/other`, undefined, [
      400,
      ILLEGAL,
      `cannot resize the write index [${index}] for data stream [s]`,
    ])
  })
})

/** A query that a field refuses: the reason of its shard's failure. */
async function failedQuery(query: object): Promise<string> {
  const { json } = await rest.call('POST /i/_search', { query })
  const { error } = json
  return error?.root_cause?.[0]?.reason ?? ''
}

describe('queries', () => {
  const properties = {
    t: { type: 'text' },
    n: { type: 'integer' },
    d: { type: 'date' },
    ip: { type: 'ip' },
    r: { type: 'rank_feature' },
  }
  beforeEach(() => rest.call('PUT /i', { mappings: { properties } }))

  it.each([
    [
      { prefix: { n: '1' } },
      'Can only use prefix queries on keyword, text and wildcard fields - not on [n] which is of type [integer]',
    ],
    [
      { range: { d: { gte: '2020', relation: 'disjoint' } } },
      '[range] query does not support relation [disjoint]',
    ],
    [{ term: { n: 'x' } }, 'For input string: "x"'],
    [{ term: { ip: 'x' } }, "'x' is not an IP string literal."],
  ])('as %j', async (query, reason) => {
    expect(await failedQuery(query)).toContain(reason)
  })

  it.each([
    [
      't',
      'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [t] in order to load field data by uninverting the inverted index. Note that this can use significant memory.',
    ],
    ['r', '[rank_feature] fields do not support sorting, scripting or aggregating'],
  ])('that sort by %s', async (field, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { sort: [field] })
    expect([status, json.error.root_cause[0].reason]).toEqual([400, reason])
  })
})

describe('values of aggregations', () => {
  const properties = { k: { type: 'keyword' }, n: { type: 'long' }, b: { type: 'boolean' } }
  beforeEach(() => rest.call('PUT /i', { mappings: { properties } }))

  it.each([
    [
      { date_histogram: { field: 'n', fixed_interval: '1d', time_zone: '+01:00' } },
      'Field [n] of type [long] does not support custom time zones',
    ],
    [
      { value_count: { field: 'k', format: '0.0' } },
      'Field [k] of type [keyword] does not support custom formats',
    ],
    [
      { avg: { field: 'b', format: '0.0' } },
      'Field [b] of type [boolean] does not support custom formats',
    ],
  ])('in a form that they have not: %j', async (agg, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { aggs: { agg } })
    expect([status, json.error.root_cause[0].reason]).toEqual([400, reason])
  })
})

it('names changes of metadata by what they do while they wait', async () => {
  await rest.call('PUT /held')
  const changes = Array.from({ length: 10 }, (_, i) => [
    rest.call(`PUT /c${i}`),
    rest.call('PUT /held/_mapping', { properties: { [`f${i}`]: { type: 'long' } } }),
    rest.call('PUT /_index_template/t', { index_patterns: ['x'], priority: i }),
  ]).flat()
  const { json } = await rest.call('GET /_cluster/pending_tasks')
  await Promise.all(changes)
  const tasks = json.tasks as { source: string; priority: string; executing: boolean }[]
  const sources = tasks.map(({ source }) => source).join('\n')
  for (const source of [
    /^create-index \[c\d\], cause \[api\]$/m,
    /^put-mapping \[held\/[\w-]{22}\]$/m,
    /^create-index-template-v2 \[t\], cause \[api\]$/m,
  ])
    expect(sources).toMatch(source)
  const order = 'IMMEDIATE URGENT HIGH NORMAL LOW LANGUID'.split(' ')
  const ranks = tasks.filter(task => !task.executing).map(({ priority }) => order.indexOf(priority))
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
})
