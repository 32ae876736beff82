import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r7' })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const ID = expect.stringMatching(/^[\w-]{22}$/)

beforeEach(async () => {
  await rest.call('DELETE /_data_stream/*')
  await rest.call('DELETE /*?expand_wildcards=all')
  await rest.call('DELETE /_index_template/*')
  await rest.call('DELETE /_component_template/*')
  await rest.call('DELETE /_template/*')
})

describe('the state of the cluster', () => {
  it('has every metric in the documented order', async () => {
    const state = await ok('GET /_cluster/state')
    expect(Object.keys(state)).toEqual([
      'cluster_name',
      'cluster_uuid',
      'version',
      'state_uuid',
      'master_node',
      'cluster_manager_node',
      'blocks',
      'nodes',
      'metadata',
      'routing_table',
      'routing_nodes',
    ])
    const { cluster_uuid, cluster_manager_node: node } = state
    expect(state).toMatchObject({
      cluster_name: 'lamella',
      cluster_uuid: ID,
      state_uuid: ID,
      master_node: ID,
      blocks: {},
      routing_table: { indices: {} },
      routing_nodes: { unassigned: [], nodes: { [node]: [] } },
    })
    expect(state.nodes).toEqual({
      [node]: {
        name: 'lamella-0',
        ephemeral_id: ID,
        transport_address: '127.0.0.1:0',
        attributes: { rack: 'r7' },
      },
    })
    expect(Object.keys(state.metadata)).toEqual([
      'cluster_uuid',
      'cluster_uuid_committed',
      'cluster_coordination',
      'templates',
      'indices',
      'index-graveyard',
    ])
    expect(state.metadata).toMatchObject({
      cluster_uuid,
      cluster_uuid_committed: true,
      cluster_coordination: {
        term: 1,
        last_committed_config: [node],
        last_accepted_config: [node],
        voting_config_exclusions: [],
      },
      templates: {},
      indices: {},
    })
  })

  it.each([
    ['version', ['version', 'state_uuid']],
    ['cluster_manager_node', ['cluster_manager_node']],
    ['blocks', ['blocks']],
    ['nodes', ['nodes']],
    ['metadata', ['metadata']],
    ['routing_table', ['routing_table']],
    ['routing_nodes', ['routing_nodes']],
    ['routing_nodes,version', ['version', 'state_uuid', 'routing_nodes']],
  ])('is narrowed to the metric %s', async (metric, keys) => {
    const { headers, json } = await rest.call(`GET /_cluster/state/${metric}`)
    expect(Object.keys(json)).toEqual(['cluster_name', 'cluster_uuid', ...keys])
    expect(headers['warning']).toBeUndefined()
  })

  it('warns of the older name of the cluster manager, where it was asked for', async () => {
    const { headers, json } = await rest.call('GET /_cluster/state/master_node')
    expect(json.master_node).toEqual(ID)
    expect(headers['warning']).toContain(
      'Assigning [master_node] to parameter [metric] is deprecated and will be removed in 3.0. To ' +
        'support inclusive language, please use [cluster_manager_node] instead.',
    )
    expect((await rest.call('GET /_cluster/state/_all')).headers['warning']).toBeUndefined()
  })

  it('refuses what is no metric', async () => {
    expect(await failure('GET /_cluster/state/metadat')).toEqual([
      400,
      'illegal_argument_exception',
      'request [/_cluster/state/metadat] contains unrecognized metric: [metadat] -> did you mean [metadata]?',
    ])
    expect(await failure('GET /_cluster/state?level=shards')).toEqual([
      400,
      'illegal_argument_exception',
      expect.stringMatching(/contains unrecognized parameter: \[level\]/),
    ])
  })

  it('shows indices with their versions, settings, mappings, aliases and shards', async () => {
    await ok('PUT /books', {
      settings: { number_of_shards: 2, number_of_replicas: 1 },
      mappings: { properties: { title: { type: 'text' } } },
      aliases: { b: {}, a: {} },
    })
    const state = await ok('GET /_cluster/state')
    const node = state.cluster_manager_node
    const { books } = state.metadata.indices
    expect(books).toEqual({
      version: 1,
      mapping_version: 1,
      settings_version: 1,
      aliases_version: 1,
      routing_num_shards: 1024,
      state: 'open',
      settings: {
        index: expect.objectContaining({ number_of_shards: '2', uuid: ID, provided_name: 'books' }),
      },
      mappings: { _doc: { properties: { title: { type: 'text' } } } },
      aliases: ['a', 'b'],
      primary_terms: { 0: 1, 1: 1 },
      in_sync_allocations: { 0: [ID], 1: [ID] },
      rollover_info: {},
      system: false,
    })
    const copies = state.routing_table.indices.books.shards
    expect(copies['1']).toEqual([
      {
        state: 'STARTED',
        primary: true,
        node,
        relocating_node: null,
        shard: 1,
        index: 'books',
        allocation_id: { id: books.in_sync_allocations['1'][0] },
      },
      {
        state: 'UNASSIGNED',
        primary: false,
        node: null,
        relocating_node: null,
        shard: 1,
        index: 'books',
        recovery_source: { type: 'PEER' },
        unassigned_info: {
          reason: 'INDEX_CREATED',
          at: expect.stringMatching(/^20\d\d-.*Z$/),
          delayed: false,
          allocation_status: 'no_attempt',
        },
      },
    ])
    expect(state.routing_nodes).toEqual({
      unassigned: [copies['0'][1], copies['1'][1]],
      nodes: { [node]: [copies['0'][0], copies['1'][0]] },
    })
    const flat = await ok('GET /_cluster/state/metadata?flat_settings')
    expect(flat.metadata.indices.books.settings['index.number_of_shards']).toBe('2')
  })

  it('gives every change of an index a higher version', async () => {
    const versions = async (): Promise<object> => {
      const { books } = (await ok('GET /_cluster/state/metadata')).metadata.indices
      return [
        books.version,
        books.mapping_version,
        books.settings_version,
        books.aliases_version,
        books.state,
      ]
    }
    await ok('PUT /books')
    await ok('PUT /books/_mapping', { properties: { n: { type: 'long' } } })
    expect(await versions()).toEqual([2, 2, 1, 1, 'open'])
    await ok('PUT /books/_settings', { number_of_replicas: 0 })
    expect(await versions()).toEqual([3, 2, 2, 1, 'open'])
    await ok('POST /_aliases', { actions: [{ add: { index: 'books', alias: 'a' } }] })
    expect(await versions()).toEqual([4, 2, 2, 2, 'open'])
    await ok('POST /books/_close')
    expect(await versions()).toEqual([5, 2, 3, 2, 'close'])
    const { blocks, routing_table } = await ok('GET /_cluster/state/blocks,routing_table')
    expect(blocks).toEqual({
      indices: {
        books: { 4: { description: 'index closed', retryable: false, levels: ['read', 'write'] } },
      },
    })
    expect(routing_table.indices.books.shards['0'][0].state).toBe('STARTED')
    await ok('POST /books/_open')
    expect(await versions()).toEqual([6, 2, 4, 2, 'open'])
  })

  it('shows blocks of indices and of the cluster', async () => {
    await ok('PUT /books')
    await ok('PUT /books/_settings', {
      'index.blocks.write': true,
      'index.blocks.read_only_allow_delete': true,
      'index.blocks.metadata': true,
      'index.blocks.read_only': true,
      'index.blocks.read': true,
    })
    await ok('PUT /_cluster/settings', {
      transient: { 'cluster.blocks.read_only': true, 'cluster.blocks.create_index': true },
    })
    const { blocks } = await ok('GET /_cluster/state/blocks')
    const block = (description: string, ...levels: string[]): object => ({
      description,
      retryable: false,
      levels,
    })
    expect(blocks).toEqual({
      global: {
        6: block('cluster read-only (api)', 'write', 'metadata_write'),
        10: block('cluster create-index blocked (api)', 'create_index'),
      },
      indices: {
        books: {
          5: block('index read-only (api)', 'write', 'metadata_write'),
          7: block('index read (api)', 'read'),
          8: block('index write (api)', 'write'),
          9: block('index metadata (api)', 'metadata_read', 'metadata_write'),
          12: block(
            'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
            'write',
            'metadata_write',
          ),
        },
      },
    })
    await ok('PUT /_cluster/settings', {
      transient: { 'cluster.blocks.read_only': null, 'cluster.blocks.create_index': null },
    })
    await ok('PUT /books/_settings', {
      'index.blocks.metadata': false,
      'index.blocks.read_only': false,
      'index.blocks.read': false,
      'index.blocks.read_only_allow_delete': false,
    })
  })

  it('shows templates, data streams, deleted indices and what was rolled over', async () => {
    await ok('PUT /_template/old', {
      index_patterns: ['old*'],
      order: 3,
      version: 5,
      settings: { number_of_shards: 1 },
      mappings: { properties: { n: { type: 'long' } } },
      aliases: { a: {} },
    })
    await ok('PUT /_component_template/part', { template: { settings: { number_of_replicas: 0 } } })
    await ok('PUT /_index_template/logs', {
      index_patterns: ['logs-*'],
      data_stream: {},
      composed_of: ['part'],
    })
    await ok('PUT /logs-a/_create/1?refresh', { '@timestamp': 1 })
    await ok('POST /logs-a/_rollover', {
      conditions: { max_docs: 1, max_age: '0d', max_size: '50gb' },
    })
    await ok('PUT /gone')
    const { uuid } = (await ok('GET /gone/_settings')).gone.settings.index
    await ok('DELETE /gone')
    const { metadata } = await ok('GET /_cluster/state/metadata')
    expect(metadata.templates).toEqual({
      old: {
        order: 3,
        version: 5,
        index_patterns: ['old*'],
        settings: { index: { number_of_shards: '1' } },
        mappings: { _doc: { properties: { n: { type: 'long' } } } },
        aliases: { a: {} },
      },
    })
    expect(metadata.component_template.component_template).toEqual({
      part: { template: { settings: { index: { number_of_replicas: '0' } } } },
    })
    expect(metadata.index_template.index_template).toEqual({
      logs: {
        index_patterns: ['logs-*'],
        composed_of: ['part'],
        data_stream: { timestamp_field: { name: '@timestamp' } },
      },
    })
    const [first, second] = ['.ds-logs-a-000001', '.ds-logs-a-000002']
    expect(metadata.data_stream.data_stream).toEqual({
      'logs-a': {
        name: 'logs-a',
        timestamp_field: { name: '@timestamp' },
        indices: [first, second].map(index_name => ({ index_name, index_uuid: ID })),
        generation: 2,
      },
    })
    expect(metadata.indices[first!].rollover_info).toEqual({
      'logs-a': { met_conditions: { max_docs: 1, max_age: '0d' }, time: expect.any(Number) },
    })
    expect(metadata.indices[second!].rollover_info).toEqual({})
    const { tombstones } = metadata['index-graveyard']
    expect(tombstones.at(-1)).toEqual({
      index: { index_name: 'gone', index_uuid: uuid },
      delete_date_in_millis: expect.any(Number),
    })
    // Of indices that were asked for, only what belongs to them.
    const narrow = (await ok(`GET /_cluster/state/metadata/${first}`)).metadata
    expect(Object.keys(narrow.indices)).toEqual([first])
    expect(Object.keys(narrow.data_stream.data_stream)).toEqual(['logs-a'])
    expect([narrow.templates, narrow['index-graveyard'].tombstones]).toEqual([{}, []])
    expect(Object.keys(narrow)).not.toContain('index_template')
    expect(Object.keys((await ok('GET /_cluster/state/metadata/logs-a')).metadata.indices)).toEqual(
      [first, second],
    )
  })

  it('is narrowed to indices', async () => {
    await ok('PUT /a1', { aliases: { al: {} } })
    await ok('PUT /a2')
    await ok('PUT /b1')
    await ok('POST /a2/_close')
    await ok('PUT /h1', { settings: { hidden: true } })
    const indices = async (path: string): Promise<string[]> => {
      const state = await ok(`GET /_cluster/state/metadata,routing_table,routing_nodes/${path}`)
      const names = Object.keys(state.metadata.indices)
      expect(Object.keys(state.routing_table.indices)).toEqual(names)
      const [started] = Object.values(state.routing_nodes.nodes) as { index: string }[][]
      expect([...new Set(started!.map(({ index }) => index))]).toEqual(names)
      return names
    }
    expect(await indices('a*')).toEqual(['a1'])
    expect(await indices('a*?expand_wildcards=closed')).toEqual(['a2'])
    expect(await indices('a*,b1?expand_wildcards=all')).toEqual(['a1', 'a2', 'b1'])
    expect(await indices('al')).toEqual(['a1'])
    expect(await indices('a2')).toEqual(['a2'])
    expect(await indices('_all')).toEqual(['a1', 'b1'])
    expect(await indices('_all?expand_wildcards=all')).toEqual(['a1', 'a2', 'b1', 'h1'])
    expect(await indices('none,b1')).toEqual(['b1'])
    expect(await failure('GET /_cluster/state/metadata/none?ignore_unavailable=false')).toEqual([
      404,
      'index_not_found_exception',
      'no such index [none]',
    ])
    expect(await failure('GET /_cluster/state/metadata/n*?allow_no_indices=false')).toEqual([
      404,
      'index_not_found_exception',
      'no such index [n*]',
    ])
    const all = (await ok('GET /_cluster/state/metadata')).metadata.indices
    expect(Object.keys(all)).toEqual(['a1', 'a2', 'b1', 'h1'])
  })

  it('waits for a version of the metadata', async () => {
    const { version } = await ok('GET /_cluster/state/version')
    expect(await failure('GET /_cluster/state?wait_for_metadata_version=0')).toEqual([
      400,
      'illegal_argument_exception',
      'provided waitForMetadataVersion should be >= 1, but instead is [0]',
    ])
    expect(await ok(`GET /_cluster/state/version?wait_for_metadata_version=${version}`)).toEqual({
      wait_for_timed_out: false,
      cluster_name: 'lamella',
      cluster_uuid: ID,
      version,
      state_uuid: ID,
    })
    const next = version + 1
    const waiting = ok(`GET /_cluster/state/version?wait_for_metadata_version=${next}`)
    await ok('PUT /books')
    expect((await waiting).version).toBe(next)
    expect(
      await ok(
        `GET /_cluster/state?wait_for_metadata_version=${next + 7}&wait_for_timeout=1ms&local=true`,
      ),
    ).toEqual({ wait_for_timed_out: true, cluster_name: 'lamella' })
  })

  it('is cut by filter_path without the rest, and laid out by pretty', async () => {
    await ok('PUT /books', { mappings: { properties: { n: { type: 'long' } } } })
    expect(
      await ok('GET /_cluster/state?filter_path=metadata.indices.*.mapp*,-**.mappings'),
    ).toEqual({ metadata: { indices: { books: { mapping_version: 1 } } } })
    expect(await ok('GET /_cluster/state?filter_path=metadata.indices.*.nothing')).toEqual({})
    const { text } = await rest.call('GET /_cluster/state/routing_table?pretty')
    expect(text).toContain('\n      "books" : {\n        "shards" : {')
  })
})

it('goes on from its version after a restart', async () => {
  const folder = tempFolder('state')
  const versionOf = async (to: Rest) =>
    (await ok('GET /_cluster/state/version', undefined, to)).version
  const first = await openRest({}, folder)
  await ok('PUT /books', {}, first)
  await ok('PUT /books/_doc/1', { n: 1 }, first)
  await ok('PUT /gone', {}, first)
  await ok('DELETE /gone', undefined, first)
  const version = await versionOf(first)
  expect(version).toBeGreaterThanOrEqual(4)
  const before = await ok('GET /_cluster/state/metadata', undefined, first)
  await first.close()
  const second = await openRest({}, folder)
  expect(await versionOf(second)).toBe(version)
  expect(await ok('GET /_cluster/state/metadata', undefined, second)).toEqual(before)
  await ok('PUT /books/_settings', { number_of_replicas: 0 }, second)
  expect(await versionOf(second)).toBe(version + 1)
  await second.close()
  const third = await openRest({}, folder)
  expect(await versionOf(third)).toBe(version + 1)
  await third.close()
})
