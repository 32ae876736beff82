import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { trusted } from '../../../src/task/call-context.ts'
import { openSnapshotRest, type SnapshotRest } from '../../support/snapshot-calls.ts'

let rest: SnapshotRest
beforeEach(async () => {
  rest = await openSnapshotRest()
  await rest.ok('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r' } })
})
afterEach(() => rest.end())

const create = (name: string, body: object = {}): Promise<unknown> =>
  rest.ok(`PUT /_snapshot/r/${name}?wait_for_completion=true`, body)

it('takes a snapshot and tells all of it', async () => {
  await rest.ok('PUT /a', { settings: { number_of_shards: 2 } })
  await rest.fill('a', 0, 10)
  await rest.fill('b', 0, 5)
  await rest.ok('POST /b/_close')
  const body = { metadata: { by: 'test', deep: { x: 1 } }, include_global_state: false }
  const { snapshot } = (await create('s', body)) as { snapshot: Record<string, unknown> }
  const { uuid, start_time_in_millis: start, end_time_in_millis: end } = snapshot
  expect(snapshot).toEqual({
    snapshot: 's',
    uuid: expect.stringMatching(/^[\w-]{22}$/),
    version_id: 137277827,
    version: '3.6.0',
    remote_store_index_shallow_copy: false,
    indices: ['a', 'b'],
    data_streams: [],
    include_global_state: false,
    metadata: { by: 'test', deep: { x: 1 } },
    state: 'SUCCESS',
    start_time: new Date(start as number).toISOString(),
    start_time_in_millis: start,
    end_time: new Date(end as number).toISOString(),
    end_time_in_millis: end,
    duration_in_millis: (end as number) - (start as number),
    failures: [],
    shards: { total: 3, failed: 0, successful: 3 },
  })
  expect(await rest.ok('GET /_snapshot/r/s')).toEqual({ snapshots: [snapshot] })
  expect(await rest.ok('GET /_snapshot/r/_all?verbose=false')).toEqual({
    snapshots: [{ snapshot: 's', uuid, indices: ['a', 'b'], data_streams: [], state: 'SUCCESS' }],
  })
  expect((await rest.call('GET /_cat/snapshots/r?h=id,s,i,ss,fs,ts,r')).text).toMatch(
    /^s SUCCESS 2 3 0 3 *\n$/,
  )
})

it('answers at once unless it is asked to wait', async () => {
  await rest.fill('a', 0, 10)
  expect(await rest.ok('POST /_snapshot/r/s')).toEqual({ accepted: true })
  let state = 'IN_PROGRESS'
  while (state === 'IN_PROGRESS') state = (await rest.ok('GET /_snapshot/r/s')).snapshots[0].state
  expect(state).toBe('SUCCESS')
  expect(await rest.ok('GET /_snapshot/r/_current')).toEqual({ snapshots: [] })
})

it('copies only files that the repository does not have', async () => {
  await rest.fill('a', 0, 500)
  await create('first')
  const files = (): readonly string[] => rest.filesOf('r').filter(file => /^blob/.test(file))
  const before = files()
  await create('second')
  expect(files()).toEqual(before)
  await rest.fill('a', 500, 501)
  await rest.ok('POST /a/_close')
  await create('third')
  expect(files().length).toBe(before.length + 2)
  const { snapshots } = await rest.ok('GET /_snapshot/r/first,second,third/_status')
  const counts = snapshots.map((each: { stats: Record<string, { file_count: number }> }) => [
    each.stats['incremental']!.file_count,
    each.stats['total']!.file_count,
  ])
  // The commit point of each is a file of its own.
  expect(counts).toEqual([
    [3, 3],
    [1, 3],
    [3, 5],
  ])
})

it('refuses names that no snapshot may have', async () => {
  const refused = async (name: string): Promise<string> => {
    const [status, type, reason] = await rest.refused(
      `PUT /_snapshot/r/${encodeURIComponent(name)}`,
    )
    expect([name, status, type]).toEqual([name, 400, 'invalid_snapshot_name_exception'])
    return reason
  }
  const text = (name: string, fault: string): string =>
    `[r:${name}] Invalid snapshot name [${name}], ${fault}`
  for (const [name, fault] of [
    ['Upper', 'must be lowercase'],
    ['_under', "must not start with '_'"],
    ['a#b', "must not contain '#'"],
    ['a b', 'must not contain whitespace'],
    ['a,b', "must not contain ','"],
    ['a|b', 'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]'],
    ['a/b', 'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]'],
    ['x'.repeat(256), 'name is too long, (256 > 255)'],
  ])
    expect(await refused(name!)).toBe(text(name!, fault!))
  await create('s')
  expect(await refused('s')).toBe(text('s', 'snapshot with the same name already exists'))
})

it('refuses bodies that are not of a snapshot', async () => {
  const put = (body: object): Promise<readonly [number, string, string]> =>
    rest.refused('PUT /_snapshot/r/s', body)
  for (const [body, reason] of [
    [{ color: 1 }, 'Unknown parameter color'],
    [{ indices: 3 }, 'malformed indices section, should be an array of strings'],
    [{ indices: ['a', 3] }, 'malformed indices section, should be an array of strings'],
    [{ partial: 'maybe' }, 'Could not convert [partial] to boolean'],
    [{ include_global_state: 3 }, 'Could not convert [include_global_state] to boolean'],
    [{ metadata: 'x' }, 'malformed metadata, should be an object'],
    [{ expand_wildcards: 'some' }, 'No valid expand wildcard value [some]'],
  ] as const)
    expect(await put(body)).toEqual([400, 'illegal_argument_exception', reason])
  expect(await put({ metadata: { x: 'y'.repeat(1100) } })).toEqual([
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: metadata must be smaller than 1024 bytes, but was [1108];',
  ])
  expect(await put({ indices: 'missing' })).toEqual([
    404,
    'index_not_found_exception',
    'no such index [missing]',
  ])
  expect(await rest.refused('PUT /_snapshot/none/s')).toEqual([
    404,
    'repository_missing_exception',
    '[none] missing',
  ])
  expect(await rest.refused('PUT /_snapshot/r/s?verbose=true')).toEqual([
    400,
    'illegal_argument_exception',
    'request [/_snapshot/r/s] contains unrecognized parameter: [verbose]',
  ])
  expect((await rest.ok('GET /_snapshot/r/_all')).snapshots).toEqual([])
})

it('passes over indices that are not there where the body allows it', async () => {
  await rest.fill('a', 0, 1)
  const body = { indices: ['a', 'gone'], ignore_unavailable: true }
  expect(await create('s', body)).toMatchObject({ snapshot: { indices: ['a'], state: 'SUCCESS' } })
})

it('are told in a table, each with its times in a unit', async () => {
  for (const name of ['b', 'a']) await create(name)
  const table = async (query: string): Promise<string> =>
    (await rest.call(`GET /_cat/snapshots/r?${query}`)).text
  const [header = '', first = ''] = (await table('v&s=id&time=s')).split('\n')
  expect(header.trim().split(/ +/)).toEqual([
    'id',
    'status',
    'start_epoch',
    'start_time',
    'end_epoch',
    'end_time',
    'duration',
    'indices',
    'successful_shards',
    'failed_shards',
    'total_shards',
  ])
  expect(first).toMatch(
    /^a +SUCCESS +\d{10} +\d\d:\d\d:\d\d +\d{10} +\d\d:\d\d:\d\d +\d+ +0 +0 +0 +0 *$/,
  )
  expect(await table('h=id&s=id:desc')).toBe('b\na\n')
  expect(await table('h=id&ignore_unavailable=true&local=true&bytes=kb')).toBe('b\na\n')
  const columns = (await rest.call('GET /_cat/snapshots?help')).text.split('\n')
  expect(columns.map(line => line.split('|')[1]?.trim())).toEqual([
    ...['snapshot', 's', 'ste', 'sti', 'ete', 'eti', 'dur', 'i', 'ss', 'fs', 'ts', 'r'],
    undefined,
  ])
})

it('finds snapshots by names, patterns and exclusions', async () => {
  for (const name of ['old-1', 'old-2', 'new']) await create(name)
  const find = async (names: string, query = ''): Promise<string[]> =>
    (await rest.ok(`GET /_snapshot/r/${names}${query}`)).snapshots.map(
      (each: { snapshot: string }) => each.snapshot,
    )
  expect(await find('_all')).toEqual(['old-1', 'old-2', 'new'])
  expect(await find('*')).toEqual(['old-1', 'old-2', 'new'])
  expect(await find('new,old-1')).toEqual(['old-1', 'new'])
  expect(await find('old-*,-*2')).toEqual(['old-1'])
  expect(await find('x*')).toEqual([])
  expect(await rest.refused('GET /_snapshot/r/gone')).toEqual([
    404,
    'snapshot_missing_exception',
    '[r:gone] is missing',
  ])
  expect(await find('gone,new', '?ignore_unavailable=true')).toEqual(['new'])
  expect(await rest.refused('GET /_cat/snapshots')).toEqual([
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: repository is missing;',
  ])
})

it('deletes snapshots with the files that no other needs', async () => {
  await rest.fill('a', 0, 100)
  await create('one')
  await rest.fill('a', 100, 200)
  await create('two')
  const both = rest.filesOf('r').length
  await rest.ok('DELETE /_snapshot/r/one')
  expect(rest.filesOf('r').length).toBe(both - 1)
  expect(await rest.refused('DELETE /_snapshot/r/one')).toEqual([
    404,
    'snapshot_missing_exception',
    '[r:one] is missing',
  ])
  await rest.ok('POST /_snapshot/r/_verify')
  await rest.ok('DELETE /_snapshot/r/t*')
  expect(rest.filesOf('r')).toEqual([expect.stringMatching(/^index-\d+$/), 'index.latest'])
  expect(await rest.ok('DELETE /_snapshot/r/t*')).toEqual({ acknowledged: true })
})

it('clones indices of a snapshot, which outlive it', async () => {
  await rest.fill('a', 0, 10)
  await rest.fill('b', 0, 20)
  await create('source', { metadata: { x: 1 } })
  await rest.ok('PUT /_snapshot/r/source/_clone/copy', { indices: 'a' })
  const [copy] = (await rest.ok('GET /_snapshot/r/copy')).snapshots
  expect([copy.state, copy.indices, copy.shards.total]).toEqual(['SUCCESS', ['a'], 1])
  await rest.ok('DELETE /_snapshot/r/source')
  await rest.ok('DELETE /a')
  await rest.ok('POST /_snapshot/r/copy/_restore?wait_for_completion=true')
  expect((await rest.numbers('a')).length).toBe(10)
  for (const [line, body, expected] of [
    [
      'copy/_clone/next',
      {},
      [
        400,
        'action_request_validation_exception',
        'Validation Failed: 1: indices patterns are missing;',
      ],
    ],
    [
      'gone/_clone/next',
      { indices: 'a' },
      [404, 'snapshot_missing_exception', '[r:gone] is missing'],
    ],
    [
      'copy/_clone/copy',
      { indices: 'a' },
      [
        400,
        'invalid_snapshot_name_exception',
        '[r:copy] Invalid snapshot name [copy], snapshot with the same name already exists',
      ],
    ],
    ['copy/_clone/next', { indices: 'b' }, [404, 'index_not_found_exception', 'no such index [b]']],
    [
      'copy/_clone/next',
      { indices: 'b*' },
      [
        500,
        'snapshot_exception',
        `[r:copy] No indices in the source snapshot [copy/${copy.uuid}] matched requested pattern [b*]`,
      ],
    ],
    [
      'copy/_clone/next',
      { partial: true },
      [400, 'illegal_argument_exception', 'Unknown parameter partial'],
    ],
  ] as const)
    expect(await rest.refused(`PUT /_snapshot/r/${line}`, body)).toEqual(expected)
})

it('leaves out shards that cannot be read only where it may', async () => {
  await rest.ok('PUT /a', { settings: { number_of_shards: 2 } })
  await rest.fill('a', 0, 20)
  await rest.ok('POST /a/_flush')
  const { uuid } = (await rest.ok('GET /a/_settings'))['a'].settings.index
  const shard = join(rest.folder, 'data', 'indices', uuid, '1')
  for (const file of readdirSync(shard)) if (/\.seg$/.test(file)) rmSync(join(shard, file))
  await rest.ok('POST /a/_close')
  const [status, type, reason] = await rest.refused(
    'PUT /_snapshot/r/whole?wait_for_completion=true',
  )
  expect([status, type]).toEqual([500, 'snapshot_exception'])
  expect(reason).toMatch(/^\[r:whole\/[\w-]{22}\] Indices don't have primary shards \[a\]$/)
  const { snapshot } = (await create('part', { partial: true })) as {
    snapshot: Record<string, unknown>
  }
  expect([snapshot['state'], snapshot['shards']]).toEqual([
    'PARTIAL',
    { total: 2, failed: 1, successful: 1 },
  ])
  expect(snapshot['failures']).toEqual([
    {
      index: 'a',
      index_uuid: uuid,
      shard_id: 1,
      reason: expect.stringContaining('corrupt_index_exception: corrupt file'),
      status: 'INTERNAL_SERVER_ERROR',
    },
  ])
  const restore = 'POST /_snapshot/r/part/_restore?wait_for_completion=true'
  expect(
    (await rest.refused(restore, { rename_pattern: 'a', rename_replacement: 'b' }))[2],
  ).toMatch(/index \[a\] wasn't fully snapshotted - cannot restore$/)
  expect((await rest.refused(restore, { partial: true }))[2]).toMatch(
    /cannot restore partial index \[a\] because such index already exists$/,
  )
  await rest.ok(restore, { partial: true, rename_pattern: 'a', rename_replacement: 'b' })
  const found = await rest.numbers('b')
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(20)
  expect((await rest.refused('PUT /_snapshot/r/part/_clone/next', { indices: 'a' }))[2]).toBe(
    "[r:part] Can't clone index [a] because its snapshot was not successful.",
  )
})

it('refuses one operation more than it may do at a time', async () => {
  await rest.ok('PUT /_cluster/settings', {
    transient: { 'snapshot.max_concurrent_operations': 1 },
  })
  await rest.ok('PUT /_snapshot/slow', {
    type: 'fs',
    settings: { location: 'slow', max_snapshot_bytes_per_sec: '2kb' },
  })
  await rest.fill('a', 0, 3000)
  await rest.ok('PUT /_snapshot/slow/s')
  const [status, type, reason] = await rest.refused('PUT /_snapshot/r/s')
  expect([status, type]).toEqual([503, 'concurrent_snapshot_execution_exception'])
  expect(reason).toMatch(
    /^\[r:s\/[\w-]{22}\] Cannot start another operation, already running \[1\] operations and the current limit for concurrent snapshot operations is set to \[1\]$/,
  )
  await rest.ok('PUT /_cluster/settings', {
    transient: { 'snapshot.max_concurrent_operations': null },
  })
  expect((await rest.refused('PUT /_snapshot/slow/s'))[2]).toBe(
    '[slow:s] Invalid snapshot name [s], snapshot with the same name is already in-progress',
  )
  expect(await rest.refused('DELETE /_snapshot/slow')).toEqual([
    500,
    'illegal_state_exception',
    'trying to modify or unregister repository [slow] that is currently used',
  ])
  await rest.ok('DELETE /_snapshot/slow/s')
  expect(rest.filesOf('slow')).toEqual(['index-1', 'index.latest'])
})

it('aborts a snapshot that is being taken by its deletion, and by its task', async () => {
  await rest.ok('PUT /_snapshot/slow', {
    type: 'fs',
    settings: { location: 'slow', max_snapshot_bytes_per_sec: '2kb' },
  })
  await rest.fill('a', 0, 3000)
  const aborted = rest.refused('PUT /_snapshot/slow/s?wait_for_completion=true')
  let current: { snapshot: string; state: string }[] = []
  while (current.length === 0) current = (await rest.ok('GET /_snapshot/slow/_current')).snapshots
  expect(current[0]).toMatchObject({ snapshot: 's', state: 'IN_PROGRESS', indices: ['a'] })
  const { tasks } = await rest.ok(
    'GET /_tasks?group_by=none&detailed=true&actions=*snapshot/create*',
  )
  const shard = tasks.find((task: { action: string }) => task.action.endsWith('[s]'))
  const parent = tasks.find(
    (task: { node: string; id: number }) => `${task.node}:${task.id}` === shard.parent_task_id,
  )
  expect([parent.description, parent.cancellable]).toEqual(['snapshot [slow:s]', true])
  await rest.ok('DELETE /_snapshot/slow/s')
  expect((await aborted)[2]).toMatch(/^\[slow:s\/[\w-]{22}\] Snapshot was aborted by deletion$/)
  const cancelled = rest.refused('PUT /_snapshot/slow/t?wait_for_completion=true')
  while ((await rest.ok('GET /_snapshot/_status')).snapshots.length === 0);
  await rest.ok('POST /_tasks/_cancel?actions=cluster:admin/snapshot/create')
  expect((await cancelled)[2]).toMatch(/^\[slow:t\/[\w-]{22}\] Snapshot was cancelled$/)
  expect((await rest.ok('GET /_snapshot/slow/_all')).snapshots).toEqual([])
})

it('ends with either of its tasks: the one that copies, and the one of a request that waits', async () => {
  await rest.ok('PUT /_snapshot/slow', {
    type: 'fs',
    settings: { location: 'slow', max_snapshot_bytes_per_sec: '2kb' },
  })
  await rest.fill('a', 0, 3000)
  for (const [name, copies] of [
    ['s', true],
    ['t', false],
  ] as const) {
    const cancelled = rest.refused(`PUT /_snapshot/slow/${name}?wait_for_completion=true`)
    while ((await rest.ok('GET /_snapshot/_status')).snapshots.length === 0);
    const path = 'GET /_tasks?group_by=none&detailed&actions=cluster:admin/snapshot/create'
    const tasks: { node: string; id: number; description: string }[] = (await rest.ok(path)).tasks
    expect(tasks.map(({ description }) => description).sort()).toEqual([
      '',
      `snapshot [slow:${name}]`,
    ])
    const { node, id } = tasks.find(({ description }) => (description !== '') === copies)!
    await rest.ok(`POST /_tasks/${node}:${id}/_cancel`)
    const [status, type, reason] = await cancelled
    expect([status, type]).toEqual([500, 'snapshot_exception'])
    expect(reason).toMatch(new RegExp(`^\\[slow:${name}/[\\w-]{22}\\] Snapshot was cancelled$`))
    expect((await rest.ok(path)).tasks).toEqual([])
  }
  expect((await rest.ok('GET /_snapshot/slow/_all')).snapshots).toEqual([])
  expect(rest.filesOf('slow').filter(file => file.includes('tmp-'))).toEqual([])
})

it('stops snapshots and restores when the node closes', async () => {
  const slow = {
    location: 'slow',
    max_snapshot_bytes_per_sec: '1b',
    max_restore_bytes_per_sec: '1b',
  }
  await rest.fill('a', 0, 3000)
  await rest.ok('PUT /_snapshot/fast', { type: 'fs', settings: { location: 'slow' } })
  await rest.ok('PUT /_snapshot/fast/whole?wait_for_completion=true')
  await rest.fill('a', 0, 3000)
  await rest.ok('PUT /_snapshot/slow', { type: 'fs', settings: slow })
  const taking = rest.call('PUT /_snapshot/slow/s?wait_for_completion=true')
  const restoring = rest.call('POST /_snapshot/slow/whole/_restore?wait_for_completion=true', {
    rename_pattern: 'a',
    rename_replacement: 'b',
  })
  while ((await rest.ok('GET /_snapshot/_status')).snapshots.length === 0);
  await rest.close()
  expect([(await taking).status, (await restoring).status]).toEqual([500, 500])
  const files = rest.filesOf('slow')
  expect(files.filter(file => /^(index|snap)-/.test(file)).length).toBe(2)
  expect(files.filter(file => file.includes('tmp-'))).toEqual([])
  expect(readdirSync(join(rest.folder, 'data', 'indices')).length).toBe(1)
})

it('begins among the changes of metadata, where it is listed while it waits', async () => {
  await rest.fill('a', 0, 3)
  /** Runs a change of metadata until it is ended. */
  const hold = (source: string): (() => Promise<void>) => {
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const { inTurn } = rest.engine.snapshots
    const done = inTurn(source, () => held, trusted('cluster:admin/snapshot/create'))
    return () => {
      release()
      return done
    }
  }
  const endFirst = hold('a change that takes long')
  const patient = create('patient')
  const pending = async (): Promise<readonly object[]> =>
    (await rest.ok('GET /_cluster/pending_tasks')).tasks
  await vi.waitFor(async () =>
    expect(await pending()).toMatchObject([
      { source: 'a change that takes long', executing: true },
      { source: 'create_snapshot [patient]', priority: 'NORMAL', executing: false },
    ]),
  )
  await endFirst()
  await patient
  const endSecond = hold('another one')
  expect(await rest.refused('PUT /_snapshot/r/hasty?cluster_manager_timeout=1ms')).toEqual([
    503,
    'process_cluster_event_timeout_exception',
    'failed to process cluster event (create_snapshot [hasty]) within 1ms',
  ])
  await endSecond()
  const listed = (await rest.ok('GET /_snapshot/r/_all')).snapshots
  expect(listed.map(({ snapshot }: { snapshot: string }) => snapshot)).toEqual(['patient'])
})
