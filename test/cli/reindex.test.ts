import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliProcess, runCli, startCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('cli-reindex')
const data = join(folder, 'data')
const URL_LINE = /http:\/\/127\.0\.0\.1:\d+/

let server: CliProcess
let url: string
beforeAll(async () => {
  const lines = Array.from({ length: 300 }, (_, n) => JSON.stringify({ id: `${n}`, n, t: 'text' }))
  const args = ['index', '-', '--index', 'notes', '--data', data, '--id', 'id', '--quiet']
  expect((await runCli(args, `${lines.join('\n')}\n`)).code).toBe(0)
  server = startCli(['serve', '--data', join(folder, 'other'), '--port', '0'])
  url = URL_LINE.exec(await server.saysOnStdout(URL_LINE))![0]
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
})

const reindex = (...args: string[]): ReturnType<typeof runCli> =>
  runCli(['reindex', ...args, '--data', data])

const countOf = async (index: string): Promise<number> => {
  const { stdout } = await runCli(['search', index, '--data', data, '--json', '{"match_all":{}}'])
  return JSON.parse(stdout).hits.total.value
}

describe('lamella reindex', () => {
  it('copies within a folder, what a query finds, changed by a script', async () => {
    const query = '{"range":{"n":{"lt":100}}}'
    const { code, stdout } = await reindex(
      'notes',
      'few',
      '--query',
      query,
      '--script',
      'ctx._source.x = ctx._source.n',
      '--slices',
      '2',
    )
    expect([code, stdout.trim()]).toEqual([0, '100 documents copied from [notes] to [few]'])
    expect(await countOf('few')).toBe(100)
  })

  it('copies to a server with the mapping, and from there', async () => {
    const there = await reindex('notes', 'mirror', '--to', url, '--json')
    expect(there.code).toBe(0)
    expect(JSON.parse(there.stdout)).toMatchObject({ total: 300, created: 300, failures: [] })
    const mappings = (await (await fetch(`${url}/mirror/_mapping`)).json()) as {
      mirror: { mappings: { properties: object } }
    }
    expect(mappings.mirror.mappings.properties).toMatchObject({ n: { type: 'long' } })
    const again = await reindex('notes', 'mirror', '--to', url)
    expect(again.stdout.trim()).toBe('0 documents copied from [notes] to [mirror], 300 overwritten')
    const back = await reindex('mirror', 'back', '--from', url)
    expect([back.code, back.stdout.trim(), back.stderr]).toEqual([
      0,
      '300 documents copied from [mirror] to [back]',
      expect.stringContaining('copying'),
    ])
    expect(await countOf('back')).toBe(300)
  })

  it.each([
    [['notes'], /TARGET is missing: the index to write to/],
    [['notes', 'x', '--from', 'http://h', '--to', 'http://h'], /exclude each other/],
    [['notes', 'x', '--from', 'h:9200'], /--from takes a URL such as/],
    [['notes', 'x', '--to', 'file:///x'], /--to takes a URL such as/],
    [['notes', 'x', '--query', '{'], /--query takes a query as JSON/],
    [['notes', 'x', '--slices', '0'], /--slices takes a whole number from 1, or auto/],
    [['notes', 'x', '--to', 'http://h', '--script', 'x'], /do not go together with --to/],
    [['notes', 'x', '--from', 'http://h', '--user', 'u'], /LAMELLA_PASSWORD/],
  ])('ends with 2 for %j', async (args, reason) => {
    const { code, stderr } = await reindex(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(reason)
    expect(stderr).toMatch(/^lamella reindex --help shows how it is used$/m)
  })

  it('ends with 1 for an index that there is none of, and for what a server refuses', async () => {
    const none = await reindex('none', 'x')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('notes')])
    const refused = await reindex('none', 'x', '--from', url, '--quiet')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `lamella: [${url}] refused: no such index [none]\n`,
    ])
    for (const option of ['--to', '--from']) {
      const gone = await reindex('notes', 'x', option, 'http://127.0.0.1:19397')
      expect([gone.code, gone.stderr]).toEqual([
        1,
        expect.stringMatching(/no server answers at \[http:\/\/127\.0\.0\.1:19397\] \(.*refused/i),
      ])
    }
  })

  it.each([
    [['--script', 'ctx.'], 'lamella: compile error: unexpected end of script.\n'],
    [
      ['--query', '{"rang":{}}'],
      'lamella: [1:2] [reindex] failed to parse field [source]: unknown query [rang] did you mean [range]? [1:37] unknown field [rang]\n',
    ],
  ])('says why where %j cannot be', async (options, said) => {
    expect(await reindex('notes', 'x', ...options)).toMatchObject({ code: 1, stderr: said })
  })
})
