import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openEngineOver } from '../../src/engine/engine.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { Random } from '../../src/util/random.ts'
import { extent, SEED, tell } from './extent.ts'
import { type CallKind, type Fault, FaultDisk } from './fault-disk.ts'
import { type Send, Writers } from './writers.ts'

const WRITERS = 4
const KINDS: readonly CallKind[] = ['write', 'sync', 'rename', 'delete']
const SETTINGS = { 'lamella.threads.write': '1', 'lamella.threads.search': '1' }

interface Served {
  readonly send: Send
  /** From now on no answer comes, and the disk is left as it is. */
  cut(): void
  close(): Promise<void>
}

/** The whole API over a disk, without a socket. */
async function serve(disk: FaultDisk): Promise<Served> {
  const options = { folder: null, settings: new Map(Object.entries(SETTINGS)) }
  const engine = await openEngineOver(options, disk)
  const defects: unknown[] = []
  const dispatcher = new Dispatcher(engine, {
    maxContentLength: 1 << 20,
    onDefect: error => defects.push(error),
  })
  let isCut = false
  return {
    async send(method, url, body) {
      if (isCut) return null
      const [path = '', query = ''] = url.split('?')
      const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json'
      const request = body === undefined ? {} : { body: encodeUtf8(body) }
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type }
      const { status, body: bytes } = await dispatcher.dispatch({
        method,
        path,
        query,
        headers,
        ...request,
      })
      if (isCut) return null
      // The disk's own errors are the only ones that nobody need have foreseen.
      for (const defect of defects) expect((defect as NodeJS.ErrnoException).code).toMatch(/^E/)
      const text = Buffer.from(bytes).toString()
      return { status, json: text === '' ? null : JSON.parse(text) }
    },
    cut() {
      isCut = true
    },
    close: () => engine.close().catch(() => {}),
  }
}

function randomFault(random: Random): Fault | null {
  if (random.below(2) === 0) return null
  return {
    kind: KINDS[random.below(4)]!,
    call: 1 + random.below(120),
    code: random.below(2) === 0 ? 'ENOSPC' : 'EIO',
    share: random.below(3) / 2,
    isLasting: random.below(2) === 0,
  }
}

describe('a server whose power is cut', () => {
  it('keeps everything that it acknowledged, and opens again every time', async () => {
    const random = new Random(SEED)
    const writers = new Writers([500, 503])
    const cycles = extent(6, 60)
    let disk = new FaultDisk()
    let failures = 0
    let cutInRecovery = 0
    for (let cycle = 0; cycle < cycles; cycle++) {
      const served = await serve(disk)
      if (cycle === 0) await writers.begin(served.send)
      else await writers.check(served.send)
      disk.arm(randomFault(random))
      const running = writers.run(served.send, SEED + cycle, WRITERS)
      await delay(150 + random.below(extent(300, 1200)))
      // In one piece, so that nothing is acknowledged between the two.
      served.cut()
      const lost = disk.afterPowerLoss(random)
      failures += disk.failures
      await running
      await served.close()
      disk = lost
      for (; random.below(5) === 0; cutInRecovery++) {
        const opening = serve(disk)
        await delay(random.below(150))
        const early = disk.afterPowerLoss(random)
        await opening.then(
          opened => opened.close(),
          () => {},
        )
        disk = early
      }
    }
    const last = await serve(disk.afterKill())
    await writers.check(last.send)
    await last.close()
    tell(
      `${cycles} power losses, ${cutInRecovery} more while it opened, ${failures} calls failed; ` +
        `${writers.acknowledged} acknowledged operations`,
    )
  }, 3_600_000)
})
