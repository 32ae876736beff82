import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inspectFolder } from '../../src/engine/inspect/inspect.ts'
import { Random } from '../../src/util/random.ts'
import { startCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, SEED, tell } from './extent.ts'
import { POINTS, startServer } from './killed-server.ts'
import { Writers } from './writers.ts'

const folder = tempFolder('kill-server')
const WRITERS = 4

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
      const server = await startServer(
        folder,
        point === null ? null : `${point}:${1 + random.below(12)}`,
      )
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
    const last = (await startServer(folder, null))!
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
