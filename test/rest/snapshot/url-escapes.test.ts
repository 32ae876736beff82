/** URLs of repositories that lead out of the folders in which repositories may lie. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSnapshotRest, type SnapshotRest } from '../../support/snapshot-calls.ts'
import { tellCount } from '../../support/tell-count.ts'

const SECRET = 'snapshot-of-others'
let rest: SnapshotRest

beforeAll(async () => {
  rest = await openSnapshotRest()
  await rest.ok('PUT /_snapshot/own', { type: 'fs', settings: { location: 'own' } })
  await rest.ok('PUT /secret/_doc/1?refresh', { n: 1 })
  await rest.ok(`PUT /_snapshot/own/${SECRET}?wait_for_completion`, { indices: 'secret' })
  const root = join(rest.repository('own'), '..')
  for (const folder of [join(rest.folder, 'outside'), `${root}-beside`])
    cpSync(rest.repository('own'), folder, { recursive: true })
  await rest.ok('DELETE /_snapshot/own')
  mkdirSync(join(root, 'deep', 'er'), { recursive: true })
  symlinkSync(join(rest.folder, 'outside'), join(root, 'link'))
  symlinkSync(rest.folder, join(root, 'deep', 'up'))
})
afterAll(() => rest.end())

/** URLs that mean a folder outside, or nothing at all. */
function escapes(): readonly string[] {
  const root = join(rest.repository('own'), '..')
  const at = pathToFileURL(root).href
  const away = pathToFileURL(join(rest.folder, 'outside')).href
  const up = (dots: string): string => `${at}/own/${dots}/${dots}/outside`
  return [
    ...['..', '%2e%2e', '.%2E', '%2e.'].map(up),
    ...['..%2f..%2foutside', '..%5c..%5coutside', '%00', 'own%00/../../../outside'].map(
      way => `${at}/own/${way}`,
    ),
    `${at}/link`,
    `${at}/link/`,
    `${at}/deep/up/outside`,
    `${at}/deep/er/../up/outside`,
    `${at}-beside`,
    `${at}-beside/../${root.split('/').at(-1)}-beside`,
    away,
    away.replace('file:', 'FILE:'),
    away.replace('file://', 'file:'),
    away.replace('file:///', 'file:////'),
    away.replace('file:///', 'file://localhost/'),
    away.replace('file:///', 'file://user:word@/'),
    away.replace('file:///', 'file://127.0.0.1/'),
    `${away}?x=${at}`,
    `${away}#${at}`,
    `jar:${away}!/`,
    `${away}\n`,
    ` ${away}`,
    'file:',
    'file:///',
    'file:///proc/self/root',
    'file:..',
    'data:text/plain,x',
    '//etc',
    '/etc',
    `http://127.0.0.1:${1}/`,
    'https://[::1]/',
    'ftp://127.0.0.1/',
  ]
}

it('are refused, and show no snapshot', async () => {
  const all = escapes()
  for (const url of all) {
    const body = { type: 'url', settings: { url } }
    for (const parameter of ['', '?verify=false']) {
      const { status, text } = await rest.call(`PUT /_snapshot/away${parameter}`, body)
      const listed = await rest.call('GET /_snapshot/away/_all')
      expect([url, parameter, status, text]).toEqual([url, parameter, 400, expect.any(String)])
      expect([url, listed.status]).toEqual([url, 404])
      expect(listed.text).not.toContain(SECRET)
      expect(text).not.toContain(SECRET)
    }
  }
  tellCount('URLs out of the folders of repositories', 2 * all.length)
  expect(await rest.ok('GET /_snapshot')).toEqual({})
})

it('are none of those that stay within', async () => {
  const { href } = pathToFileURL(rest.repository('own'))
  for (const url of [href, `${href}/`, `${href}/../own`, `${href}/%2e`]) {
    await rest.ok('PUT /_snapshot/in', { type: 'url', settings: { url } })
    const { snapshots } = await rest.ok('GET /_snapshot/in/_all')
    expect([url, snapshots[0].snapshot]).toEqual([url, SECRET])
  }
  await rest.ok('DELETE /_snapshot/in')
})
