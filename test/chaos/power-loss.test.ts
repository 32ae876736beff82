import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { extent, SEED, tell } from './extent.ts'
import { type CallKind, type Fault, FaultDisk } from './fault-disk.ts'
import { serve } from './served-disk.ts'
import { Writers } from './writers.ts'

const WRITERS = 4
const KINDS: readonly CallKind[] = ['write', 'sync', 'rename', 'delete']
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

/** Some time, and on a busy machine until enough was acknowledged or the disk let nobody go on. */
async function worked(running: Promise<void>, writers: Writers, millis: number): Promise<void> {
  const wanted = writers.acknowledged + 25
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  running.then(end, end)
  await delay(millis)
  for (let i = 0; i < 500 && !isOver && writers.acknowledged < wanted; i++) await delay(20)
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
      await worked(running, writers, 150 + random.below(extent(300, 1200)))
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
    expect(writers.acknowledged).toBeGreaterThan(20 * cycles)
    tell(
      `${cycles} power losses, ${cutInRecovery} more while it opened, ${failures} calls failed; ` +
        `${writers.acknowledged} acknowledged operations`,
    )
  }, 3_600_000)
})
