import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../src/embed/open.ts'
import type { RunningServer } from '../../src/embed/running-server.ts'
import { runCli, startCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('operations')
const URL_LINE = /http:\/\/127\.0\.0\.1:\d+/
const db = await open()
let server: RunningServer
beforeAll(async () => {
  await (await db.index('books')).put('1', { n: 1 }, { refresh: true })
  server = await db.serve({ port: 0 })
})
afterAll(() => db.close())

/** A request that waits until somebody ends it, and its task's id. */
async function waiting(): Promise<{ readonly id: string; readonly answer: Promise<unknown> }> {
  const answer = db.request({ method: 'GET', path: '/_cluster/health/absent?timeout=120s' })
  for (;;) {
    const [task] = await db.tasks.list()
    if (task !== undefined) return { id: task.id, answer }
  }
}

describe('lamella tasks', () => {
  it('shows what runs on a server, and cancels it', async () => {
    expect(await runCli(['tasks', '--url', server.url])).toEqual({
      code: 0,
      stdout: 'nothing runs\n',
      stderr: '',
    })
    const { id, answer } = await waiting()
    const { stdout } = await runCli(['tasks', '--url', `${server.url}/`])
    const [summary, head, row] = stdout.split('\n')
    expect(summary).toBe('1 task')
    expect(head).toMatch(/^task +action +running +processor +progress +description$/)
    expect(row).toMatch(new RegExp(`^${id} +cluster:monitor/health +[\\d.]+ m?s`))
    const json = await runCli(['tasks', '--url', server.url, '--json', '--action', 'cluster:*'])
    expect(JSON.parse(json.stdout).tasks).toMatchObject([{ action: 'cluster:monitor/health' }])
    const others = await runCli(['tasks', '--url', server.url, '--action', 'indices:*'])
    expect(others.stdout).toBe('nothing runs\n')
    const cancelled = await runCli(['tasks', '--url', server.url, '--cancel', id])
    expect([cancelled.code, cancelled.stdout]).toEqual([0, `cancelled ${id}\n`])
    await answer
    const gone = await runCli(['tasks', '--url', server.url, '--cancel', id])
    expect([gone.code, gone.stderr]).toEqual([
      1,
      `lamella: [${server.url}] refused: task [${id}] is not found\n`,
    ])
  })

  it('watches until it is interrupted', async () => {
    const args = ['tasks', '--url', server.url, '--watch', '--interval', '1', '--json']
    const watching = startCli(args)
    await watching.saysOnStdout(/^(\{"tasks":\[\]\}\n){2}/)
    watching.child.kill('SIGINT')
    expect((await watching.ended).code).toBe(0)
  })
})

it('keeps the result of a task that was told, though the server is killed', async () => {
  const data = join(folder, 'killed')
  const start = async () => {
    const run = startCli(['serve', '--data', data, '--port', '0', '--threads', '1'])
    const [url] = URL_LINE.exec(await run.saysOnStdout(URL_LINE)) ?? []
    return { run, url }
  }
  const first = await start()
  await fetch(`${first.url}/books`, { method: 'PUT' })
  const path = `${first.url}/books/_forcemerge?wait_for_completion=false`
  const { task } = (await (await fetch(path, { method: 'POST' })).json()) as { task: string }
  const told = await (await fetch(`${first.url}/_tasks/${task}?wait_for_completion`)).json()
  expect(told).toMatchObject({ completed: true, response: { _shards: { failed: 0 } } })
  first.run.child.kill('SIGKILL')
  await first.run.ended
  const second = await start()
  expect(await (await fetch(`${second.url}/_tasks/${task}`)).json()).toEqual(told)
  second.run.child.kill('SIGTERM')
  expect((await second.run.ended).code).toBe(0)
})

describe('lamella stats', () => {
  it('shows what a server has and does', async () => {
    const { code, stdout } = await runCli(['stats', '--url', server.url])
    expect(code).toBe(0)
    const [name, facts, machine, caches] = stdout.split('\n')
    expect(name).toMatch(/^lamella-0 {2}up [\d.]+(ms|s|m)/)
    expect(facts).toMatch(/^1 documents, 0 deleted, .* in 1 segments, .* open contexts$/)
    expect(machine).toMatch(/^processor \d+ %, resident .* MiB, heap .*files$/)
    expect(caches).toBe('filters not asked, requests not asked')
    expect(stdout).toMatch(/^documents indexed +1 +[\d.]+ m?s +–$/m)
    expect(stdout).toMatch(/^write +\d+ +0 +0 +0 +\d+$/m)
    const json = await runCli(['stats', '--url', server.url, '--json'])
    expect(JSON.parse(json.stdout)._nodes).toEqual({ total: 1, successful: 1, failed: 0 })
  })

  it('tells rates once it watches', async () => {
    const watching = startCli(['stats', '--url', server.url, '--watch', '--interval', '1'])
    await watching.saysOnStdout(/^documents indexed +1 +\S+ m?s +0\.0$/m)
    watching.child.kill('SIGTERM')
    expect((await watching.ended).code).toBe(0)
  })

  it('shows a data folder that no server holds', async () => {
    const data = join(folder, 'data')
    const filled = await open(data)
    await (await filled.index('notes')).put('1', { n: 1 })
    await filled.close()
    const { code, stdout } = await runCli(['stats', '--data', data])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^1 documents, 0 deleted/m)
    expect(stdout).toMatch(/disk free/)
  })
})

describe('a server', () => {
  it.each([
    [['tasks', '--url', 'nowhere'], 2, '--url takes a URL such as http://127.0.0.1:9200'],
    [['tasks', '--url', 'ftp://127.0.0.1'], 2, 'found [ftp://127.0.0.1]'],
    [['tasks', '--url', 'http://127.0.0.1:1'], 1, 'no server answers at [http://127.0.0.1:1]'],
    [['tasks', '--interval', '1'], 2, '--interval goes with --watch'],
    [['tasks', '--watch', '--interval', '0'], 2, '--interval takes a whole number from 1'],
    [['stats', '--url', 'http://127.0.0.1:1', '--data', 'x'], 2, 'give one of them'],
    [['stats', '--data', 'x', '--watch'], 2, '--watch goes with a server'],
    [['stats', '--data', join(folder, 'none')], 1, 'there is no data folder'],
  ])('is needed, and options that make sense: %j', async (args, code, message) => {
    const ended = await runCli(args)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr).toContain(message)
  })
})
