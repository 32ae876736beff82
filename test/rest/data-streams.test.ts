import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const illegal = (reason: string): readonly unknown[] => [400, 'illegal_argument_exception', reason]
const missing = (name: string): readonly unknown[] => [
  404,
  'index_not_found_exception',
  `no such index [${name}]`,
]

/** Names of the backing indices. */
const backing = async (name: string): Promise<string[]> => {
  const { data_streams } = await ok(`GET /_data_stream/${name}`)
  return data_streams[0].indices.map((index: { index_name: string }) => index.index_name)
}

const first = '.ds-logs-a-000001'
const second = '.ds-logs-a-000002'

beforeEach(async () => {
  await rest.call('DELETE /_data_stream/*')
  await rest.call('DELETE /*?expand_wildcards=all')
  await rest.call('DELETE /_index_template/*')
  await ok('PUT /_index_template/logs', {
    index_patterns: ['logs-*'],
    data_stream: {},
    priority: 10,
    template: { settings: { number_of_replicas: 0 }, aliases: { never: {} } },
  })
})

describe('a data stream', () => {
  it('is created by its name, with a hidden index', async () => {
    expect(await ok('PUT /_data_stream/logs-a')).toEqual({ acknowledged: true })
    expect(await ok('GET /_data_stream/logs-a')).toEqual({
      data_streams: [
        {
          name: 'logs-a',
          timestamp_field: { name: '@timestamp' },
          indices: [{ index_name: first, index_uuid: expect.stringMatching(/^.{22}$/) }],
          generation: 1,
          status: 'GREEN',
          template: 'logs',
        },
      ],
    })
    const index = (await ok(`GET /${first}`))[first]
    expect(index).toMatchObject({
      aliases: {},
      mappings: {
        _data_stream_timestamp: { enabled: true },
        properties: { '@timestamp': { type: 'date' } },
      },
      settings: { index: { hidden: 'true', number_of_replicas: '0', provided_name: first } },
      data_stream: 'logs-a',
    })
    expect(Object.keys(index)).toEqual(['aliases', 'mappings', 'settings', 'data_stream'])
    expect(Object.keys(await ok('GET /logs-a'))).toEqual([first])
  })

  it('is created by its first write, one by one or in bulk', async () => {
    const created = await ok('POST /logs-a/_doc', { '@timestamp': '2026-01-01', n: 1 })
    expect(created).toMatchObject({ _index: first, result: 'created' })
    expect(await ok('PUT /logs-b/_create/1', { '@timestamp': '2026-01-01' })).toMatchObject({
      _index: '.ds-logs-b-000001',
      _id: '1',
    })
    const lines = [
      { create: { _index: 'logs-c' } },
      { '@timestamp': 1 },
      { index: { _index: 'logs-c' } },
      { '@timestamp': 2 },
      { index: { _index: 'logs-d' } },
      { '@timestamp': 2 },
    ]
    const { items } = await ok('POST /_bulk?refresh', ndjson(...lines))
    expect(items[0].create).toMatchObject({ _index: '.ds-logs-c-000001', status: 201 })
    const refused = {
      status: 400,
      error: {
        type: 'illegal_argument_exception',
        reason: 'only write ops with an op_type of create are allowed in data streams',
      },
    }
    expect(items[1].index).toMatchObject(refused)
    expect(items[2].index).toMatchObject(refused)
    const { data_streams } = await ok('GET /_data_stream')
    // A write that is refused makes none.
    expect(data_streams.map((stream: { name: string }) => stream.name)).toEqual([
      'logs-a',
      'logs-b',
      'logs-c',
    ])
  })

  it('is made once by writes at the same time', async () => {
    const writes = [1, 2, 3].map(n => ok('POST /logs-a/_doc', { '@timestamp': n }))
    await Promise.all(writes)
    await ok('POST /logs-a/_refresh')
    expect((await ok('GET /logs-a/_count')).count).toBe(3)
  })

  it('takes its field of dates from the template', async () => {
    await ok('PUT /_index_template/events', {
      index_patterns: ['events-*'],
      data_stream: { timestamp_field: { name: 'event.at' } },
    })
    expect(
      (await ok('GET /_index_template/events')).index_templates[0].index_template.data_stream,
    ).toEqual({ timestamp_field: { name: 'event.at' } })
    await ok('POST /events-a/_doc', { event: { at: '2026-01-01' } })
    expect((await ok('GET /events-a/_mapping'))['.ds-events-a-000001'].mappings).toEqual({
      _data_stream_timestamp: { enabled: true, timestamp_field: { name: 'event.at' } },
      properties: { event: { properties: { at: { type: 'date' } } } },
    })
    expect((await ok('GET /_data_stream/events-a')).data_streams[0].timestamp_field).toEqual({
      name: 'event.at',
    })
    const { json } = await rest.call('POST /events-a/_doc', { '@timestamp': 1 })
    expect(json.error.caused_by.reason).toBe(
      "documents must contain a single-valued timestamp field 'event.at' of date type",
    )
  })

  it('takes a mapping of its field of dates from the template', async () => {
    const mappings = { properties: { '@timestamp': { type: 'date_nanos' } } }
    await ok('PUT /_component_template/time', { template: { mappings } })
    await ok('PUT /_index_template/nanos', {
      index_patterns: ['nanos-*'],
      data_stream: {},
      composed_of: ['time'],
    })
    await ok('PUT /_data_stream/nanos-a')
    expect((await ok('GET /nanos-a/_mapping'))['.ds-nanos-a-000001'].mappings.properties).toEqual(
      mappings.properties,
    )
  })

  it.each<object>([
    {},
    { '@timestamp': null },
    { '@timestamp': [] },
    { '@timestamp': ['2026-01-01', '2026-01-02'] },
  ])('refuses a document with other than one value for its time: %j', async document => {
    await ok('PUT /_data_stream/logs-a')
    const { status, json } = await rest.call('POST /logs-a/_doc', document)
    expect([status, json.error]).toEqual([
      400,
      expect.objectContaining({
        type: 'mapper_parsing_exception',
        reason: 'failed to parse',
        caused_by: {
          type: 'illegal_argument_exception',
          reason:
            "documents must contain a single-valued timestamp field '@timestamp' of date type",
        },
      }),
    ])
    expect(Object.keys((await ok('GET /logs-a/_mapping'))[first].mappings.properties)).toEqual([
      '@timestamp',
    ])
  })

  it('counts a value that came with new fields, and one in a list, once', async () => {
    await ok('POST /logs-a/_doc', { '@timestamp': ['2026-01-01'], a: { b: [1, 2] }, c: 'x' })
    await ok('POST /logs-a/_doc?refresh', { 'a.b': 3, d: 'new', '@timestamp': 5 })
    expect((await ok('GET /logs-a/_count')).count).toBe(2)
  })

  it('is read by its name over all its indices', async () => {
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': '2026-01-01', n: 1 })
    await ok('POST /logs-a/_rollover')
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': '2026-01-02', n: 2 })
    await ok('PUT /plain')
    for (const name of ['logs-a', 'logs-*', '*', '_all', 'l*,-plain']) {
      const { hits } = await ok(`GET /${name}/_search?sort=n`)
      expect([name, hits.hits.map((hit: { _index: string }) => hit._index)]).toEqual([
        name,
        [first, second],
      ])
    }
    expect((await ok('GET /*,-logs-a/_search')).hits.total.value).toBe(0)
    expect((await ok('GET /logs-a/_count')).count).toBe(2)
    expect(Object.keys(await ok('GET /logs-a/_settings'))).toEqual([first, second])
    expect(Object.keys((await ok('GET /logs-a/_stats')).indices)).toEqual([first, second])
    expect(Object.keys(await ok('GET /*'))).toEqual([first, second, 'plain'])
    expect(await ok('PUT /logs-a/_mapping', { properties: { k: { type: 'keyword' } } })).toEqual({
      acknowledged: true,
    })
    expect((await ok(`GET /${first}/_mapping`))[first].mappings.properties.k).toBeDefined()
    const rows = async (path: string): Promise<string[]> =>
      (await ok(`GET /_cat/${path}?format=json&h=index&s=index`)).map(
        (row: { index: string }) => row.index,
      )
    expect(await rows('indices/logs-a')).toEqual([first, second])
    // They are hidden themselves, but their stream is not.
    expect(await rows('indices')).toEqual([first, second, 'plain'])
    expect(new Set(await rows('shards'))).toEqual(new Set([first, second, 'plain']))
    expect((await ok('GET /_cat/count/logs-a?format=json'))[0].count).toBe('2')
    expect((await ok('GET /_cluster/health/logs-a?level=indices')).indices).toHaveProperty([second])
  })

  it('is no name of a document', async () => {
    await ok('PUT /logs-a/_create/1', { '@timestamp': 1 })
    expect(await failure('GET /logs-a/_doc/1')).toEqual(missing('logs-a'))
    expect((await ok(`GET /${first}/_doc/1`)).found).toBe(true)
  })

  it.each([
    ['PUT /logs-a/_doc/1', { '@timestamp': 1 }],
    ['POST /logs-a/_doc/1?op_type=index', { '@timestamp': 1 }],
    ['POST /logs-a/_update/1', { doc: { n: 2 } }],
    ['DELETE /logs-a/_doc/1', undefined],
  ])('takes nothing but creates: %s', async (line, body) => {
    const reason = 'only write ops with an op_type of create are allowed in data streams'
    // A delete makes nothing, so that there is no stream to refuse it.
    const isDelete = line.startsWith('DELETE')
    expect(await failure(line, body)).toEqual(isDelete ? missing('logs-a') : illegal(reason))
    expect((await ok('GET /_data_stream')).data_streams).toEqual([])
    await ok('PUT /_data_stream/logs-a')
    expect(await failure(line, body)).toEqual(illegal(reason))
  })

  it('changes its documents in their own index, and adds none there', async () => {
    await ok('PUT /logs-a/_create/1', { '@timestamp': 1 })
    const instead = 'target corresponding data stream [logs-a] instead'
    expect(await failure(`PUT /${first}/_create/2`, { '@timestamp': 1 })).toEqual(
      illegal(
        `index request with op_type=create targeting backing indices is disallowed, ${instead}`,
      ),
    )
    expect(await failure(`PUT /${first}/_doc/1`, { '@timestamp': 1 })).toEqual(
      illegal(
        'index request with op_type=index and no if_primary_term and if_seq_no set targeting ' +
          `backing indices is disallowed, ${instead}`,
      ),
    )
    const { items } = await ok(
      'POST /_bulk',
      ndjson({ create: { _index: first } }, { '@timestamp': 1 }),
    )
    expect(items[0].create.error.reason).toContain(instead)
    await ok(`POST /${first}/_update/1`, { doc: { n: 1 } })
    await ok(`PUT /${first}/_doc/1?if_seq_no=1&if_primary_term=1`, { '@timestamp': 2 })
    expect(await ok(`DELETE /${first}/_doc/1`)).toMatchObject({ result: 'deleted' })
  })

  it('refuses a routing', async () => {
    const reason =
      'index request targeting data stream [logs-a] specifies a custom routing. target the backing ' +
      'indices directly or remove the custom routing.'
    expect(await failure('POST /logs-a/_doc?routing=r', { '@timestamp': 1 })).toEqual(
      illegal(reason),
    )
    const lines = ndjson({ create: { _index: 'logs-a', routing: 'r' } }, { '@timestamp': 1 })
    expect((await ok('POST /_bulk', lines)).items[0].create.error.reason).toBe(reason)
  })

  it.each([
    ['logs-a', 'resource_already_exists_exception', 'data_stream [logs-a] already exists'],
    ['logs-A', 'illegal_argument_exception', 'data_stream [logs-A] must be lowercase'],
    ['.logs', 'illegal_argument_exception', "data_stream [.logs] must not start with '.'"],
    ['lo%23gs', 'illegal_argument_exception', "data_stream [lo#gs] must not contain '#'"],
    [
      'other',
      'illegal_argument_exception',
      'no matching index template found for data stream [other]',
    ],
    [
      'plain-x',
      'illegal_argument_exception',
      'matching index template [plain] for data stream [plain-x] has no data stream template',
    ],
    [
      'logs-taken',
      'illegal_argument_exception',
      'data stream could not be created because backing index [.ds-logs-taken-000001] already exists',
    ],
    [
      'logs-index',
      'illegal_state_exception',
      'index, alias, and data stream names need to be unique, but the following duplicates were ' +
        'found [data stream [logs-index] conflicts with index]',
    ],
  ])('is not made as %s', async (name, type, reason) => {
    await ok('PUT /_index_template/plain', { index_patterns: ['plain-*'] })
    await ok('PUT /_data_stream/logs-a')
    await ok('PUT /.ds-logs-taken-000001')
    await ok('DELETE /_index_template/plain')
    await rest.call('PUT /_index_template/plain', { index_patterns: ['plain-*'] })
    await ok('PUT /_index_template/over', {
      index_patterns: ['logs-index'],
      priority: 99,
    })
    await ok('PUT /logs-index')
    await ok('DELETE /_index_template/over')
    expect(await failure(`PUT /_data_stream/${name}`)).toEqual([400, type, reason])
    expect((await ok('GET /_data_stream')).data_streams).toHaveLength(1)
  })

  it('is not made where the names of its indices would be too long', async () => {
    const [status, type, reason] = await failure(`PUT /_data_stream/logs-${'x'.repeat(245)}`)
    expect([status, type]).toEqual([400, 'invalid_index_name_exception'])
    expect(reason).toMatch(/index name is too long, \(261 > 255\)$/)
  })

  it('is not made where an alias has its name', async () => {
    await ok('PUT /plain', { aliases: { 'logs-alias': {} } })
    const [status, type, reason] = await failure('PUT /_data_stream/logs-alias')
    expect([status, type]).toEqual([400, 'illegal_state_exception'])
    expect(reason).toMatch(
      /found \[logs-alias \(alias of \[plain\/.{22}\]\) conflicts with data stream\]$/,
    )
  })

  it('keeps its name from indices and aliases', async () => {
    await ok('PUT /_data_stream/logs-a')
    expect(await failure('PUT /logs-b')).toEqual(
      illegal(
        'cannot create index with name [logs-b], because it matches with template [logs] that ' +
          'creates data streams only, use create data stream api instead',
      ),
    )
    await ok('PUT /plain')
    expect(
      await failure('POST /_aliases', { actions: [{ add: { index: 'plain', alias: 'logs-a' } }] }),
    ).toEqual([
      400,
      'invalid_alias_name_exception',
      'Invalid alias name [logs-a], a data stream exists with the same name as the alias',
    ])
  })

  it('is deleted with its indices', async () => {
    await ok('POST /logs-a/_doc', { '@timestamp': 1 })
    await ok('POST /logs-a/_rollover')
    await ok('PUT /_data_stream/logs-b')
    expect(await ok('DELETE /_data_stream/logs-a')).toEqual({ acknowledged: true })
    expect((await rest.call(`HEAD /${first}`)).status).toBe(404)
    expect((await rest.call(`HEAD /${second}`)).status).toBe(404)
    expect(await backing('logs-b')).toEqual(['.ds-logs-b-000001'])
    expect(await failure('DELETE /_data_stream/logs-a')).toEqual(missing('logs-a'))
    expect(await failure('GET /_data_stream/logs-a')).toEqual(missing('logs-a'))
    expect(await ok('GET /_data_stream/x*')).toEqual({ data_streams: [] })
    expect(await ok('DELETE /_data_stream/x*')).toEqual({ acknowledged: true })
    expect(await failure('DELETE /_data_stream/,')).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: name is missing;',
    ])
    expect((await ok('GET /_data_stream')).data_streams).toHaveLength(1)
  })

  it('lets its older indices be deleted, not the one that takes writes', async () => {
    await ok('POST /logs-a/_doc', { '@timestamp': 1 })
    await ok('POST /logs-a/_rollover')
    const refused = illegal(
      `index [${second}] is the write index for data stream [logs-a] and cannot be deleted`,
    )
    expect(await failure(`DELETE /${second}`)).toEqual(refused)
    expect(await failure('DELETE /*?expand_wildcards=all')).toEqual(refused)
    expect(
      await failure('POST /_aliases', { actions: [{ remove_index: { index: second } }] }),
    ).toEqual(refused)
    // Its name is none of an index.
    expect(await failure('DELETE /logs-a')).toEqual(missing('logs-a'))
    expect(await ok('DELETE /logs-*')).toEqual({ acknowledged: true })
    expect(await backing('logs-a')).toEqual([first, second])
    await ok(`DELETE /${first}`)
    expect(await backing('logs-a')).toEqual([second])
    await ok('POST /logs-a/_rollover')
    await ok('POST /_aliases', { actions: [{ remove_index: { index: second } }] })
    expect(await backing('logs-a')).toEqual(['.ds-logs-a-000003'])
  })

  it('lets its older indices be closed, not the one that takes writes', async () => {
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': 1 })
    await ok('POST /logs-a/_rollover')
    for (const name of [second, 'logs-a', `${first},${second}`])
      expect(await failure(`POST /${name}/_close`)).toEqual(
        illegal(`cannot close the following data stream write indices [${second}]`),
      )
    await ok(`POST /${first}/_close`)
    expect((await ok('GET /logs-*/_search')).hits.total.value).toBe(0)
    await ok('POST /logs-a/_open')
    expect((await ok('GET /logs-a/_search')).hits.total.value).toBe(1)
  })

  it('has no aliases', async () => {
    await ok('PUT /_data_stream/logs-a')
    for (const index of ['logs-a', first])
      expect(
        await failure('POST /_aliases', { actions: [{ add: { index, alias: 'a' } }] }),
      ).toEqual(
        illegal(
          `The provided expressions [${index}] match a backing index belonging to data stream ` +
            "[logs-a]. Data streams and their backing indices don't support aliases.",
        ),
      )
    await ok('PUT /plain')
    await ok('POST /_aliases', { actions: [{ add: { index: '*', alias: 'a' } }] })
    expect(Object.keys(await ok('GET /_alias/a'))).toEqual(['plain'])
  })

  it('keeps the template that makes its indices', async () => {
    await ok('PUT /_index_template/low', {
      index_patterns: ['logs-*'],
      priority: 1,
      data_stream: {},
    })
    await ok('PUT /_data_stream/logs-a')
    await ok('PUT /_data_stream/logs-b')
    expect(await failure('DELETE /_index_template/logs')).toEqual(
      illegal(
        'unable to remove composable templates [logs] as they are in use by a data streams [logs-a, logs-b]',
      ),
    )
    expect(await failure('DELETE /_index_template/l*')).toEqual(
      illegal(
        'unable to remove composable templates [logs, low] as they are in use by a data streams [logs-a, logs-b]',
      ),
    )
    await ok('DELETE /_index_template/low')
    expect(
      await failure('PUT /_index_template/logs', { index_patterns: ['logs-*'], priority: 10 }),
    ).toEqual(
      illegal(
        'composable template [logs] with index patterns [logs-*], priority [10] and no data stream ' +
          'configuration would cause data streams [logs-a, logs-b] to no longer match a data stream template',
      ),
    )
    expect(
      await failure('PUT /_index_template/logs', { index_patterns: ['x-*'], data_stream: {} }),
    ).toEqual(
      illegal(
        'composable template [logs] with index patterns [x-*], priority [null] would cause data ' +
          'streams [logs-a, logs-b] to no longer match a data stream template',
      ),
    )
    await ok('PUT /_index_template/logs', { index_patterns: ['l*'], priority: 7, data_stream: {} })
    await ok('DELETE /_data_stream/*')
    await ok('DELETE /_index_template/logs')
  })

  it.each([
    [
      { data_stream: { timestamp: {} } },
      /^\[1:\d+\] \[data_stream_template\] unknown field \[timestamp\]/,
    ],
    [{ data_stream: { timestamp_field: {} } }, /^Required \[name\]$/],
    [
      { data_stream: { timestamp_field: { names: 'a' } } },
      /^\[1:\d+\] \[timestamp_field\] unknown field \[names\] did you mean \[name\]\?$/,
    ],
    [{ data_stream: true }, /\[data_stream_template\] must be an object$/],
    [
      {
        data_stream: {},
        template: { mappings: { properties: { '@timestamp': { type: 'keyword' } } } },
      },
      /^composable template \[t\] template after composition is invalid$/,
    ],
  ])('is not made by a template like %j', async (template, reason) => {
    const [status, , found] = await failure('PUT /_index_template/t', {
      index_patterns: ['t-*'],
      ...template,
    })
    expect([status, found]).toEqual([400, expect.stringMatching(reason)])
  })

  it('keeps its field of dates when a component of its template changes', async () => {
    const part = (type: string): object => ({
      template: { mappings: { properties: { '@timestamp': { type } } } },
    })
    await ok('PUT /_component_template/time', part('date'))
    await ok('PUT /_index_template/timed', {
      index_patterns: ['timed-*'],
      data_stream: {},
      composed_of: ['time'],
    })
    expect(await failure('PUT /_component_template/time', part('long'))).toEqual(
      illegal(
        'updating component template [time] results in invalid composable template [timed] after ' +
          'templates are merged',
      ),
    )
    await ok('PUT /_component_template/time', part('date_nanos'))
  })

  it('keeps the mark of its mappings', async () => {
    await ok('PUT /_data_stream/logs-a')
    expect(
      await failure('PUT /logs-a/_mapping', { _data_stream_timestamp: { enabled: false } }),
    ).toEqual(
      illegal(
        'Mapper for [_data_stream_timestamp] conflicts with existing mapper:\n\t' +
          'Cannot update parameter [enabled] from [true] to [false]',
      ),
    )
    await ok('PUT /logs-a/_mapping', { _data_stream_timestamp: { enabled: true } })
    expect(
      await failure('PUT /plain', { mappings: { _data_stream_timestamp: { enabled: true } } }),
    ).toEqual([
      400,
      'mapper_parsing_exception',
      'Failed to parse mapping [_doc]: data stream timestamp field [@timestamp] does not exist',
    ])
  })

  it('tells what it holds', async () => {
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': '2026-01-01T00:00:00Z' })
    await ok('POST /logs-a/_rollover')
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': '2025-06-01T00:00:00Z' })
    await ok('PUT /_data_stream/logs-b')
    const stats = await ok('GET /_data_stream/_stats')
    expect(stats).toEqual({
      _shards: { total: 3, successful: 3, failed: 0 },
      data_stream_count: 2,
      backing_indices: 3,
      total_store_size_bytes: expect.any(Number),
      data_streams: [
        {
          data_stream: 'logs-a',
          backing_indices: 2,
          store_size_bytes: expect.any(Number),
          maximum_timestamp: Date.UTC(2026, 0, 1),
        },
        {
          data_stream: 'logs-b',
          backing_indices: 1,
          store_size_bytes: expect.any(Number),
          maximum_timestamp: 0,
        },
      ],
    })
    expect(stats.data_streams[0].store_size_bytes).toBeGreaterThan(0)
    const shown = await ok('GET /_data_stream/logs-b/_stats?human')
    expect(shown.data_stream_count).toBe(1)
    expect(shown.total_store_size).toMatch(/b$/)
    expect(shown.data_streams[0].store_size).toMatch(/b$/)
    expect(await failure('GET /_data_stream/none/_stats')).toEqual(missing('none'))
  })
})

describe('the rollover of a data stream', () => {
  it('goes on to its next index', async () => {
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': 1 })
    const conditions = { max_docs: 1, max_age: '7d' }
    const answer = {
      acknowledged: false,
      shards_acknowledged: false,
      old_index: first,
      new_index: second,
      rolled_over: false,
      dry_run: true,
      conditions: { '[max_docs: 1]': true, '[max_age: 7d]': false },
    }
    expect(await ok('POST /logs-a/_rollover?dry_run', { conditions })).toEqual(answer)
    expect(await backing('logs-a')).toEqual([first])
    const more = { conditions: { max_docs: 2 } }
    expect((await ok('POST /logs-a/_rollover', more)).rolled_over).toBe(false)
    expect(await ok('POST /logs-a/_rollover', { conditions })).toEqual({
      ...answer,
      acknowledged: true,
      shards_acknowledged: true,
      rolled_over: true,
      dry_run: false,
    })
    const { data_streams } = await ok('GET /_data_stream')
    expect(data_streams[0]).toMatchObject({ generation: 2 })
    expect(await backing('logs-a')).toEqual([first, second])
    expect((await ok('POST /logs-a/_doc', { '@timestamp': 2 }))._index).toBe(second)
  })

  it('follows the template as it is by then', async () => {
    await ok('PUT /_data_stream/logs-a')
    await ok('PUT /_index_template/logs', {
      index_patterns: ['logs-*'],
      data_stream: {},
      template: { settings: { number_of_shards: 2 } },
    })
    await ok('POST /logs-a/_rollover')
    expect((await ok(`GET /${second}/_settings`))[second].settings.index).toMatchObject({
      number_of_shards: '2',
      hidden: 'true',
    })
  })

  it('is one of two that start at once, where a condition was met for the old index', async () => {
    await ok('POST /logs-a/_doc?refresh', { '@timestamp': 1 })
    const conditions = { max_docs: 1 }
    const answers = await Promise.all(
      [1, 2].map(() => ok('POST /logs-a/_rollover', { conditions })),
    )
    expect(answers.map(answer => answer.rolled_over).sort()).toEqual([false, true])
    expect(await backing('logs-a')).toEqual([first, second])
  })

  it.each<[string, object | undefined, string]>([
    ['next', undefined, 'new index name may not be specified when rolling over a data stream'],
    ...['settings', 'mappings', 'aliases'].map((key): [string, object, string] => [
      '',
      { [key]: key === 'settings' ? { number_of_shards: 1 } : {} },
      'aliases, mappings, and index settings may not be specified when rolling over a data stream',
    ]),
  ])('takes its index from templates alone: %j %j', async (name, body, reason) => {
    await ok('PUT /_data_stream/logs-a')
    const path = name === '' ? '_rollover' : `_rollover/${name}`
    expect(await failure(`POST /logs-a/${path}`, body)).toEqual(illegal(reason))
    expect(await backing('logs-a')).toEqual([first])
  })

  it('is refused where the next index is there already', async () => {
    await ok('PUT /_data_stream/logs-a')
    await ok(`PUT /${second}`)
    for (const dry of ['true', 'false'])
      expect(await failure(`POST /logs-a/_rollover?dry_run=${dry}`)).toEqual([
        400,
        'resource_already_exists_exception',
        expect.stringMatching(/^index \[\.ds-logs-a-000002\/.{22}\] already exists$/),
      ])
  })
})

describe('a batch of changes of data streams', () => {
  const modify = (...actions: object[]): Promise<unknown> =>
    ok('POST /_data_stream/_modify', { actions })
  const add = (index: string, data_stream = 'logs-a'): object => ({
    add_backing_index: { data_stream, index },
  })
  const remove = (index: string, data_stream = 'logs-a'): object => ({
    remove_backing_index: { data_stream, index },
  })
  const dated = { mappings: { properties: { '@timestamp': { type: 'date' } } } }

  it('puts indices behind the write index and takes some out', async () => {
    await ok('PUT /_data_stream/logs-a')
    await ok('PUT /old', dated)
    expect(await modify(add('old'))).toEqual({ acknowledged: true })
    expect(await backing('logs-a')).toEqual(['old', first])
    expect((await ok('GET /_data_stream')).data_streams[0].generation).toBe(1)
    const joined = (await ok('GET /old'))['old']
    expect(joined.data_stream).toBe('logs-a')
    expect(joined.settings.index.hidden).toBe('true')
    expect(joined.mappings._data_stream_timestamp).toEqual({ enabled: true })
    await modify(remove('old'))
    expect(await backing('logs-a')).toEqual([first])
    const left = (await ok('GET /old'))['old']
    expect(left.data_stream).toBeUndefined()
    expect(left.settings.index.hidden).toBeUndefined()
    await ok('POST /logs-a/_rollover')
    await modify(remove(first), add(first), add('old'))
    expect(await backing('logs-a')).toEqual(['old', first, second])
  })

  it.each<[string, object[], string]>([
    ['no stream', [add('old', 'none')], 'data stream [none] not found'],
    ['no index', [add('none')], 'index [none] not found'],
    [
      'the write index',
      [remove(second)],
      `cannot remove backing index [${second}] of data stream [logs-a] because it is the write index`,
    ],
    ['a stranger', [remove('old')], 'index [old] is not part of data stream [logs-a]'],
    [
      'of another',
      [add('.ds-logs-b-000001')],
      'cannot add index [.ds-logs-b-000001] to data stream [logs-a] because it is already a backing ' +
        'index of data stream [logs-b]',
    ],
    [
      'aliased',
      [add('old'), add('named')],
      'cannot add index [named] to data stream [logs-a] until its aliases [n] are removed',
    ],
    [
      'without dates',
      [add('old'), add('bare')],
      'data stream timestamp field [@timestamp] does not exist',
    ],
    [
      'ahead',
      [add('.ds-logs-a-000007')],
      'cannot add index [.ds-logs-a-000007] to data stream [logs-a] because its number is above that ' +
        `of the write index [${second}]`,
    ],
  ])('changes nothing where one cannot be: %s', async (_title, actions, reason) => {
    await ok('PUT /_data_stream/logs-a')
    await ok('PUT /_data_stream/logs-b')
    await ok('POST /logs-a/_rollover')
    await ok('PUT /old', dated)
    await ok('PUT /bare')
    await ok('PUT /named', { ...dated, aliases: { n: {} } })
    await ok('PUT /.ds-logs-a-000007', dated)
    expect(await failure('POST /_data_stream/_modify', { actions })).toEqual(illegal(reason))
    expect(await backing('logs-a')).toEqual([first, second])
    expect((await ok('GET /old'))['old'].settings.index.hidden).toBeUndefined()
  })

  it.each<[object, string, RegExp]>([
    [
      { actions: [] },
      'action_request_validation_exception',
      /^Validation Failed: 1: must specify at least one data stream modification action;$/,
    ],
    [
      { action: [] },
      'x_content_parse_exception',
      /unknown field \[action\] did you mean \[actions\]/,
    ],
    [
      { actions: {} },
      'x_content_parse_exception',
      /actions doesn't support values of type: START_OBJECT/,
    ],
    [{ actions: [{}] }, 'illegal_argument_exception', /^No data stream operation declared/],
    [
      { actions: [{ add: {} }] },
      'x_content_parse_exception',
      /\[data_stream_action\] unknown field \[add\]/,
    ],
    [
      { actions: [{ add_backing_index: { index: 'a' } }] },
      'illegal_argument_exception',
      /^\[data_stream\] is required$/,
    ],
    [
      { actions: [{ add_backing_index: { data_stream: 'a' } }] },
      'illegal_argument_exception',
      /^\[index\] is required$/,
    ],
    [
      { actions: [{ add_backing_index: {}, remove_backing_index: {} }] },
      'illegal_argument_exception',
      /^Too many data stream operations/,
    ],
  ])('is refused as %j', async (body, type, reason) => {
    const { status, json } = await rest.call('POST /_data_stream/_modify', body)
    const root = { type, reason: expect.stringMatching(reason) }
    expect([status, json.error.type, json.error.root_cause]).toEqual([400, type, [root]])
  })
})
