import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, startCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('serve')
const URL_LINE = /http:\/\/127\.0\.0\.1:\d+/

async function urlOf(server: ReturnType<typeof startCli>): Promise<string> {
  const [url] = URL_LINE.exec(await server.saysOnStdout(URL_LINE)) ?? []
  return url ?? ''
}

describe('lamella serve', () => {
  it('serves a folder, and on SIGTERM commits and ends with 0', async () => {
    const data = join(folder, 'kept')
    const first = startCli(['serve', '--data', data, '--port', '0', '--threads', '1'])
    const url = await urlOf(first)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    const put = await fetch(`${url}/notes/_doc/1`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"kept"}',
    })
    expect(put.status).toBe(201)
    first.child.kill('SIGTERM')
    const { code, stdout } = await first.ended
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(existsSync(join(data, 'node.lock'))).toBe(false)

    const second = startCli(['serve', '--data', data, '--port', '0'])
    const again = await fetch(`${await urlOf(second)}/notes/_doc/1`)
    expect(await again.json()).toMatchObject({ found: true, _source: { text: 'kept' } })
    second.child.kill('SIGINT')
    expect((await second.ended).code).toBe(0)
  })

  it('refuses a folder that another process holds, and names the holder', async () => {
    const data = join(folder, 'held')
    const holder = startCli(['serve', '--data', data, '--port', '0'])
    const url = await urlOf(holder)
    const second = await runCli(['serve', '--data', data, '--port', '0'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(`in use by process ${holder.child.pid}`)
    const search = await runCli(['search', 'notes', 'x', '--data', data])
    expect(search.stderr).toContain('takes the same requests over HTTP')

    const { port } = new URL(url)
    const taken = await runCli(['serve', '--data', join(folder, 'other'), '--port', port])
    expect(taken).toMatchObject({ code: 1, stdout: '' })
    expect(taken.stderr).toContain('it is taken')
    holder.child.kill('SIGTERM')
    expect((await holder.ended).code).toBe(0)
  })

  it('keeps every write that it acknowledged before it stopped', async () => {
    const data = join(folder, 'written')
    const server = startCli(['serve', '--data', data, '--port', '0'])
    const url = await urlOf(server)
    const headers = { 'content-type': 'application/json' }
    let acknowledged = 0
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; ; i++) {
        const path = `${url}/notes/_doc/${writer}-${i}`
        const answer = await fetch(path, { method: 'PUT', headers, body: '{"n":1}' }).catch(
          () => null,
        )
        if (answer === null || answer.status !== 201) return
        if (++acknowledged === 200) server.child.kill('SIGTERM')
      }
    }
    await Promise.all([0, 1, 2, 3].map(write))
    expect((await server.ended).code).toBe(0)
    expect(acknowledged).toBeGreaterThanOrEqual(200)

    const again = startCli(['serve', '--data', data, '--port', '0'])
    const { count } = (await (await fetch(`${await urlOf(again)}/notes/_count`)).json()) as {
      count: number
    }
    expect(count).toBeGreaterThanOrEqual(acknowledged)
    again.child.kill('SIGTERM')
    await again.ended
  })

  it('is not held up by a connection that says nothing', async () => {
    const server = startCli(['serve', '--data', join(folder, 'idle'), '--port', '0'])
    const { port, hostname } = new URL(await urlOf(server))
    const silent = connect(Number(port), hostname)
    silent.on('error', () => {})
    await once(silent, 'connect')
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    silent.destroy()
  })

  it('takes node settings from -E and from lamella.json', async () => {
    const data = join(folder, 'settings')
    mkdirSync(data)
    writeFileSync(join(data, 'lamella.json'), '{"node":{"name":"from-file"},"cluster.name":"c1"}')
    const server = startCli([
      'serve',
      '--data',
      data,
      '--port=0',
      '-E',
      'cluster.name=c2',
      '--json',
    ])
    const url = await urlOf(server)
    expect(await (await fetch(url)).json()).toMatchObject({ name: 'from-file', cluster_name: 'c2' })
    server.child.kill('SIGTERM')
    const { stdout } = await server.ended
    expect(JSON.parse(stdout)).toEqual({ url, folder: data, pid: server.child.pid })

    writeFileSync(join(data, 'lamella.json'), '{"node":')
    const broken = await runCli(['serve', '--data', data, '--port', '0'])
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain('cannot read the settings')

    // A fault of the file is none of the command line, whatever that says.
    writeFileSync(join(data, 'lamella.json'), '{"node.nam":"x"}')
    const unknown = await runCli(['serve', '--data', data, '--port', '0', '-E', 'node.name=y'])
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toMatch(/lamella\.json\]: unknown setting \[node\.nam\] did you mean/)

    writeFileSync(join(data, 'lamella.json'), '{"http.host":"0.0.0.0"}')
    const open = await runCli(['serve', '--data', data, '--port', '0'])
    expect(open.code).toBe(1)
    expect(open.stderr).toContain('--insecure')
  })

  it.each([
    [['--host', '0.0.0.0'], '--insecure'],
    [['--port', '70000'], 'from 0 to 65535'],
    [['-E', 'node.name'], '-E takes key=value'],
    [['--prt', '1'], 'there is no option --prt'],
    [['extra'], 'one word too many'],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['serve', '--data', join(folder, 'no'), ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(existsSync(join(folder, 'no'))).toBe(false)
  })

  it('ends with 2 for a setting that is none, and suggests one', async () => {
    const args = ['serve', '--data', join(folder, 'bad'), '--port', '0', '-E', 'node.nam=x']
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('did you mean')
    expect(stderr).toContain('node.name')
  })

  it('ends with 1, and without a stack, where the system refuses', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const { code, stderr } = await runCli(['serve', '--data', file, '--port', '0'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^lamella: \[folder\] .* it is a file \(E[A-Z]+: .*\)\n$/)
  })
})
