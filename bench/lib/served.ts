import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Milliseconds from one look at a server that starts to the next. */
const PAUSE = 2
const LONGEST_START = 30_000

/** A server of its own process, with a folder that goes when it ends. */
export interface Served {
  readonly process: ChildProcess
  readonly url: string
}

/** Starts `lamella serve`; resolves when it answers. */
export async function serve(): Promise<Served> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'lamella-served-'))
  const args = [COMMAND, 'serve', '--data', folder, '--port', String(port)]
  const process_ = spawn(process.execPath, args, { stdio: 'ignore' })
  process_.on('exit', () => rmSync(folder, { recursive: true }))
  const url = `http://127.0.0.1:${port}`
  for (const started = performance.now(); ; )
    try {
      await (await fetch(url)).arrayBuffer()
      return { process: process_, url }
    } catch (error) {
      if (performance.now() - started > LONGEST_START) throw error
      await new Promise(resolve => setTimeout(resolve, PAUSE))
    }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
