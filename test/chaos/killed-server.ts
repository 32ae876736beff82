import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { pathToFileURL } from 'node:url'
import { type CliProcess, startCli } from '../support/cli-process.ts'
import type { Send } from './writers.ts'

const PRELOAD = pathToFileURL(`${import.meta.dirname}/kill-points.mjs`).href
const URL_LINE = /http:\/\/127\.0\.0\.1:\d+/

/** Points of its file accesses at which a server can be killed. */
export const POINTS: readonly string[] = [
  ...['beforeRename', 'afterRename'].flatMap(when => [`commit.${when}`, `state.${when}`]),
  ...['log', 'checkpoint', 'segment', 'commit'].flatMap(kind => [
    `${kind}.midWrite`,
    `${kind}.afterWrite`,
    `${kind}.afterSync`,
  ]),
  'folder.beforeSync',
  'folder.afterSync',
  'log.beforeDelete',
  'segment.beforeDelete',
  'commit.beforeDelete',
  'state.afterSync',
]

/** A server over a data folder. */
export interface Server {
  readonly process: CliProcess
  readonly send: Send
  /**
   * Kills it when it gets to a point the n-th time from now on, `⟨point⟩:⟨n⟩`; of a server alone that
   * was started to be killed later.
   */
  killAt(point: string): void
  /** Ends what holds its connections. */
  stop(): void
}

/**
 * Starts a server.
 * @param killAt `⟨point⟩:⟨n⟩`: it is killed when it gets there the n-th time; 'later': when it is told
 *   to; null: it is not
 * @returns null when it met its point before it listened
 */
export async function startServer(folder: string, killAt: string | null): Promise<Server | null> {
  const args = ['serve', '--data', folder, '--port', '0', '--threads', '1']
  const more = ['-E', 'lamella.threads.write=1']
  const order = `${folder}.order`
  if (killAt === 'later') writeFileSync(order, '')
  const kill =
    killAt === 'later' ? { LAMELLA_KILL_ORDER: order } : { LAMELLA_KILL_AT: killAt ?? '' }
  const env = killAt === null ? {} : { ...kill, NODE_OPTIONS: `--import ${PRELOAD}` }
  const server = startCli([...args, ...more], null, false, env)
  const listening = await server.saysOnStdout(URL_LINE).catch((error: unknown) => {
    if (killAt !== null && server.child.signalCode === 'SIGKILL') return null
    throw error
  })
  if (listening === null) return null
  const [url] = URL_LINE.exec(listening)!
  const agent = new Agent({ keepAlive: true })
  const send: Send = (method, path, body) =>
    new Promise(done => {
      const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json'
      const headers = body === undefined ? {} : { 'content-type': type }
      const call = request(`${url}${path}`, { method, agent, headers }, answer => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', () => done(null))
        answer.on('end', () => {
          if (!answer.complete) return done(null)
          const text = Buffer.concat(parts).toString()
          done({ status: answer.statusCode ?? 0, json: text === '' ? null : JSON.parse(text) })
        })
      })
      call.on('error', () => done(null))
      call.end(body)
    })
  return {
    process: server,
    send,
    killAt(point) {
      // Renamed, so that no thread reads half of it.
      writeFileSync(`${order}.new`, point)
      renameSync(`${order}.new`, order)
    },
    stop() {
      agent.destroy()
      rmSync(order, { force: true })
    },
  }
}
