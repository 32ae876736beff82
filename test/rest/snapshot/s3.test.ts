import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { S3_KEYS, type S3Server, startS3Server } from '../../support/s3-server.ts'
import { openSnapshotRest, type SnapshotRest, upTo } from '../../support/snapshot-calls.ts'

let server: S3Server
let rest: SnapshotRest
beforeAll(async () => {
  for (const [key, value] of Object.entries(S3_KEYS)) vi.stubEnv(key, value)
  server = await startS3Server()
  rest = await openSnapshotRest({
    's3.client.default.endpoint': server.endpoint,
    's3.client.default.path_style_access': 'true',
    's3.client.lost.endpoint': 'http://127.0.0.1:1',
    's3.client.lost.max_retries': '0',
  })
})
afterAll(async () => {
  await rest.end()
  await server.close()
  vi.unstubAllEnvs()
})

const s3 = (settings: object = {}): object => ({
  type: 's3',
  settings: { bucket: 'books', ...settings },
})

/** Names of the objects below a path of the bucket, sorted. */
function objects(path: string): readonly string[] {
  const ending = '._S3rver_object'
  return readdirSync(join(server.folder, 'books', path), { recursive: true })
    .map(String)
    .filter(each => each.endsWith(ending))
    .map(each => each.slice(0, -ending.length))
    .sort()
}

it('keep snapshots that bring what is new, and restore them', async () => {
  await rest.ok('PUT /_snapshot/r', s3({ base_path: '/one/two/', compress: false }))
  expect(await rest.ok('GET /_snapshot/r')).toEqual({
    r: { type: 's3', settings: { bucket: 'books', base_path: '/one/two/', compress: 'false' } },
  })
  await rest.fill('i', 0, 20)
  const first = await rest.ok('PUT /_snapshot/r/first?wait_for_completion')
  expect(first.snapshot).toMatchObject({ state: 'SUCCESS', indices: ['i'] })
  const before = objects('one/two')
  expect(before.filter(name => name.startsWith('blobs/'))).not.toEqual([])
  await rest.fill('i', 20, 30)
  await rest.ok('PUT /_snapshot/r/second?wait_for_completion')
  const kept = before.filter(name => name.startsWith('blobs/'))
  expect(objects('one/two')).toEqual(expect.arrayContaining(kept))
  const { snapshots } = await rest.ok('GET /_snapshot/r/second/_status')
  const { incremental, total } = snapshots[0].stats
  expect(incremental.size_in_bytes).toBeLessThan(total.size_in_bytes)
  for (const [name, count] of [
    ['first', 20],
    ['second', 30],
  ] as const) {
    const renamed = { rename_pattern: '(.+)', rename_replacement: `$1-${name}` }
    await rest.ok(`POST /_snapshot/r/${name}/_restore?wait_for_completion`, renamed)
    expect(await rest.numbers(`i-${name}`)).toEqual(upTo(count))
  }
  expect(await rest.ok('POST /_snapshot/r/_verify')).toMatchObject({ nodes: {} })
})

it('clone, delete and tidy up, beside other repositories of the bucket', async () => {
  await rest.ok('PUT /_snapshot/own', s3({ base_path: 'own' }))
  await rest.ok('PUT /_snapshot/other', s3({ base_path: 'own/other' }))
  await rest.fill('j', 0, 5)
  const only = { indices: 'j' }
  await rest.ok('PUT /_snapshot/own/a?wait_for_completion', only)
  await rest.ok('PUT /_snapshot/other/a?wait_for_completion', only)
  await rest.ok('PUT /_snapshot/own/a/_clone/b', only)
  const others = objects('own/other')
  await rest.ok('DELETE /_snapshot/own/a')
  expect(await rest.ok('POST /_snapshot/own/_cleanup')).toEqual({
    results: { deleted_bytes: 0, deleted_blobs: 0 },
  })
  await rest.ok('DELETE /j')
  await rest.ok('POST /_snapshot/own/b/_restore?wait_for_completion')
  expect(await rest.numbers('j')).toEqual(upTo(5))
  await rest.ok('DELETE /_snapshot/own/b')
  expect(objects('own').filter(name => !name.startsWith('other/'))).toEqual([
    'index-5',
    'index.latest',
  ])
  expect(objects('own/other')).toEqual(others)
  expect((await rest.ok('GET /_snapshot/other/_all')).snapshots).toHaveLength(1)
})

it('send long files in parts', async () => {
  await rest.ok('PUT /_snapshot/long', s3({ base_path: 'long', buffer_size: '5mb' }))
  let seed = 1
  const word = (): string => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed.toString(36)
  }
  const lines = Array.from({ length: 200 }, (_, n) => [
    JSON.stringify({ index: { _id: `d${n}` } }),
    JSON.stringify({ n, text: Array.from({ length: 12_000 }, word).join(' ') }),
  ])
  await rest.ok('PUT /long', { mappings: { properties: { text: { type: 'text', index: false } } } })
  await rest.ok('POST /long/_bulk?refresh', `${lines.flat().join('\n')}\n`)
  await rest.ok('POST /long/_forcemerge?max_num_segments=1')
  await rest.ok('PUT /_snapshot/long/a?wait_for_completion', { indices: 'long' })
  const { snapshots } = await rest.ok('GET /_snapshot/long/a/_status')
  expect(snapshots[0].stats.total.size_in_bytes).toBeGreaterThan(8 * 2 ** 20)
  await rest.ok('DELETE /long')
  await rest.ok('POST /_snapshot/long/a/_restore?wait_for_completion')
  expect(await rest.numbers('long')).toEqual(upTo(200))
})

it('find objects that were lost, and refuse to restore them', async () => {
  await rest.ok('PUT /_snapshot/hurt', s3({ base_path: 'hurt' }))
  await rest.fill('k', 0, 3)
  await rest.ok('PUT /_snapshot/hurt/a?wait_for_completion', { indices: 'k' })
  const [blob] = objects('hurt').filter(name => name.startsWith('blobs/'))
  rmSync(join(server.folder, 'books/hurt', `${blob}._S3rver_object`))
  const [status, type] = await rest.refused('POST /_snapshot/hurt/_verify')
  expect([status, type]).toEqual([500, 'repository_verification_exception'])
  await rest.ok('DELETE /k')
  expect((await rest.refused('POST /_snapshot/hurt/a/_restore?wait_for_completion'))[2]).toMatch(
    /^\[hurt:a\/[\w-]{22}\] index \[k\] is damaged$/,
  )
  expect((await rest.call('HEAD /k')).status).toBe(404)
})

it('can be read alone', async () => {
  await rest.ok('PUT /_snapshot/same', s3({ base_path: 'one/two', readonly: true }))
  const { snapshots } = await rest.ok('GET /_snapshot/same/_all')
  expect(snapshots.map(({ snapshot }: { snapshot: string }) => snapshot)).toEqual([
    'first',
    'second',
  ])
  expect(await rest.refused('PUT /_snapshot/same/third')).toEqual([
    400,
    'repository_exception',
    '[same] cannot create snapshot in a readonly repository',
  ])
})

it.each([
  [{ bucket: '' }, 'repository_exception', '[x] No bucket defined for s3 repository'],
  [{ bucket: 'a/b' }, 'repository_exception', '[x] bucket [a/b] is no name of a bucket'],
  [{ client: 'none' }, 'repository_exception', '[x] Unknown s3 client name [none]'],
  [
    { base_path: 'a/../b' },
    'illegal_argument_exception',
    'failed to parse value [a/../b] for setting [base_path]',
  ],
  [
    { buffer_size: '1mb' },
    'illegal_argument_exception',
    'failed to parse value [1mb] for setting [buffer_size], must be >= [5mb]',
  ],
  [
    { buffer_size: '6gb' },
    'illegal_argument_exception',
    'failed to parse value [6gb] for setting [buffer_size], must be <= [5gb]',
  ],
  [
    { chunk_size: '1tb' },
    'illegal_argument_exception',
    'chunk_size [1tb] takes more than [10000] parts of buffer_size [8mb]',
  ],
  [
    { storage_class: 'glacier' },
    'illegal_argument_exception',
    'failed to parse value [glacier] for setting [storage_class], must be one of [standard, ' +
      'reduced_redundancy, standard_ia, onezone_ia, intelligent_tiering]',
  ],
  [
    { canned_acl: 'all' },
    'illegal_argument_exception',
    'failed to parse value [all] for setting [canned_acl], must be one of [private, public-read, ' +
      'public-read-write, authenticated-read, log-delivery-write, bucket-owner-read, bucket-owner-full-control]',
  ],
  [
    { endpoint: 'http://127.0.0.1' },
    'illegal_argument_exception',
    'unknown setting [endpoint] of a repository of type [s3]',
  ],
])('are refused with settings %j', async (settings, type, reason) => {
  expect(await rest.refused('PUT /_snapshot/x', s3(settings))).toEqual([400, type, reason])
  expect(await rest.ok('GET /_snapshot/x*')).toEqual({})
})

it('tell what a server said to the first request', async () => {
  expect(await rest.call('PUT /_snapshot/x', s3({ client: 'lost' }))).toMatchObject({
    status: 500,
    json: {
      error: {
        type: 'repository_verification_exception',
        reason: '[x] path is not accessible on cluster-manager node',
        caused_by: {
          type: 'illegal_state_exception',
          reason: '[PutObject] failed with [ECONNREFUSED]',
        },
      },
    },
  })
  const { json } = await rest.call('PUT /_snapshot/x', s3({ bucket: 'papers' }))
  expect(json.error.caused_by.reason).toBe('[PutObject] failed with [NoSuchBucket], status [404]')
})
