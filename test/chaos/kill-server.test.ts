import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inspectFolder } from '../../src/engine/inspect/inspect.ts'
import { Random } from '../../src/util/random.ts'
import { type CliProcess, startCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, SEED, tell } from './extent.ts'
import { type Send, Writers } from './writers.ts'

const folder = tempFolder('kill-server')
const PRELOAD = pathToFileURL(`${import.meta.dirname}/kill-points.mjs`).href
const URL_LINE = /http:\/\/127\.0\.0\.1:\d+/
const WRITERS = 4

const POINTS = [
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

interface Server {
  readonly process: CliProcess
  readonly send: Send
  stop(): void
}

/** @returns null when the server met its point before it listened */
async function start(killAt: string | null): Promise<Server | null> {
  const args = ['serve', '--data', folder, '--port', '0', '--threads', '1']
  const more = ['-E', 'lamella.threads.write=1']
  const env =
    killAt === null ? {} : { LAMELLA_KILL_AT: killAt, NODE_OPTIONS: `--import ${PRELOAD}` }
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
  return { process: server, send, stop: () => agent.destroy() }
}

describe('a server that is killed', () => {
  it('keeps everything that it acknowledged, wherever it was', async () => {
    const random = new Random(SEED)
    const writers = new Writers()
    const cycles = extent(10, 200)
    const met = new Map<string, number>()
    let killedInRecovery = 0
    for (let cycle = 0; cycle < cycles; cycle++) {
      if (random.below(5) === 0 && cycle > 0) {
        // Somewhere between the start of the process and its first answer.
        const early = startCli(['serve', '--data', folder, '--port', '0'])
        await delay(100 + random.below(400))
        early.child.kill('SIGKILL')
        await early.ended
        killedInRecovery++
      }
      const point = random.below(2) === 0 ? null : POINTS[cycle % POINTS.length]!
      const server = await start(point === null ? null : `${point}:${1 + random.below(12)}`)
      if (server === null) {
        met.set(point!, (met.get(point!) ?? 0) + 1)
        continue
      }
      try {
        const isUp = async (step: () => Promise<void>): Promise<void> => {
          try {
            await step()
          } catch (error) {
            // Killed at its point in the middle of the check: the next cycle looks again.
            if (point === null || server.process.child.signalCode !== 'SIGKILL') throw error
          }
        }
        if (cycle === 0) await writers.begin(server.send)
        else await isUp(() => writers.check(server.send))
        const running = writers.run(server.send, SEED + cycle, WRITERS)
        const limit = delay(300 + random.below(900), 'limit')
        const first = await Promise.race([limit, server.process.ended])
        if (first !== 'limit') met.set(point!, (met.get(point!) ?? 0) + 1)
        server.process.child.kill('SIGKILL')
        await running
        await server.process.ended
      } finally {
        server.stop()
      }
    }
    const last = (await start(null))!
    await writers.check(last.send)
    last.process.child.kill('SIGTERM')
    expect((await last.process.ended).code).toBe(0)
    last.stop()
    expect((await inspectFolder(folder, { verify: true })).damages).toEqual([])
    const points = [...met.values()].reduce((sum, count) => sum + count, 0)
    tell(
      `${cycles} kills, ${points} at ${met.size} named points, ${killedInRecovery} more while it ` +
        `opened; ${writers.acknowledged} acknowledged operations`,
    )
  }, 3_600_000)
})
