import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest
let nodeId: string
beforeAll(async () => {
  rest = await openRest()
  nodeId = rest.engine.cluster.identity.nodeId
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
})

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const CLOSED = [400, 'index_closed_exception', 'closed']
const MISSING = [404, 'index_not_found_exception', 'no such index [no]']
const NUMBER = expect.any(Number)

describe('_segments', () => {
  it('shows each segment with its documents, and whether commits and searches have it', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 1, refresh_interval: '-1' } })
    await ok('PUT /i/_doc/1?refresh', { t: 'a' })
    await ok('PUT /i/_doc/2?refresh', { t: 'b' })
    await ok('POST /i/_flush')
    await ok('DELETE /i/_doc/2')
    await ok('PUT /i/_doc/3', { t: 'c' })
    await ok('POST /i/_flush')
    const { _shards, indices } = await ok('GET /i/_segments')
    expect(_shards).toEqual({ total: 1, successful: 1, failed: 0 })
    const [copy] = indices.i.shards['0']
    expect(Object.keys(copy)).toEqual([
      'routing',
      'num_committed_segments',
      'num_search_segments',
      'segments',
    ])
    expect(copy.routing).toEqual({ state: 'STARTED', primary: true, node: nodeId })
    // The flush has dropped the segment without documents, which searches see still.
    expect([copy.num_committed_segments, copy.num_search_segments]).toEqual([2, 1])
    expect(copy.segments).toMatchObject({
      _0: { num_docs: 1, deleted_docs: 0, committed: true, search: true },
      _2: { generation: 2, num_docs: 1, deleted_docs: 0, committed: true, search: false },
    })
    expect(copy.segments._0).toEqual({
      generation: 0,
      num_docs: 1,
      deleted_docs: 0,
      size_in_bytes: NUMBER,
      memory_in_bytes: NUMBER,
      committed: true,
      search: true,
      version: '10.4.0',
      compound: true,
    })
    const human = await ok('GET /_segments?human&verbose')
    expect(human.indices.i.shards['0'][0].segments._0.size).toMatch(/^[\d.]+(b|kb)$/)
  })

  it('refuses closed indices, unless unavailable ones are ignored', async () => {
    await ok('PUT /i')
    await ok('POST /i/_close')
    expect(await failure('GET /i/_segments')).toEqual(CLOSED)
    expect(await ok('GET /i/_segments?ignore_unavailable')).toEqual({
      _shards: { total: 0, successful: 0, failed: 0 },
      indices: {},
    })
    expect(await failure('GET /no/_segments')).toEqual(MISSING)
  })
})

describe('_recovery', () => {
  it('shows that the shards of a new index began empty', async () => {
    const before = Date.now()
    await ok('PUT /i', { settings: { number_of_shards: 2 } })
    const { shards } = (await ok('GET /i/_recovery?detailed')).i
    expect(shards).toHaveLength(2)
    expect(shards[1]).toEqual({
      id: 1,
      type: 'EMPTY_STORE',
      stage: 'DONE',
      primary: true,
      start_time_in_millis: NUMBER,
      stop_time_in_millis: NUMBER,
      total_time_in_millis: NUMBER,
      source: {},
      target: {
        id: nodeId,
        host: '127.0.0.1',
        transport_address: '127.0.0.1:0',
        ip: '127.0.0.1',
        name: 'lamella-0',
      },
      index: {
        size: { total_in_bytes: 0, reused_in_bytes: 0, recovered_in_bytes: 0, percent: '0.0%' },
        files: { total: 0, reused: 0, recovered: 0, percent: '0.0%', details: [] },
        total_time_in_millis: NUMBER,
        source_throttle_time_in_millis: 0,
        target_throttle_time_in_millis: 0,
      },
      translog: {
        recovered: 0,
        total: 0,
        percent: '100.0%',
        total_on_start: 0,
        total_time_in_millis: 0,
      },
      verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
    })
    expect(shards[1].start_time_in_millis).toBeGreaterThanOrEqual(before)
  })

  it('shows the files and the log of an index that is opened again, and dates with human', async () => {
    const folder = tempFolder('recovery')
    const first = await openRest({}, folder)
    await ok('PUT /i', { settings: { number_of_replicas: 0 } }, first)
    await ok('PUT /i/_doc/1', { t: 'a' }, first)
    await ok('POST /i/_close', undefined, first)
    const closed = (await ok('GET /i/_recovery', undefined, first)).i.shards[0]
    expect(closed).toMatchObject({ type: 'EXISTING_STORE', stage: 'DONE' })
    expect(closed.index.files.total).toBe(2)
    await ok('POST /i/_open', undefined, first)
    const opened = (await ok('GET /i/_recovery?human', undefined, first)).i.shards[0]
    await first.close()
    expect(opened).toMatchObject({
      type: 'EXISTING_STORE',
      source: { bootstrap_new_history_uuid: false },
      index: { files: { total: 2, reused: 2, recovered: 0, percent: '100.0%' } },
      translog: { recovered: 0, total: 0, percent: '100.0%' },
    })
    expect(opened.index.files).not.toHaveProperty('details')
    const { start_time, stop_time, total_time } = opened
    expect([start_time, stop_time]).toEqual([
      new Date(opened.start_time_in_millis).toISOString(),
      new Date(opened.stop_time_in_millis).toISOString(),
    ])
    expect(total_time).toMatch(/^\d+(\.\d)?(ms|s)$/)
    expect(opened.index.size.total).toMatch(/^[\d.]+(b|kb)$/)
  })

  it('lists no index without a recovery to show', async () => {
    await ok('PUT /i')
    expect(await ok('GET /_recovery?active_only')).toEqual({})
    expect(await ok('GET /n*/_recovery')).toEqual({})
    expect(await failure('GET /no/_recovery')).toEqual(MISSING)
  })
})

describe('_shard_stores', () => {
  it('shows the copies of shards that lack some, or of the states that are asked for', async () => {
    await ok('PUT /full', { settings: { number_of_replicas: 0 } })
    await ok('PUT /less', { settings: { number_of_shards: 2 } })
    expect(Object.keys((await ok('GET /_shard_stores')).indices)).toEqual(['less'])
    const { indices } = await ok('GET /_shard_stores?status=green,red')
    expect(indices).toEqual({
      full: {
        shards: {
          '0': {
            stores: [
              {
                [nodeId]: {
                  name: 'lamella-0',
                  ephemeral_id: expect.stringMatching(/^[\w-]{22}$/),
                  transport_address: '127.0.0.1:0',
                  attributes: {},
                },
                allocation_id: expect.stringMatching(/^[\w-]{22}$/),
                allocation: 'primary',
              },
            ],
          },
        },
      },
    })
    const all = (await ok('GET /_shard_stores?status=all')).indices
    expect(Object.keys(all.less.shards)).toEqual(['0', '1'])
    const ids = Object.values<{ stores: { allocation_id: string }[] }>(all.less.shards)
    expect(new Set(ids.map(({ stores }) => stores[0]!.allocation_id)).size).toBe(2)
    expect(await failure('GET /_shard_stores?status=blue')).toEqual([
      400,
      'illegal_argument_exception',
      'unknown cluster health status [blue]',
    ])
    expect((await rest.call('GET /n*/_shard_stores?allow_no_indices=false')).status).toBe(404)
  })

  it('tells why a damaged shard could not be opened', async () => {
    const folder = tempFolder('stores')
    const first = await openRest({}, folder)
    await ok('PUT /i', { settings: { number_of_replicas: 0 } }, first)
    await ok('PUT /i/_doc/1', { t: 'a' }, first)
    await first.close()
    const [uuid = ''] = readdirSync(join(folder, 'indices'))
    truncateSync(join(folder, 'indices', uuid, '0', '_0.seg'), 100)
    const again = await openRest({}, folder)
    try {
      const { stores } = (await ok('GET /_shard_stores', undefined, again)).indices.i.shards['0']
      expect(stores[0].store_exception.type).toBe('corrupt_index_exception')
      const line = 'GET /_stats?level=cluster'
      expect((await ok(line, undefined, again))._shards).toEqual({
        total: 1,
        successful: 0,
        failed: 0,
      })
    } finally {
      await again.close()
    }
  })
})

describe('_cache/clear', () => {
  it('answers the copies of the shards that it went over', async () => {
    await ok('PUT /i', { settings: { number_of_shards: 2, number_of_replicas: 1 } })
    const counts = { _shards: { total: 4, successful: 2, failed: 0 } }
    for (const params of [
      '',
      '?query',
      '?fielddata&fields=a',
      '?request=false',
      '?file',
      '?index=i',
    ])
      expect(await ok(`POST /_cache/clear${params}`)).toEqual(counts)
    expect(await ok('POST /i/_cache/clear')).toEqual(counts)
    expect(await failure('POST /no/_cache/clear')).toEqual(MISSING)
    expect(await failure('POST /_cache/clear?query=maybe')).toEqual([
      400,
      'illegal_argument_exception',
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ])
    await ok('POST /i/_close')
    expect(await failure('POST /i/_cache/clear')).toEqual(CLOSED)
    expect((await rest.call('GET /_cache/clear')).status).toBe(405)
  })
})

describe('_upgrade', () => {
  it('finds nothing to upgrade', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 1 } })
    await ok('PUT /i/_doc/1?refresh', { t: 'a' })
    const status = await ok('GET /_upgrade?human')
    expect(status).toMatchObject({ size_to_upgrade: '0b', size_to_upgrade_ancient_in_bytes: 0 })
    expect(status.indices.i.size_in_bytes).toBe(status.size_in_bytes)
    expect(status.size_in_bytes).toBeGreaterThan(0)
    expect(await ok('POST /i/_upgrade?only_ancient_segments&wait_for_completion')).toEqual({
      _shards: { total: 2, successful: 1, failed: 0 },
      upgraded_indices: {
        i: { upgrade_version: '3.6.0', oldest_lucene_segment_version: '10.4.0' },
      },
    })
    expect(await failure('POST /no/_upgrade')).toEqual(MISSING)
  })
})
