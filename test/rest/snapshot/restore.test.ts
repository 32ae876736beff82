import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { openSnapshotRest, type SnapshotRest, upTo } from '../../support/snapshot-calls.ts'

let rest: SnapshotRest
beforeEach(async () => {
  rest = await openSnapshotRest()
  await rest.ok('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r' } })
})
afterEach(() => rest.end())

const create = (name: string, body: object = {}): Promise<unknown> =>
  rest.ok(`PUT /_snapshot/r/${name}?wait_for_completion=true`, body)
const RESTORE = 'POST /_snapshot/r/s/_restore?wait_for_completion=true'

it('restores documents with their ids, versions and deletions, and goes on from there', async () => {
  await rest.ok('PUT /a', { settings: { number_of_shards: 2, number_of_replicas: 0 } })
  await rest.fill('a', 0, 200)
  await rest.ok('POST /a/_update/d5', { doc: { more: true } })
  await rest.ok('DELETE /a/_doc/d7')
  // Written, but not refreshed: a snapshot has it all the same.
  await rest.call('PUT /a/_doc/late', { n: 7 })
  await create('s')
  await rest.fill('a', 200, 300)
  await rest.ok('DELETE /a')
  expect(await rest.ok(RESTORE)).toEqual({
    snapshot: { snapshot: 's', indices: ['a'], shards: { total: 2, failed: 0, successful: 2 } },
  })
  expect(await rest.numbers('a')).toEqual(upTo(200))
  const found = await rest.ok('GET /a/_doc/d5')
  expect([found._version, found._source]).toEqual([2, { n: 5, more: true }])
  expect((await rest.call('PUT /a/_create/d5', { n: 0 })).status).toBe(409)
  await rest.fill('a', 200, 210)
  expect(await rest.numbers('a')).toEqual(upTo(210))
  const again = await rest.ok('GET /a/_settings')
  expect(again.a.settings.index.number_of_shards).toBe('2')
})

it('survives a restart, with its repositories', async () => {
  await rest.fill('a', 0, 50)
  await create('s')
  await rest.ok('DELETE /a')
  await rest.ok(RESTORE)
  await rest.fill('a', 50, 60)
  await rest.close()
  const again = await openRest({}, join(rest.folder, 'data'))
  const { json } = await again.call('GET /a/_count')
  expect(json.count).toBe(60)
  expect((await again.call('GET /_snapshot/r/s')).json.snapshots[0].state).toBe('SUCCESS')
  const restored = await again.call(RESTORE, {
    rename_pattern: 'a',
    rename_replacement: 'b',
  })
  expect(restored.json.snapshot.indices).toEqual(['b'])
  await again.close()
})

it('shows where the files of a shard are from', async () => {
  await rest.fill('a', 0, 5)
  await create('s')
  await rest.ok('POST /a/_close')
  await rest.ok(RESTORE)
  const { a } = await rest.ok('GET /a/_recovery?detailed=true')
  const [shard] = a.shards
  expect([shard.type, shard.stage]).toEqual(['SNAPSHOT', 'DONE'])
  expect(shard.source).toEqual({
    repository: 'r',
    snapshot: 's',
    version: '3.6.0',
    index: 'a',
    restoreUUID: expect.stringMatching(/^[\w-]{22}$/),
  })
  const { files, size } = shard.index
  expect([files.total, files.recovered, files.reused, files.percent]).toEqual([3, 3, 0, '100.0%'])
  expect([size.recovered_in_bytes, size.reused_in_bytes]).toEqual([size.total_in_bytes, 0])
  expect((await rest.call('GET /_cat/recovery/a?h=type,repository,snapshot,files,fr')).text).toBe(
    'snapshot r s 3 3\n',
  )
})

it('replaces a closed index, and no open one', async () => {
  await rest.fill('a', 0, 10)
  await create('s')
  await rest.fill('a', 10, 20)
  const [status, type, reason] = await rest.refused(RESTORE)
  expect([status, type]).toEqual([500, 'snapshot_restore_exception'])
  expect(reason).toMatch(
    /^\[r:s\/[\w-]{22}\] cannot restore index \[a\] because an open index with same name already exists in the cluster\. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name$/,
  )
  const before = (await rest.ok('GET /a/_settings')).a.settings.index.uuid
  await rest.ok('POST /a/_close')
  await rest.ok(RESTORE)
  expect(await rest.numbers('a')).toEqual(upTo(10))
  expect(readdirSync(join(rest.folder, 'data', 'indices'))).not.toContain(before)
  await rest.ok('PUT /c', { settings: { number_of_shards: 2 } })
  await rest.ok('POST /c/_close')
  expect(
    (await rest.refused(RESTORE, { rename_pattern: 'a', rename_replacement: 'c' }))[2],
  ).toMatch(
    /cannot restore index \[c\] with \[2\] shards from a snapshot of index \[a\] with \[1\] shards$/,
  )
})

it('restores some indices under new names, with other settings', async () => {
  await rest.ok('PUT /logs-1', {
    settings: { refresh_interval: '7s', number_of_replicas: 3, 'blocks.write': true },
    mappings: { properties: { n: { type: 'integer' } } },
    aliases: { logs: { filter: { term: { n: 1 } } }, other: {} },
  })
  await rest.fill('b', 0, 3)
  await create('s')
  await rest.ok(RESTORE, {
    indices: 'logs-*',
    rename_pattern: 'logs-(\\d)',
    rename_replacement: 'copy-$1-$1',
    rename_alias_pattern: '^l',
    rename_alias_replacement: 'b',
    index_settings: { 'index.number_of_replicas': 0, priority: 5 },
    ignore_index_settings: ['index.refresh_interval', 'blocks.*'],
  })
  const { 'copy-1-1': copy } = await rest.ok('GET /copy-*')
  const { index } = copy.settings
  expect([index.number_of_replicas, index.refresh_interval, index.blocks, index.priority]).toEqual([
    '0',
    undefined,
    undefined,
    '5',
  ])
  expect(Object.keys(copy.aliases).sort()).toEqual(['bogs', 'other'])
  expect(copy.aliases.bogs).toEqual({ filter: { term: { n: 1 } } })
  expect(copy.mappings.properties).toEqual({ n: { type: 'integer' } })
  await rest.ok(RESTORE, {
    indices: ['logs-1'],
    rename_pattern: '.*-',
    rename_replacement: 'bare',
    include_aliases: false,
  })
  expect((await rest.ok('GET /bare1')).bare1.aliases).toEqual({})
})

it('refuses what cannot be restored, and makes nothing of it', async () => {
  await rest.ok('PUT /a')
  await rest.ok('PUT /b', { aliases: { x: {} } })
  await create('s')
  const label = `[r:s/${(await rest.ok('GET /_snapshot/r/s')).snapshots[0].uuid}]`
  await rest.ok('DELETE /a,b')
  const restore = (body: object): Promise<readonly [number, string, string]> =>
    rest.refused(RESTORE, body)
  const rename = { rename_pattern: '.+', rename_replacement: 'z' }
  for (const [body, expected] of [
    [{ color: 1 }, [400, 'illegal_argument_exception', 'Unknown parameter color']],
    [
      { index_settings: [] },
      [400, 'illegal_argument_exception', 'malformed index_settings section'],
    ],
    [
      { ignore_index_settings: 5 },
      [
        400,
        'illegal_argument_exception',
        'malformed ignore_index_settings section, should be an array of strings',
      ],
    ],
    [{ rename_pattern: 3 }, [400, 'illegal_argument_exception', 'malformed rename_pattern']],
    [
      { storage_type: 'remote_snapshot' },
      [400, 'illegal_argument_exception', '[storage_type] is not supported yet'],
    ],
    [{ indices: 'gone' }, [404, 'index_not_found_exception', 'no such index [gone]']],
    [
      rename,
      [
        500,
        'snapshot_restore_exception',
        `${label} indices [b] and [a] are renamed into the same index [z]`,
      ],
    ],
    [
      { index_settings: { number_of_shards: 3 } },
      [
        500,
        'snapshot_restore_exception',
        `${label} cannot modify setting [index.number_of_shards] on restore`,
      ],
    ],
    [
      { index_settings: { 'index.uuid': 'x' } },
      [500, 'snapshot_restore_exception', `${label} cannot modify setting [index.uuid] on restore`],
    ],
    [
      { index_settings: { 'sort.field': 'n' } },
      [
        500,
        'snapshot_restore_exception',
        `${label} cannot modify setting [index.sort.field] on restore`,
      ],
    ],
    [
      { ignore_index_settings: ['sort.field'] },
      [
        500,
        'snapshot_restore_exception',
        `${label} cannot remove setting [index.sort.field] on restore`,
      ],
    ],
    [
      { ignore_index_settings: ['number_of_replicas'] },
      [
        500,
        'snapshot_restore_exception',
        `${label} cannot remove setting [index.number_of_replicas] on restore`,
      ],
    ],
    [
      { index_settings: { number_of_replicas: -3 } },
      [
        400,
        'illegal_argument_exception',
        'Failed to parse value [-3] for setting [index.number_of_replicas] must be >= 0',
      ],
    ],
    [
      { indices: 'a', rename_pattern: 'a', rename_replacement: 'UP' },
      [400, 'invalid_index_name_exception', 'Invalid index name [UP], must be lowercase'],
    ],
    [
      { indices: 'a', rename_pattern: 'a', rename_replacement: '../a' },
      [
        400,
        'invalid_index_name_exception',
        'Invalid index name [../a], must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
      ],
    ],
    [
      { rename_alias_pattern: 'x', rename_alias_replacement: 'a' },
      [
        400,
        'invalid_index_name_exception',
        'Invalid index name [a], an index or data stream exists with the same name as the alias',
      ],
    ],
  ] as const)
    expect(await restore(body)).toEqual(expected)
  expect((await restore({ rename_pattern: '(', rename_replacement: 'b' }))[0]).toBe(400)
  expect(await rest.refused('POST /_snapshot/r/gone/_restore')).toEqual([
    500,
    'snapshot_restore_exception',
    '[r:gone] snapshot does not exist',
  ])
  expect(
    await rest.refused('POST /_snapshot/r/s/_restore?source_remote_store_repository=x'),
  ).toEqual([
    400,
    'illegal_argument_exception',
    '[source_remote_store_repository] is not supported yet',
  ])
  expect(Object.keys(await rest.ok('GET /_all'))).toEqual([])
  expect(readdirSync(join(rest.folder, 'data', 'indices'))).toEqual([])
  expect(await rest.ok('POST /_snapshot/r/s/_restore', { ignore_unavailable: true })).toEqual({
    accepted: true,
  })
})

it('restores the state of the node where it is asked to', async () => {
  await rest.ok('PUT /_component_template/part', { template: { settings: { priority: 3 } } })
  await rest.ok('PUT /_index_template/t', { index_patterns: ['t*'], composed_of: ['part'] })
  await rest.ok('PUT /_template/old', { index_patterns: ['o*'] })
  await rest.ok('PUT /_scripts/sum', { script: { lang: 'painless', source: '1 + 1' } })
  await rest.ok('PUT /_ingest/pipeline/p', { processors: [{ set: { field: 'x', value: 1 } }] })
  await rest.ok('PUT /_cluster/settings', { persistent: { 'search.max_buckets': 99 } })
  await create('s')
  await create('bare', { include_global_state: false })
  await rest.ok('DELETE /_index_template/t')
  await rest.ok('DELETE /_component_template/part')
  await rest.ok('DELETE /_template/old')
  await rest.ok('DELETE /_scripts/sum')
  await rest.ok('DELETE /_ingest/pipeline/p')
  await rest.ok('PUT /_cluster/settings', { persistent: { 'search.max_buckets': null } })
  await rest.ok(RESTORE)
  await rest.ok('POST /_snapshot/r/bare/_restore?wait_for_completion=true', {
    include_global_state: true,
  })
  expect((await rest.call('GET /_index_template/t')).status).toBe(404)
  await rest.ok(RESTORE, { include_global_state: true })
  expect((await rest.ok('GET /_index_template/t')).index_templates[0].name).toBe('t')
  await rest.ok('GET /_component_template/part')
  await rest.ok('GET /_template/old')
  expect((await rest.ok('GET /_scripts/sum')).script.source).toBe('1 + 1')
  await rest.ok('GET /_ingest/pipeline/p')
  const { persistent } = await rest.ok('GET /_cluster/settings')
  expect(persistent).toEqual({ search: { max_buckets: '99' } })
})

it('restores data streams with their indices', async () => {
  await rest.ok('PUT /_index_template/logs', { index_patterns: ['logs*'], data_stream: {} })
  await rest.ok('PUT /_data_stream/logs')
  await rest.ok('POST /logs/_doc?refresh', { '@timestamp': '2026-01-01', n: 0 })
  await rest.ok('POST /logs/_rollover')
  await rest.ok('POST /logs/_doc?refresh', { '@timestamp': '2026-01-02', n: 1 })
  const { snapshot } = (await create('s', { indices: 'logs' })) as {
    snapshot: { data_streams: string[]; indices: string[] }
  }
  expect([snapshot.data_streams, snapshot.indices]).toEqual([
    ['logs'],
    ['.ds-logs-000001', '.ds-logs-000002'],
  ])
  expect((await rest.refused(RESTORE))[2]).toContain('because an open index with same name')
  await rest.ok('DELETE /_data_stream/logs')
  await rest.ok(RESTORE, { indices: 'logs' })
  expect(await rest.numbers('logs')).toEqual([0, 1])
  const { data_streams: streams } = await rest.ok('GET /_data_stream/logs')
  expect([streams[0].generation, streams[0].indices.length]).toEqual([2, 2])
  await rest.ok('POST /logs/_doc?refresh', { '@timestamp': '2026-01-03', n: 2 })
  expect(await rest.numbers('logs')).toEqual([0, 1, 2])
  await rest.ok(RESTORE, { rename_pattern: 'logs', rename_replacement: 'copies' })
  expect(await rest.numbers('copies')).toEqual([0, 1])
})

it('keeps a snapshot from deletion while it is being restored', async () => {
  await rest.ok('PUT /_snapshot/r', {
    type: 'fs',
    settings: { location: 'r', max_restore_bytes_per_sec: '2kb' },
  })
  await rest.fill('a', 0, 3000)
  await create('s')
  await rest.ok('DELETE /a')
  await rest.ok('POST /_snapshot/r/s/_restore')
  expect(await rest.refused('DELETE /_snapshot/r/s')).toEqual([
    503,
    'concurrent_snapshot_execution_exception',
    '[r:s] cannot delete snapshot during a restore',
  ])
  // Nothing of it is seen before all of it is there.
  expect(Object.keys(await rest.ok('GET /_all'))).toEqual([])
  const { nodes } = await rest.ok('POST /_tasks/_cancel?actions=*restore&wait_for_completion=true')
  expect(Object.keys(nodes).length).toBe(1)
  expect(Object.keys(await rest.ok('GET /_all'))).toEqual([])
  expect(readdirSync(join(rest.folder, 'data', 'indices'))).toEqual([])
  await rest.ok('DELETE /_snapshot/r/s')
})

it('shows how far it is where nothing of it is found yet', async () => {
  await rest.ok('PUT /_snapshot/r', {
    type: 'fs',
    settings: { location: 'r', max_restore_bytes_per_sec: '20kb' },
  })
  await rest.ok('PUT /a', { settings: { number_of_shards: 2, number_of_replicas: 0 } })
  await rest.fill('a', 0, 2000)
  await create('s')
  const { accepted } = await rest.ok('POST /_snapshot/r/s/_restore', {
    rename_pattern: 'a',
    rename_replacement: 'b',
  })
  expect(accepted).toBe(true)
  // As programs do that wait for it: at once, and by its name.
  const { b } = await rest.ok('GET /b/_recovery?human')
  const [shard] = b.shards
  expect([b.shards.length, shard.type, shard.stage]).toEqual([2, 'SNAPSHOT', 'INDEX'])
  expect(shard.index.files.recovered).toBeLessThan(shard.index.files.total)
  expect(shard.source.index).toBe('a')
  expect(Object.keys(await rest.ok('GET /_recovery?active_only=true'))).toEqual(['b'])
  expect(Object.keys(await rest.ok('GET /_recovery'))).toEqual(['a', 'b'])
  expect(Object.keys(await rest.ok('GET /*,-b/_recovery'))).toEqual(['a'])
  const table = await rest.call('GET /_cat/recovery/b?h=index,shard,type,stage,tf')
  expect(table.text).toBe('b 0 snapshot index 3\nb 1 snapshot index 3\n')
  expect((await rest.refused('GET /b/_count'))[1]).toBe('index_not_found_exception')
  expect((await rest.refused('GET /c/_recovery'))[1]).toBe('index_not_found_exception')
  await rest.ok('GET /_cluster/health/b?wait_for_status=green')
  const { b: done } = await rest.ok('GET /b/_recovery')
  expect(done.shards.map(({ stage }: { stage: string }) => stage)).toEqual(['DONE', 'DONE'])
  expect(done.shards[0].index.files).toEqual({
    total: 3,
    reused: 0,
    recovered: 3,
    percent: '100.0%',
  })
  expect(await rest.numbers('b')).toEqual(upTo(2000))
})

it('ends with the task of a request that waits, and leaves nothing', async () => {
  await rest.ok('PUT /_snapshot/r', {
    type: 'fs',
    settings: { location: 'r', max_restore_bytes_per_sec: '2kb' },
  })
  await rest.fill('a', 0, 3000)
  await create('s')
  await rest.ok('DELETE /a')
  const cancelled = rest.refused(RESTORE)
  const path = 'GET /_tasks?group_by=none&detailed&actions=cluster:admin/snapshot/restore'
  let tasks: { node: string; id: number; description: string }[] = []
  while (tasks.length < 2) tasks = (await rest.ok(path)).tasks
  const waiting = tasks.find(({ description }) => description === '')!
  await rest.ok(`POST /_tasks/${waiting.node}:${waiting.id}/_cancel`)
  expect(await cancelled).toEqual([429, 'task_cancelled_exception', 'The task was cancelled.'])
  expect(Object.keys(await rest.ok('GET /_all'))).toEqual([])
  expect(readdirSync(join(rest.folder, 'data', 'indices'))).toEqual([])
  await rest.ok('DELETE /_snapshot/r/s')
})

it('keeps long files in parts of the chunk size', async () => {
  await rest.ok('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r', chunk_size: '1kb' } })
  await rest.fill('a', 0, 500)
  await create('s')
  const files = rest.filesOf('r').filter(file => file.startsWith('blob'))
  expect(files.length).toBeGreaterThan(5)
  expect(files.every(file => /\.1024\.\d+$/.test(file) || !/\.\d+$/.test(file))).toBe(true)
  // A file that is there in parts is not copied again as a whole.
  await rest.ok('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r' } })
  await create('t')
  expect(rest.filesOf('r').filter(file => file.startsWith('blob'))).toEqual(files)
  await rest.ok('POST /_snapshot/r/_verify')
  await rest.ok('DELETE /_snapshot/r/s')
  await rest.ok('DELETE /a')
  await rest.ok('POST /_snapshot/r/t/_restore?wait_for_completion=true')
  expect(await rest.numbers('a')).toEqual(upTo(500))
})

it('refuses to restore what is damaged, and finds it', async () => {
  await rest.fill('a', 0, 50)
  await create('s')
  await rest.ok('DELETE /a')
  const folder = join(rest.repository('r'), 'blobs')
  const blob = readdirSync(folder).find(file => file.endsWith('.sto'))!
  const path = join(folder, blob)
  const refusals = async (): Promise<readonly string[]> => {
    const verified = await rest.call('POST /_snapshot/r/_verify')
    const restored = await rest.call(RESTORE)
    expect([verified.status, verified.json.error.type]).toEqual([
      500,
      'repository_verification_exception',
    ])
    expect(verified.json.error.reason).toBe('[r] snapshot [s] is damaged')
    expect(restored.status).toBe(500)
    expect(Object.keys(await rest.ok('GET /_all'))).toEqual([])
    const { error } = restored.json
    return [verified.json.error.caused_by.reason, error.caused_by?.reason ?? error.reason]
  }
  // The same bytes outside, behind a link.
  renameSync(path, join(rest.folder, 'outside'))
  symlinkSync(join(rest.folder, 'outside'), path)
  for (const reason of await refusals()) expect(reason).toMatch(/found no whole file$/)
  rmSync(path)
  for (const reason of await refusals()) expect(reason).toMatch(/found no whole file$/)
  const bytes = readFileSync(join(rest.folder, 'outside'))
  bytes[40]! ^= 1
  writeFileSync(path, bytes)
  for (const reason of await refusals())
    expect(reason).toMatch(/^corrupt file \[blob-[0-9a-f]+-\d+-[0-9a-f]+\.sto\]/)
  // The next snapshot does not take a file of another length for the one that it needs.
  writeFileSync(path, bytes.subarray(1))
  await rest.fill('a', 0, 50)
  await create('t')
  await rest.ok('DELETE /_snapshot/r/s')
  await rest.ok('POST /_snapshot/r/_verify')
})

it('tells of a repository whose list is damaged, or of a newer release', async () => {
  await create('s')
  const root = join(rest.repository('r'), 'index-2')
  const bytes = readFileSync(root)
  const text = '[r] could not read repository data from index blob'
  const newer = Buffer.from(bytes)
  newer[8] = 9
  for (const [changed, cause] of [
    [bytes.subarray(0, bytes.length - 3), /corrupt file \[index-2\]/],
    [newer, /^file \[index-2\] has version \[9\] .* open it with a newer release$/],
  ] as const) {
    writeFileSync(root, changed)
    for (const line of ['GET /_snapshot/r/_all', 'PUT /_snapshot/r/t', 'DELETE /_snapshot/r/s']) {
      const { status, json } = await rest.call(line)
      expect([status, json.error.type, json.error.reason]).toEqual([
        500,
        'repository_exception',
        text,
      ])
      expect(json.error.caused_by.reason).toMatch(cause)
    }
  }
  rmSync(root)
  expect((await rest.refused('GET /_snapshot/r/_all'))[2]).toBe(text)
  writeFileSync(root, bytes)
  expect((await rest.ok('GET /_snapshot/r/_all')).snapshots.length).toBe(1)
})
