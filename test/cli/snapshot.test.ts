import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { runCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('cli-snapshot')
const data = join(folder, 'data')
const elsewhere = join(folder, 'elsewhere')

beforeAll(async () => {
  const lines = Array.from({ length: 300 }, (_, i) => JSON.stringify({ n: i }))
  const args = ['index', '-', '--index', 'notes', '--data', data, '--quiet']
  expect((await runCli(args, `${lines.join('\n')}\n`)).code).toBe(0)
})

const run = (...args: string[]): ReturnType<typeof runCli> =>
  runCli(['snapshot', ...args, '--data', data])

it('takes snapshots, lists, restores and deletes them', async () => {
  const first = await run('create', 'one')
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^one: SUCCESS, 1 index, 1 of 1 shard in .*, 3 new files with .* of .*\n$/,
    ),
  ])
  expect(first.stderr).toMatch(/copying: done/)
  expect((await run('create', 'two', '--quiet')).stdout).toMatch(/, 1 new file with /)
  const listed = await run('list')
  expect(listed.stdout).toMatch(/^snapshot +state +taken +took +shards +indices/)
  expect(listed.stdout).toMatch(/one +SUCCESS .* 1\/1 +notes\ntwo +SUCCESS/)
  expect((await run('status', 'two')).stdout).toMatch(
    /^two: SUCCESS, 1 of 1 shard, 3 files with .*, of which .* were new\n$/,
  )
  const restored = await run('restore', 'one', '--rename', '^no=more-no', '--json', '--quiet')
  expect(JSON.parse(restored.stdout)).toEqual({
    indices: ['more-notes'],
    shards: { total: 1, failed: 0, successful: 1 },
  })
  const found = await runCli(['search', 'more-notes', '{"match_all":{}}', '--data', data, '--json'])
  expect(JSON.parse(found.stdout).hits.total.value).toBe(300)
  expect((await run('verify')).stdout).toBe('verified: no damage\n')
  expect((await run('delete', 'one', 'two')).stdout).toBe('deleted one, two\n')
  expect(JSON.parse((await run('list', '--json')).stdout)).toEqual([])
})

it('keeps a repository in a folder of its own', async () => {
  expect((await run('create', 'far', '--to', elsewhere, '--quiet')).code).toBe(0)
  expect(existsSync(join(elsewhere, 'index-2'))).toBe(true)
  const other = join(folder, 'other')
  await runCli(['index', '-', '--index', 'x', '--data', other, '--quiet'], '{"n":1}\n')
  const args = ['snapshot', 'restore', 'far', '--to', elsewhere, '--data', other, '--quiet']
  expect((await runCli([...args, '--index', 'notes'])).stdout).toBe('restored 1 shard: notes\n')
})

it('restores into a data folder that was lost', async () => {
  const lost = join(folder, 'lost')
  expect((await run('create', 'kept', '--to', elsewhere, '--index', 'notes', '--quiet')).code).toBe(
    0,
  )
  const args = ['snapshot', 'restore', 'kept', '--data', lost, '--quiet']
  const without = await runCli(args)
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringContaining(`there is no data folder [${lost}]`),
  ])
  expect(await runCli([...args, '--to', elsewhere])).toMatchObject({
    code: 0,
    stdout: 'restored 1 shard: notes\n',
  })
  const found = await runCli(['search', 'notes', '{"match_all":{}}', '--data', lost, '--json'])
  expect(JSON.parse(found.stdout).hits.total.value).toBe(300)
})

it('tells what makes no sense, and what is not there', async () => {
  for (const [args, code, text] of [
    [
      ['paint'],
      2,
      'snapshot paint makes no sense: it takes create, list, status, restore, delete, verify',
    ],
    [['create'], 2, 'snapshot create needs the name of a snapshot'],
    [['list', 'x'], 2, 'snapshot list takes no name'],
    [['restore', 'a', 'b'], 2, 'snapshot restore takes one name, found 2'],
    [['restore', 'a', '--rename', 'x'], 2, '--rename takes PATTERN=NEW, found [x]'],
    [['create', 'UP', '--repository', 'new', '--quiet'], 1, 'must be lowercase'],
    [['list', '--repository', 'gone'], 1, 'there is no repository [gone] (there are: '],
    [['list', '--to', join(folder, 'gone')], 1, `there is no folder [${join(folder, 'gone')}]`],
  ] as const) {
    const { code: found, stderr } = await run(...args)
    expect([args, found]).toEqual([args, code])
    expect(stderr).toContain(text)
  }
})
