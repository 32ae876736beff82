import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { openSnapshotRest, type SnapshotRest } from '../../support/snapshot-calls.ts'

let rest: SnapshotRest
beforeAll(async () => {
  rest = await openSnapshotRest()
})
afterAll(() => rest.end())

const fs = (location: string, more: object = {}): object => ({
  type: 'fs',
  settings: { location, ...more },
})

it('shows repositories as they were given', async () => {
  await rest.ok('PUT /_snapshot/first', fs('one', { compress: true }))
  await rest.ok('POST /_snapshot/second', fs('two', { readonly: true, chunk_size: '1mb' }))
  expect(await rest.ok('GET /_snapshot')).toEqual({
    first: { type: 'fs', settings: { compress: 'true', location: 'one' } },
    second: { type: 'fs', settings: { chunk_size: '1mb', location: 'two', readonly: 'true' } },
  })
  expect(Object.keys(await rest.ok('GET /_snapshot/f*'))).toEqual(['first'])
  expect(Object.keys(await rest.ok('GET /_snapshot/_all'))).toEqual(['first', 'second'])
  expect((await rest.call('GET /_cat/repositories?v')).text).toBe(
    'id     type\nfirst  fs\nsecond fs\n',
  )
  await rest.ok('DELETE /_snapshot/second')
  expect(await rest.refused('GET /_snapshot/second')).toEqual([
    404,
    'repository_missing_exception',
    '[second] missing',
  ])
  expect(await rest.refused('DELETE /_snapshot/second')).toEqual([
    404,
    'repository_missing_exception',
    '[second] missing',
  ])
  expect(await rest.ok('DELETE /_snapshot/fir*')).toEqual({ acknowledged: true })
  expect(await rest.ok('GET /_snapshot')).toEqual({})
})

it('refuses what cannot be a repository', async () => {
  const put = (body: object): Promise<readonly [number, string, string]> =>
    rest.refused('PUT /_snapshot/r', body)
  expect(await put({ type: 'tape', settings: { location: 'x' } })).toEqual([
    400,
    'repository_exception',
    '[r] repository type [tape] does not exist',
  ])
  expect(await put({ type: 'fs' })).toEqual([400, 'repository_exception', '[r] missing location'])
  expect(await put({ settings: { location: 'x' } })).toEqual([
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: type is missing;',
  ])
  expect(await put({ type: 'fs', kind: 1 })).toEqual([
    400,
    'illegal_argument_exception',
    'Unknown parameter kind',
  ])
  expect(await put(fs('x', { compres: true }))).toEqual([
    400,
    'illegal_argument_exception',
    'unknown setting [compres] of a repository of type [fs] did you mean [compress]?',
  ])
  expect(await put(fs('x', { readonly: 'perhaps' }))).toEqual([
    400,
    'illegal_argument_exception',
    'Failed to parse value [perhaps] for setting [readonly] as only [true] or [false] are allowed.',
  ])
  expect(await put(fs('x', { chunk_size: '5b' }))).toEqual([
    400,
    'illegal_argument_exception',
    'failed to parse value [5b] for setting [chunk_size], must be >= [1kb]',
  ])
  expect(await put(fs('x', { max_restore_bytes_per_sec: 'fast' }))).toEqual([
    400,
    'illegal_argument_exception',
    'failed to parse setting [max_restore_bytes_per_sec] with value [fast] as a size in bytes: unit is missing or unrecognized',
  ])
  expect(await put(fs('x', { max_snapshot_bytes_per_sec: '-1' }))).toEqual([
    400,
    'illegal_argument_exception',
    'failed to parse value [-1] for setting [max_snapshot_bytes_per_sec], must be >= [0b]',
  ])
  expect(await rest.refused('PUT /_snapshot/a%23b', fs('x'))).toEqual([
    400,
    'repository_exception',
    "[a#b] must not contain '#'",
  ])
  expect((await rest.refused('PUT /_snapshot/a%7Cb', fs('x')))[2]).toContain(
    'must not contain the following characters',
  )
  expect(await rest.ok('GET /_snapshot')).toEqual({})
})

it('lets no location lead out of path.repo', async () => {
  const root = rest.repository('')
  mkdirSync(root, { recursive: true })
  symlinkSync(rest.folder, join(root, 'link'))
  symlinkSync(join(rest.folder, 'nowhere'), join(root, 'dangling'))
  writeFileSync(join(root, 'file'), '')
  const outside = "doesn't match any of the locations specified by path.repo"
  for (const [location, text] of [
    ['/etc', outside],
    ['..', outside],
    ['../indices', outside],
    ['a/../../indices', outside],
    ['a/../b', outside],
    ['.', outside],
    [join(root, '..', 'indices'), outside],
    [`${root.replace(/\/$/, '')}2/x`, outside],
    ['a\u0000b', outside],
    ['link', 'leads through a link'],
    ['link/deeper', 'leads through a link'],
    ['dangling', 'cannot be made a folder'],
    ['file', 'cannot be made a folder'],
    ['file/below', 'cannot be made a folder'],
  ])
    expect([location, ...(await rest.refused('PUT /_snapshot/r', fs(location!)))]).toEqual([
      location,
      400,
      'repository_exception',
      `[r] location [${location}] ${text}`,
    ])
  expect(readdirSync(rest.folder)).toEqual(['data'])
})

it('has no place for repositories in memory unless path.repo names one', async () => {
  const memory = await openRest()
  const { status, json } = await memory.call('PUT /_snapshot/r', fs('x'))
  expect([status, json.error.reason]).toEqual([
    400,
    "[r] location [x] doesn't match any of the locations specified by path.repo because this setting is empty",
  ])
  await memory.close()
  const allowed = await openRest({ 'path.repo': join(rest.folder, 'allowed') })
  expect((await allowed.call('PUT /_snapshot/r', fs('x'))).status).toBe(200)
  await allowed.call('PUT /i/_doc/1?refresh', { n: 1 })
  await allowed.call('PUT /_snapshot/r/s?wait_for_completion', {})
  await allowed.call('DELETE /i')
  const restored = await allowed.call('POST /_snapshot/r/s/_restore?wait_for_completion')
  expect(restored.json.snapshot.indices).toEqual(['i'])
  expect((await allowed.call('GET /i/_doc/1')).json._source).toEqual({ n: 1 })
  await allowed.close()
})

it('verifies and cleans up', async () => {
  await rest.ok('PUT /_snapshot/r', fs('verified'))
  const { nodes } = await rest.ok('POST /_snapshot/r/_verify')
  expect(Object.values(nodes)).toEqual([{ name: 'lamella-0' }])
  await rest.ok('PUT /_snapshot/r/first?wait_for_completion=true')
  await rest.ok('DELETE /_snapshot/r/first')
  writeFileSync(join(rest.repository('verified'), 'blobs', 'blob-stray'), 'four')
  writeFileSync(join(rest.repository('verified'), 'tmp-stray'), '')
  writeFileSync(join(rest.repository('verified'), 'notes.txt'), 'not ours')
  expect(await rest.ok('POST /_snapshot/r/_cleanup')).toEqual({
    results: { deleted_bytes: 4, deleted_blobs: 2 },
  })
  expect(rest.filesOf('verified')).toEqual(['index-3', 'index.latest', 'notes.txt'])
  await rest.ok('PUT /_snapshot/read', fs('verified', { readonly: true }))
  await rest.ok('POST /_snapshot/read/_verify')
  for (const [line, text] of [
    ['POST /_snapshot/read/_cleanup', 'cannot run cleanup on readonly repository'],
    ['PUT /_snapshot/read/s', 'cannot create snapshot in a readonly repository'],
    ['DELETE /_snapshot/read/s', 'cannot delete snapshot from a readonly repository'],
  ])
    expect(await rest.refused(line!)).toEqual([400, 'repository_exception', `[read] ${text}`])
  expect(await rest.refused('POST /_snapshot/none/_verify')).toEqual([
    404,
    'repository_missing_exception',
    '[none] missing',
  ])
})

it('reads a repository by the URL of its folder', async () => {
  const url = (text: string, more: object = {}): object => ({
    type: 'url',
    settings: { url: text, ...more },
  })
  await rest.ok('PUT /_snapshot/source', fs('by-url'))
  await rest.ok('PUT /i/_doc/1?refresh', { n: 1 })
  await rest.ok('PUT /_snapshot/source/s?wait_for_completion', { indices: 'i' })
  const { href } = pathToFileURL(rest.repository('by-url'))
  await rest.ok('PUT /_snapshot/copy', url(href, { max_restore_bytes_per_sec: '1gb' }))
  expect((await rest.ok('GET /_snapshot/copy/_all')).snapshots[0].snapshot).toBe('s')
  await rest.ok('DELETE /i')
  await rest.ok('POST /_snapshot/copy/s/_restore?wait_for_completion')
  expect((await rest.ok('GET /i/_doc/1'))._source).toEqual({ n: 1 })
  expect(await rest.refused('PUT /_snapshot/copy/t')).toEqual([
    400,
    'repository_exception',
    '[copy] cannot create snapshot in a readonly repository',
  ])
  const put = (body: object): Promise<readonly [number, string, string]> =>
    rest.refused('PUT /_snapshot/u', body)
  expect(await put({ type: 'url' })).toEqual([400, 'repository_exception', '[u] missing url'])
  expect(await put(url('http://127.0.0.1/x'))).toEqual([
    400,
    'repository_exception',
    "[u] file url [http://127.0.0.1/x/] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls",
  ])
  expect(await put(url('ftp://127.0.0.1/x'))).toEqual([
    400,
    'illegal_argument_exception',
    '[url: ftp] is not supported yet',
  ])
  expect(await put(url('gopher://x'))).toEqual([
    400,
    'repository_exception',
    '[u] unsupported url protocol [gopher] from URL [gopher://x]',
  ])
  expect(await put(url('file://elsewhere/x'))).toEqual([
    400,
    'repository_exception',
    '[u] cannot parse URL [file://elsewhere/x]',
  ])
  expect((await put(url('file:///etc')))[2]).toBe(
    "[u] location [/etc] doesn't match any of the locations specified by path.repo",
  )
  expect((await put(url(href, { compress: true })))[2]).toContain(
    'unknown setting [compress] of a repository of type [url]',
  )
})
