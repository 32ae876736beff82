/** How long the services' calls wait for their turn among the changes of metadata, under either name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../src/task/call-context.ts'
import { openSnapshotRest, type SnapshotRest } from '../support/snapshot-calls.ts'

let rest: SnapshotRest
beforeAll(async () => {
  rest = await openSnapshotRest()
  await rest.ok('PUT /_snapshot/r', { type: 'fs', settings: { location: 'r' } })
  await rest.fill('i', 0, 3)
  await rest.ok('PUT /_snapshot/r/s?wait_for_completion', { indices: 'i' })
  await rest.ok('PUT /_ingest/pipeline/p', { processors: [] })
  await rest.ok('PUT /_scripts/s', SCRIPT)
})
afterAll(() => rest.end())

const SCRIPT = { script: { lang: 'painless', source: '1' } }
const FS = { type: 'fs', settings: { location: 'other' } }
const RENAMED = { indices: 'i', rename_pattern: 'i', rename_replacement: 'copy' }

type Line = readonly [line: string, body: object | undefined]

/** Calls that change metadata, with the change that is waited for. */
const CHANGES: readonly (readonly [line: string, body: object | undefined, change: string])[] = [
  ['PUT /_ingest/pipeline/p', { processors: [] }, 'put-pipeline-p'],
  ['DELETE /_ingest/pipeline/p', undefined, 'delete-pipeline-p'],
  ['PUT /_scripts/s', SCRIPT, 'put-script-s'],
  ['DELETE /_scripts/s', undefined, 'delete-script-s'],
  ['PUT /_snapshot/other', FS, 'put_repository [other]'],
  ['DELETE /_snapshot/r', undefined, 'delete_repository [r]'],
  ['PUT /_snapshot/r/late', { indices: 'i' }, 'create_snapshot [late]'],
]

/** Calls that read, or whose changes wait for no other. */
const OTHERS: readonly Line[] = [
  ['GET /_ingest/pipeline', undefined],
  ['GET /_ingest/pipeline/p', undefined],
  ['GET /_scripts/s', undefined],
  ['HEAD /_scripts/s', undefined],
  ['GET /_snapshot', undefined],
  ['GET /_snapshot/r', undefined],
  ['GET /_snapshot/_status', undefined],
  ['GET /_snapshot/r/s', undefined],
  ['GET /_snapshot/r/s/_status', undefined],
  ['POST /_snapshot/r/_verify', undefined],
  ['POST /_snapshot/r/_cleanup', undefined],
  ['PUT /_snapshot/r/s/_clone/t', { indices: 'i' }],
  ['POST /_snapshot/r/s/_restore?wait_for_completion', RENAMED],
  ['DELETE /_snapshot/r/t', undefined],
  ['GET /_cluster/pending_tasks', undefined],
  ['GET /_cat/pending_tasks', undefined],
  ['GET /_cat/repositories', undefined],
  ['GET /_cat/snapshots/r', undefined],
]

const ALL: readonly Line[] = [...CHANGES.map(([line, body]): Line => [line, body]), ...OTHERS]

const NAMES = ['cluster_manager_timeout', 'master_timeout']

const withQuery = (line: string, query: string): string =>
  `${line}${line.includes('?') ? '&' : '?'}${query}`

/** Runs a change of metadata until it is ended. */
function hold(): () => Promise<void> {
  let release = (): void => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const context = trusted('cluster:admin/snapshot/create')
  const done = rest.engine.snapshots.inTurn('another change', () => held, context)
  return () => {
    release()
    return done
  }
}

describe.each(NAMES)('%s', name => {
  it.each(CHANGES)('bounds the wait of %s', async (line, body, change) => {
    const end = hold()
    const found = await rest.refused(withQuery(line, `${name}=1ms`), body)
    await end()
    expect(found).toEqual([
      503,
      'process_cluster_event_timeout_exception',
      `failed to process cluster event (${change}) within 1ms`,
    ])
  })

  it.each(OTHERS)('is taken by %s', async (line, body) => {
    const { status } = await rest.call(withQuery(line, `${name}=30s`), body)
    expect(Math.floor(status / 100)).toBe(2)
    await rest.call('DELETE /copy')
  })

  it.each(ALL)('is refused by %s without a unit', async (line, body) => {
    const { status, json } = await rest.call(withQuery(line, `${name}=1`), body)
    expect(status).toBe(400)
    if (!line.startsWith('HEAD'))
      expect([json.error.type, json.error.reason]).toEqual([
        'illegal_argument_exception',
        `failed to parse setting [${name}] with value [1] as a time value: unit is missing or unrecognized`,
      ])
  })
})

it.each(ALL)('%s has one of the two alone', async (line, body) => {
  const { status, json } = await rest.call(
    withQuery(line, NAMES.map(name => `${name}=1s`).join('&')),
    body,
  )
  expect(status).toBe(400)
  if (!line.startsWith('HEAD'))
    expect([json.error.type, json.error.reason]).toEqual([
      'parse_exception',
      'Please only use one of the request parameters [master_timeout, cluster_manager_timeout].',
    ])
})

it.each([
  'PUT /_ingest/pipeline/p',
  'DELETE /_ingest/pipeline/p',
  'PUT /_scripts/s',
  'DELETE /_scripts/s',
  'PUT /_snapshot/r',
  'DELETE /_snapshot/r',
  'POST /_snapshot/r/_verify',
  'POST /_snapshot/r/_cleanup',
])('%s takes the time that other nodes have, of a unit', async line => {
  const body = line.startsWith('PUT') ? (line.includes('_scripts') ? SCRIPT : {}) : undefined
  expect((await rest.refused(`${line}?timeout=1`, body))[2]).toBe(
    'failed to parse setting [timeout] with value [1] as a time value: unit is missing or unrecognized',
  )
  const names = /DELETE|PUT/.test(line) ? line.replace(/[prs]$/, '_nothing') : line
  expect((await rest.call(`${names}?timeout=1s`, body)).status).not.toBe(500)
})

it.each([
  'GET /_snapshot',
  'GET /_ingest/pipeline',
  'GET /_scripts/s',
  'GET /_cluster/pending_tasks',
])('%s has no time that other nodes have', async line => {
  expect(await rest.refused(`${line}?timeout=1s`)).toEqual([
    400,
    'illegal_argument_exception',
    `request [${line.replace('GET ', '')}] contains unrecognized parameter: [timeout]`,
  ])
})

it.each(['GET /_nodes', 'GET /_cluster/stats', 'GET /_nodes/usage', 'GET /_nodes/stats'])(
  '%s waits so long for nodes',
  async line => {
    expect((await rest.ok(`${line}?timeout=1s`))._nodes).toEqual({
      total: 1,
      successful: 1,
      failed: 0,
    })
    expect((await rest.refused(`${line}?timeout=1`))[2]).toBe(
      'failed to parse setting [timeout] with value [1] as a time value: unit is missing or unrecognized',
    )
  },
)

it.each(['tasks', 'repositories', 'pending_tasks', 'snapshots/r'])(
  'GET /_cat/%s takes units of sizes and of times',
  async table => {
    expect((await rest.call(`GET /_cat/${table}?bytes=kb&time=ms`)).status).toBe(200)
    expect((await rest.call(`GET /_cat/${table}?bytes=q`)).status).toBe(200)
  },
)

it.each([
  'GET /_snapshot',
  'GET /_scripts/s',
  'GET /_cluster/pending_tasks',
  'GET /_cat/repositories',
  'GET /_cat/pending_tasks',
])('%s may ask the node itself', async line => {
  expect((await rest.call(`${line}?local=true`)).status).toBe(200)
  expect((await rest.refused(`${line}?local=perhaps`))[2]).toBe(
    'Failed to parse value [perhaps] as only [true] or [false] are allowed.',
  )
})
