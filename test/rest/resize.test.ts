import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const BLOCK = { 'index.blocks.write': true }

/** An index of 40 documents that is ready to be resized. */
const source = async (shards: number, settings: object = {}, mappings: object = {}) => {
  await ok('PUT /source', {
    settings: { number_of_shards: shards, number_of_replicas: 0, ...settings },
    mappings,
  })
  const lines = Array.from({ length: 40 }, (_, i) => [{ index: { _id: `d${i}` } }, { n: i }])
  await ok('POST /source/_bulk', ndjson(...lines.flat()))
  await ok('PUT /source/_settings', BLOCK)
}

const settingsOf = async (index: string) =>
  (await ok(`GET /${index}/_settings?flat_settings=true`))[index].settings

/** The ids below an index, as a search and gets find them. */
const idsOf = async (index: string): Promise<string[]> => {
  const { hits } = await ok(`GET /${index}/_search?size=100`)
  const ids: string[] = hits.hits.map(({ _id }: { _id: string }) => _id)
  for (const id of ids) await ok(`GET /${index}/_doc/${id}`)
  return ids.sort()
}
const ALL = Array.from({ length: 40 }, (_, i) => `d${i}`).sort()

beforeEach(async () => {
  for (const index of ['source', 'target', 'other'])
    await rest.call(`PUT /${index}/_settings`, {
      'index.blocks.read_only': null,
      'index.blocks.metadata': null,
    })
  await rest.call('DELETE /*?expand_wildcards=all')
  await rest.call('DELETE /_template/*')
})

describe('a resize', () => {
  it.each([
    ['PUT', 'split', 4, { settings: { 'index.number_of_shards': 4 } }],
    ['POST', 'split', 8, { settings: { number_of_shards: 8 } }],
    ['POST', 'split', 2, { settings: { number_of_shards: 2 } }],
    ['PUT', 'clone', 2, undefined],
    ['POST', 'clone', 2, { settings: { number_of_shards: 2 } }],
    ['PUT', 'shrink', 1, {}],
    ['POST', 'shrink', 1, { settings: { 'index.number_of_shards': 1 } }],
    ['POST', 'shrink', 2, { settings: { 'index.number_of_shards': 2 } }],
  ])('%s _%s to %i shards finds every document', async (method, kind, shards, body) => {
    await source(2)
    expect(await ok(`${method} /source/_${kind}/target`, body)).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      index: 'target',
    })
    expect((await settingsOf('target'))['index.number_of_shards']).toBe(String(shards))
    expect(await idsOf('target')).toEqual(ALL)
    await ok('POST /source/_refresh')
    expect(await idsOf('source')).toEqual(ALL)
  })

  it('leaves unrefreshed and unflushed writes out of nothing', async () => {
    await ok('PUT /source', { settings: { number_of_shards: 2, refresh_interval: -1 } })
    for (const id of ALL.slice(0, 9)) await ok(`PUT /source/_doc/${id}`, { n: 1 })
    await ok('DELETE /source/_doc/d0')
    await ok('PUT /source/_settings', BLOCK)
    await ok('POST /source/_clone/target')
    expect(await idsOf('target')).toEqual(ALL.slice(1, 9))
  })

  it('takes writes once the copied block is lifted, and counts their numbers on', async () => {
    await source(2)
    const before = await ok('GET /source/_doc/d7')
    await ok('PUT /source/_clone/target', { settings: { 'index.blocks.write': null } })
    const same = await ok('GET /target/_doc/d7')
    expect([same._version, same._seq_no, same._primary_term]).toEqual([
      before._version,
      before._seq_no,
      before._primary_term,
    ])
    const { _shards, _seq_no, ...written } = await ok('PUT /target/_doc/d7', { n: 70 })
    expect(written).toMatchObject({ _version: 2, _primary_term: 2, result: 'updated' })
    expect(_seq_no).toBeGreaterThan(before._seq_no)
    expect((await ok('GET /source/_doc/d7'))._source).toEqual({ n: 7 })
    const deleted = await ok('DELETE /target/_doc/d8')
    expect([deleted._version, deleted._seq_no]).toEqual([2, expect.any(Number)])
    await ok('POST /target/_refresh')
    expect(await idsOf('target')).toEqual(ALL.filter(id => id !== 'd8'))
  })

  it('copies mapping and settings, but what belongs to the source alone', async () => {
    await source(
      2,
      {
        number_of_routing_shards: 8,
        'merge.scheduler.max_merge_count': 4,
        'routing.allocation.include.zone': 'a',
        'analysis.analyzer.mine.type': 'whitespace',
        refresh_interval: '7s',
      },
      { properties: { t: { type: 'text', analyzer: 'mine' }, n: { type: 'long' } } },
    )
    await ok('PUT /_template/t', {
      index_patterns: ['targ*'],
      mappings: { properties: { n: { type: 'keyword' } } },
      aliases: { never: {} },
    })
    await ok('PUT /source/_shrink/target', {
      settings: { refresh_interval: '9s' },
      aliases: { short: { filter: { term: { n: 3 } } } },
    })
    const [from, to] = [await settingsOf('source'), await settingsOf('target')]
    expect(to).toEqual({
      'index.analysis.analyzer.mine.type': 'whitespace',
      'index.blocks.write': 'true',
      'index.creation_date': expect.any(String),
      'index.merge.scheduler.max_merge_count': '4',
      'index.number_of_replicas': '1',
      'index.number_of_shards': '1',
      'index.provided_name': 'target',
      'index.refresh_interval': '9s',
      'index.replication.type': 'DOCUMENT',
      'index.resize.source.name': 'source',
      'index.resize.source.uuid': from['index.uuid'],
      'index.routing.allocation.include.zone': 'a',
      'index.routing_partition_size': '1',
      'index.uuid': expect.not.stringContaining(from['index.uuid']),
      'index.version.created': from['index.version.created'],
    })
    const [mappings, own] = await Promise.all(
      ['source', 'target'].map(async index => (await ok(`GET /${index}`))[index]),
    )
    expect(own.mappings).toEqual(mappings.mappings)
    expect(own.aliases).toEqual({ short: { filter: { term: { n: 3 } } } })
    expect((await ok('GET /short/_search')).hits.total.value).toBe(1)
  })

  it('takes date maths for both names', async () => {
    await source(1)
    const month = new Date().toISOString().slice(0, 7).replace('-', '.')
    const name = encodeURIComponent('<t-{now/M{yyyy.MM}}>')
    expect((await ok(`PUT /source/_clone/${name}`)).index).toBe(`t-${month}`)
    expect((await settingsOf(`t-${month}`))['index.provided_name']).toBe('<t-{now/M{yyyy.MM}}>')
    expect((await ok(`PUT /${name}/_clone/target`)).index).toBe('target')
  })

  it('routes what is split from one shard as a new index does', async () => {
    await source(1)
    await ok('PUT /source/_split/target', {
      settings: { number_of_shards: 3, number_of_routing_shards: 6 },
    })
    expect(await idsOf('target')).toEqual(ALL)
    await ok('PUT /target/_split/other', { settings: { number_of_shards: 6 } })
    expect(await idsOf('other')).toEqual(ALL)
  })

  it('finds documents by routing and partition in every new shard', async () => {
    await ok('PUT /source', {
      settings: { number_of_shards: 4, routing_partition_size: 3 },
      mappings: { _routing: { required: true } },
    })
    const lines = Array.from({ length: 60 }, (_, i) => [
      { index: { _id: `d${i}`, routing: `r${i % 5}` } },
      { n: i },
    ])
    await ok('POST /source/_bulk?refresh', ndjson(...lines.flat()))
    await ok('PUT /source/_settings', BLOCK)
    await ok('PUT /source/_split/target', { settings: { number_of_shards: 16 } })
    await ok('PUT /target/_shrink/other', { settings: { number_of_shards: 8 } })
    for (const index of ['source', 'target', 'other'])
      for (let i = 0; i < 60; i++)
        expect((await ok(`GET /${index}/_doc/d${i}?routing=r${i % 5}`))._source.n).toBe(i)
    // Spread over more than one shard, but not over all.
    const { shards } = (await ok('GET /other/_stats?level=shards')).indices.other
    const counts = Object.values<{ docs: { count: number } }[]>(shards).map(([one]) => one!.docs)
    expect(counts.filter(({ count }) => count > 0).length).toBeGreaterThan(3)
  })

  it.each([
    ['10gb', 1],
    ['1b', 12],
    ['0.6kb', expect.toBeOneOf([6, 12])],
  ])('makes as few shards as stay below %s', async (max_shard_size, count) => {
    await source(12)
    await ok('PUT /source/_shrink/target', { max_shard_size })
    const shards = Number((await settingsOf('target'))['index.number_of_shards'])
    expect(shards).toEqual(count)
    expect(await idsOf('target')).toEqual(ALL)
  })

  it('replaces both of two documents of one id that come into one shard', async () => {
    await ok('PUT /source', { settings: { number_of_shards: 8 } })
    // Some of these routings lead to different shards.
    for (const routing of ['a', 'b', 'c', 'd', 'e'])
      await ok(`PUT /source/_doc/same?routing=${routing}&refresh`, { routing })
    await ok('PUT /source/_settings', BLOCK)
    await ok('PUT /source/_shrink/target', { settings: { 'index.blocks.write': null } })
    const count = async () => (await ok('GET /target/_search')).hits.total.value
    expect(await count()).toBeGreaterThan(1)
    expect((await ok('PUT /target/_doc/same?refresh', { n: 1 })).result).toBe('updated')
    expect(await count()).toBe(1)
    await ok('DELETE /target/_doc/same?refresh')
    expect(await count()).toBe(0)
  })

  it('keeps nested documents with theirs', async () => {
    const mappings = {
      properties: { c: { type: 'nested', properties: { a: { type: 'keyword' } } } },
    }
    await ok('PUT /source', { settings: { number_of_shards: 2 }, mappings })
    const lines = Array.from({ length: 30 }, (_, i) => [
      { index: { _id: `d${i}` } },
      { c: [{ a: `x${i % 3}` }, { a: `y${i % 4}` }] },
    ])
    await ok('POST /source/_bulk?refresh', ndjson(...lines.flat()))
    for (let i = 0; i < 30; i += 7) await ok(`DELETE /source/_doc/d${i}?refresh`)
    await ok('PUT /source/_settings', BLOCK)
    await ok('PUT /source/_split/target', { settings: { number_of_shards: 8 } })
    await ok('PUT /target/_shrink/other')
    const found = async (index: string, a: string) => {
      const query = { nested: { path: 'c', query: { term: { 'c.a': a } } } }
      const { hits } = await ok(`POST /${index}/_search?size=50`, { query })
      return hits.hits.map(({ _id }: { _id: string }) => _id).sort()
    }
    for (const a of ['x0', 'x2', 'y1', 'y3']) {
      expect(await found('target', a)).toEqual(await found('source', a))
      expect(await found('other', a)).toEqual(await found('source', a))
    }
    await ok('POST /other/_forcemerge?max_num_segments=1')
    expect(await found('other', 'y3')).toEqual(await found('source', 'y3'))
  })

  it('answers with a task where nobody waits for it', async () => {
    await source(2)
    const { task } = await ok('PUT /source/_shrink/target?wait_for_completion=false')
    const done = await ok(`GET /_tasks/${task}?wait_for_completion=true`)
    expect(done).toMatchObject({
      completed: true,
      task: {
        action: 'indices:admin/resize',
        description: 'shrink from [source] to [target]',
        cancellable: true,
      },
      response: { acknowledged: true, shards_acknowledged: true, index: 'target' },
    })
    expect(await idsOf('target')).toEqual(ALL)
  })

  it('is given up, and leaves nothing, when its time is over', async () => {
    await source(2)
    const line = 'PUT /source/_clone/target?wait_for_completion=false&task_execution_timeout=0ms'
    const { task } = await ok(line)
    const { error } = (await rest.call(`GET /_tasks/${task}?wait_for_completion=true`)).json
    expect([error.type, error.reason]).toEqual([
      'timeout_exception',
      'clone from [source] to [target] was not done within [0ms]',
    ])
    expect((await rest.call('HEAD /target')).status).toBe(404)
    await ok('PUT /source/_clone/target?timeout=10s&cluster_manager_timeout=10s')
  })

  it('warns of copy_settings', async () => {
    await source(1)
    const { status, headers } = await rest.call('PUT /source/_clone/target?copy_settings=true')
    expect(status).toBe(200)
    expect(headers['warning']).toContain(
      'parameter [copy_settings] is deprecated and will be removed in 3.0.0',
    )
  })

  it('says when more copies were waited for than there are', async () => {
    await source(1)
    const settings = { number_of_replicas: 1 }
    const line = 'PUT /source/_clone/target?wait_for_active_shards=2&master_timeout=1s'
    expect((await ok(line, { settings })).shards_acknowledged).toBe(false)
  })
})

const VALIDATION = 'action_request_validation_exception'
const ILLEGAL = 'illegal_argument_exception'
const BLOCKED = ', this will disable metadata writes and cause the shards to be unassigned'

describe('a resize is refused', () => {
  it.each([
    // Without a source, as it is the request alone.
    [
      'split',
      {},
      400,
      VALIDATION,
      'Validation Failed: 1: index.number_of_shards is required for split operations;',
    ],
    [
      'clone',
      { settings: { 'index.sort.field': 'n' }, max_shard_size: '5gb' },
      400,
      VALIDATION,
      "Validation Failed: 1: can't override index sort when resizing an index;" +
        '2: Unsupported parameter [max_shard_size];',
    ],
    [
      'shrink',
      { settings: { number_of_shards: 2 }, max_shard_size: '0b' },
      400,
      VALIDATION,
      'Validation Failed: 1: Cannot set max_shard_size and index.number_of_shards at the same time!;' +
        '2: max_shard_size must be greater than 0;',
    ],
    [
      'clone',
      { settings: { 'blocks.read_only': true, 'index.blocks.metadata': 'true' } },
      400,
      VALIDATION,
      `Validation Failed: 1: target index [target] will be blocked by [index.blocks.read_only=true]${BLOCKED};` +
        `2: target index [target] will be blocked by [index.blocks.metadata=true]${BLOCKED};`,
    ],
    [
      'clone',
      { setings: {} },
      400,
      'x_content_parse_exception',
      '[1:2] [resize_request] unknown field [setings] did you mean [settings]?',
    ],
    [
      'shrink',
      { max_shard_size: 5 },
      400,
      'x_content_parse_exception',
      "[1:2] [resize_request] max_shard_size doesn't support values of type: VALUE_NUMBER",
    ],
    [
      'shrink',
      { max_shard_size: 'big' },
      400,
      'x_content_parse_exception',
      '[1:2] [resize_request] failed to parse field [max_shard_size]',
    ],
    [
      'clone',
      { aliases: [] },
      400,
      'x_content_parse_exception',
      "[1:2] [resize_request] aliases doesn't support values of type: START_ARRAY",
    ],
    ['clone', {}, 404, 'index_not_found_exception', 'no such index [source]'],
  ])('without a source: _%s %j', async (kind, body, ...expected) => {
    expect(await failure(`POST /source/_${kind}/target`, body)).toEqual(expected)
  })

  it.each([
    [
      'shrink',
      4,
      8,
      'the number of target shards [8] must be less that the number of source shards [4]',
    ],
    ['shrink', 4, 3, 'the number of source shards [4] must be a multiple of [3]'],
    ['split', 4, 3, 'the number of source shards [4] must be a multiple of [3]'],
    ['split', 4, 6, 'the number of source shards [4] must be a factor of [6]'],
    [
      'split',
      4,
      2,
      'the number of source shards [4] must be less that the number of target shards [2]',
    ],
    [
      'clone',
      2,
      6,
      'the number of target shards (6) must be the same as the number of source shards (2)',
    ],
    ['clone', 2, 0, 'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1'],
  ])('_%s from %i to %i shards', async (kind, from, to, reason) => {
    await source(from)
    const body = { settings: { 'index.number_of_shards': to } }
    expect(await failure(`PUT /source/_${kind}/target`, body)).toEqual([400, ILLEGAL, reason])
    expect((await rest.call('HEAD /target')).status).toBe(404)
  })

  it('where documents cannot be routed to so many shards', async () => {
    await source(2, { number_of_routing_shards: 4 })
    const body = { settings: { number_of_shards: 6 } }
    expect(await failure('PUT /source/_split/target', body)).toEqual([
      500,
      'illegal_state_exception',
      'the number of routing shards [4] must be a multiple of the target shards [6]',
    ])
  })

  it.each([
    [
      'clone',
      { 'index.number_of_routing_shards': 8 },
      'cannot provide index.number_of_routing_shards on resize',
    ],
    [
      'clone',
      { routing_partition_size: 2 },
      'cannot provide a routing partition size value when resizing an index',
    ],
    [
      'clone',
      { 'soft_deletes.enabled': false },
      "Can't disable [index.soft_deletes.enabled] setting on resize",
    ],
    [
      'clone',
      { 'index.uuid': 'x' },
      'private index setting [index.uuid] can not be set explicitly',
    ],
    ['shrink', {}, "can't shrink an index with only one shard"],
  ])('_%s with %j', async (kind, settings, reason) => {
    await source(1)
    expect(await failure(`PUT /source/_${kind}/target`, { settings })).toEqual([
      400,
      ILLEGAL,
      reason,
    ])
  })

  it('while its source may be written to, and for names that cannot be', async () => {
    await source(2)
    await ok('PUT /other', { aliases: { taken: {} } })
    expect(await failure('PUT /source/_clone/other')).toEqual([
      400,
      'resource_already_exists_exception',
      expect.stringMatching(/^index \[other\/.{22}\] already exists$/),
    ])
    expect(await failure('PUT /source/_clone/taken')).toEqual([
      400,
      'invalid_index_name_exception',
      'Invalid index name [taken], already exists as alias',
    ])
    expect(await failure('PUT /source/_clone/Upper')).toEqual([
      400,
      'invalid_index_name_exception',
      'Invalid index name [Upper], must be lowercase',
    ])
    await ok('PUT /source/_settings', { 'index.blocks.write': null })
    for (const kind of ['clone', 'shrink'])
      expect(await failure(`PUT /source/_${kind}/target`)).toEqual([
        500,
        'illegal_state_exception',
        'index source must be read-only to resize index. use "index.blocks.write=true"',
      ])
    await ok('POST /source/_close')
    expect(await failure('PUT /source/_clone/target')).toEqual([
      400,
      'index_closed_exception',
      'closed',
    ])
  })

  it('where its target would be blocked by a copied setting, unless that is said otherwise', async () => {
    await source(2)
    await ok('PUT /source/_settings', { 'index.blocks.read_only': true })
    expect(await failure('PUT /source/_clone/target')).toEqual([
      400,
      ILLEGAL,
      'target index [target] will be blocked by [index.blocks.read_only=true] which is copied from the ' +
        `source index [source]${BLOCKED}`,
    ])
    await ok('PUT /source/_clone/target', { settings: { 'index.blocks.read_only': null } })
    expect(await settingsOf('target')).not.toHaveProperty('index.blocks.read_only')
    expect(await idsOf('target')).toEqual(ALL)
  })

  it('where its source, or the cluster, is blocked', async () => {
    await source(2)
    await ok('PUT /source/_settings', { 'index.blocks.metadata': true })
    expect(await failure('PUT /source/_clone/target')).toEqual([
      403,
      'cluster_block_exception',
      'index [source] blocked by: [FORBIDDEN/9/index metadata (api)];',
    ])
    await ok('PUT /_cluster/settings', { transient: { 'cluster.blocks.read_only': true } })
    expect(await failure('PUT /source/_clone/target')).toEqual([
      403,
      'cluster_block_exception',
      'blocked by: [FORBIDDEN/6/cluster read-only (api)];',
    ])
    await ok('PUT /_cluster/settings', { transient: { 'cluster.blocks.read_only': null } })
  })

  it.each([
    ['copy_settings=false', '[copySettings] can not be explicitly set to [false]'],
    [
      'wait_for_completion=maybe',
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
    ['wait_for_active_shards=x', 'cannot parse ActiveShardCount[x]'],
    [
      'wait_for_active_shards=3',
      'invalid wait_for_active_shards[3]: cannot be greater than number of shard copies [2]',
    ],
    ['dry_run', 'request [/source/_clone/target] contains unrecognized parameter: [dry_run]'],
  ])('with ?%s', async (query, reason) => {
    await source(2)
    expect(await failure(`PUT /source/_clone/target?${query}`)).toEqual([400, ILLEGAL, reason])
  })
})

describe('a partitioned index', () => {
  it('needs routing, and fewer partitions than documents are routed over', async () => {
    const settings = { number_of_shards: 2, routing_partition_size: 2 }
    expect(
      await failure('PUT /source', { settings, mappings: { properties: { n: { type: 'long' } } } }),
    ).toEqual([
      400,
      ILLEGAL,
      'mapping type [_doc] must have routing required for partitioned index [source]',
    ])
    const many = { ...settings, number_of_routing_shards: 2 }
    expect(await failure('PUT /source', { settings: many })).toEqual([
      400,
      ILLEGAL,
      'routing partition size [2] should be a positive number less than the number of routing shards [2] for [source]',
    ])
    await ok('PUT /source', { settings })
    expect(await failure('PUT /source/_doc/1', { n: 1 })).toEqual([
      400,
      ILLEGAL,
      'mapping type [_doc] must have routing required for partitioned index [source]',
    ])
    await ok('PUT /source/_mapping', { _routing: { required: true } })
    await ok('PUT /source/_doc/1?routing=r', { n: 1 })
  })
})
