import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSnapshotRest, type SnapshotRest } from '../../support/snapshot-calls.ts'

let rest: SnapshotRest
beforeAll(async () => {
  rest = await openSnapshotRest()
  await rest.ok('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r' } })
  await rest.ok('PUT /a', { settings: { number_of_shards: 2 } })
  await rest.fill('a', 0, 100)
  await rest.fill('b', 0, 50)
  await rest.ok('PUT /_snapshot/r/s?wait_for_completion=true')
  await rest.ok('PUT /_snapshot/r/t?wait_for_completion=true')
})
afterAll(() => rest.end())

it('tells a finished snapshot shard by shard', async () => {
  const { snapshots } = await rest.ok('GET /_snapshot/r/s/_status')
  const [status] = snapshots
  const stats = (count: number): object => ({
    incremental: { file_count: count, size_in_bytes: expect.any(Number) },
    total: { file_count: count, size_in_bytes: expect.any(Number) },
    start_time_in_millis: expect.any(Number),
    time_in_millis: expect.any(Number),
  })
  const counts = (done: number): object => ({
    initializing: 0,
    started: 0,
    finalizing: 0,
    done,
    failed: 0,
    total: done,
  })
  expect(status).toEqual({
    snapshot: 's',
    repository: 'r',
    uuid: expect.stringMatching(/^[\w-]{22}$/),
    state: 'SUCCESS',
    include_global_state: true,
    shards_stats: counts(3),
    stats: stats(9),
    indices: {
      a: {
        shards_stats: counts(2),
        stats: stats(6),
        shards: { 0: { stage: 'DONE', stats: stats(3) }, 1: { stage: 'DONE', stats: stats(3) } },
      },
      b: {
        shards_stats: counts(1),
        stats: stats(3),
        shards: { 0: { stage: 'DONE', stats: stats(3) } },
      },
    },
  })
  const total = status.stats.total.size_in_bytes
  const sum = Object.values<{ stats: { total: { size_in_bytes: number } } }>(status.indices)
  expect(total).toBe(sum.reduce((all, { stats: own }) => all + own.total.size_in_bytes, 0))
})

it('tells the indices of one snapshot that are asked for', async () => {
  const { snapshots } = await rest.ok('GET /_snapshot/r/s/b/_status')
  expect(Object.keys(snapshots[0].indices)).toEqual(['b'])
  expect(snapshots[0].shards_stats.total).toBe(1)
})

it('tells nothing of a node on which no snapshot is being taken', async () => {
  expect(await rest.ok('GET /_snapshot/_status')).toEqual({ snapshots: [] })
  expect(await rest.ok('GET /_snapshot/r/_status')).toEqual({ snapshots: [] })
})

it('refuses what is not there, unless it may be missing', async () => {
  expect(await rest.refused('GET /_snapshot/none/_status')).toEqual([
    404,
    'repository_missing_exception',
    '[none] missing',
  ])
  // A pattern is a name like any other.
  for (const name of ['gone', 's*', '_all'])
    expect(await rest.refused(`GET /_snapshot/r/${name}/_status`)).toEqual([
      404,
      'snapshot_missing_exception',
      `[r:${name}] is missing`,
    ])
  expect(await rest.refused('GET /_snapshot/r/s,t/a/_status')).toEqual([
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: index list filter is supported only for a single snapshot;',
  ])
  const missing = await rest.call('GET /_snapshot/r/s/x,b,y/_status')
  expect([missing.status, missing.json.error]).toEqual([
    404,
    expect.objectContaining({
      type: 'index_not_found_exception',
      reason: 'no such index [x, y]',
      caused_by: {
        type: 'illegal_argument_exception',
        reason: 'indices [x, y] missing in snapshot [s] of repository [r]',
      },
    }),
  ])
  const names = async (line: string, body?: object): Promise<string[]> =>
    (await rest.ok(line, body)).snapshots.map((each: { snapshot: string }) => each.snapshot)
  expect(await names('GET /_snapshot/r/gone,t/_status?ignore_unavailable')).toEqual(['t'])
  expect(await names('GET /_snapshot/r/gone,t/_status', { ignore_unavailable: true })).toEqual([
    't',
  ])
  const { snapshots } = await rest.ok('GET /_snapshot/r/s/x,b/_status?ignore_unavailable=true')
  expect(Object.keys(snapshots[0].indices)).toEqual(['b'])
  expect(await rest.refused('GET /_snapshot/r/s/_status', { verbose: true })).toEqual([
    400,
    'illegal_argument_exception',
    'Unknown parameter verbose',
  ])
})

it('refuses to tell more shards than it may', async () => {
  await rest.ok('PUT /_cluster/settings', {
    persistent: { 'snapshot.max_shards_allowed_in_status_api': 3 },
  })
  await rest.ok('GET /_snapshot/r/s/_status')
  const tooMany = await rest.call('GET /_snapshot/r/s,t/_status')
  expect([tooMany.status, tooMany.json.error.type, tooMany.json.error.durability]).toEqual([
    429,
    'circuit_breaking_exception',
    'PERMANENT',
  ])
  expect(tooMany.json.error.reason).toMatch(
    /^\[r\] Total shard count \[6\] is more than the maximum allowed value of shard count \[3\] for snapshot status request\./,
  )
  await rest.ok('PUT /_cluster/settings', {
    persistent: { 'snapshot.max_shards_allowed_in_status_api': null },
  })
})

it('tells how far a snapshot is that is being taken', async () => {
  await rest.ok('PUT /_snapshot/slow', {
    type: 'fs',
    settings: { location: 'slow', max_snapshot_bytes_per_sec: '1kb' },
  })
  await rest.fill('b', 50, 2000)
  await rest.ok('PUT /_snapshot/slow/s')
  let status: { shards_stats: { started: number } }
  do status = (await rest.ok('GET /_snapshot/slow/s/_status')).snapshots[0]
  while (status.shards_stats.started === 0)
  expect(status).toMatchObject({ snapshot: 's', repository: 'slow', state: 'IN_PROGRESS' })
  const { incremental, processed } = (
    status as unknown as { stats: Record<string, { file_count: number }> }
  ).stats
  expect(processed!.file_count).toBeLessThan(incremental!.file_count)
  const all = await rest.ok('GET /_snapshot/_status')
  expect(all.snapshots.map((each: { snapshot: string }) => each.snapshot)).toEqual(['s'])
  expect((await rest.ok('GET /_snapshot/slow/_status')).snapshots.length).toBe(1)
  expect((await rest.call('GET /_cat/snapshots/slow?h=id,status')).text).toBe('s IN_PROGRESS\n')
  await rest.ok('DELETE /_snapshot/slow/s')
})
