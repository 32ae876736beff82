import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WriteLanes } from '../../src/shard/write-lanes.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { Random } from '../../src/util/random.ts'
import { extent, isLong, SEED, tell } from './extent.ts'
import { type CallKind, type Fault, FaultDisk } from './fault-disk.ts'
import { type RigParts, ShardRig } from './shard-rig.ts'

const KINDS: readonly CallKind[] = ['write', 'sync', 'rename', 'delete']
/** Steps of the script; its commits make as many renames as there must be points. */
const STEPS = 330

let parts: RigParts

beforeAll(() => {
  parts = { lanes: new WriteLanes(1), arenas: new ArenaPool() }
})

afterAll(() => parts.lanes.close())

/**
 * The script: writes, deletes, refreshes, flushes and merges, in the same order every time. Stops a
 * few steps after the shard has failed.
 * @returns errors that callers got
 */
async function runScript(rig: ShardRig, seed: number): Promise<unknown[]> {
  const random = new Random(seed)
  const errors: unknown[] = []
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
    // Merges in the background would make the order of calls a matter of luck.
    await rig.shard.idle().catch((error: unknown) => errors.push(error))
  }
  for (let step = 0; step < STEPS && errors.length < 6; step++) {
    const operations = Array.from({ length: 1 + random.below(3) }, () => ({
      id: `d${random.below(25)}`,
      source: random.below(5) === 0 ? null : `{"t":"word${random.below(9)}","n":${step}}`,
    }))
    const what = random.below(10)
    await attempt(() => rig.write(operations))
    if (what < 7) await attempt(() => rig.shard.flush())
    else if (what === 7) await attempt(() => rig.shard.refresh())
    else if (what === 8 && step % 4 === 0) await attempt(() => rig.shard.forceMerge(1, false))
  }
  return errors
}

/**
 * Runs the script against a fault, cuts it off, and holds what is left against what was told.
 * @returns operations that were acknowledged; −1 when the script ended before the fault was met, as
 * a few of its last calls may be fewer when merges end later
 */
async function survive(fault: Fault, random: Random): Promise<number> {
  const rig = ShardRig.create(new FaultDisk(), parts)
  rig.disk.arm(fault)
  const errors = await runScript(rig, SEED)
  if (rig.disk.failures === 0) {
    await rig.shard.close({ commit: false })
    return -1
  }
  // A caller or the background hears of every failure but a lasting one's repetitions.
  expect(errors.length + rig.background.length).toBeGreaterThan(0)
  const cutsPower = random.below(2) === 0
  const left = cutsPower ? rig.disk.afterPowerLoss(random) : rig.disk.afterKill()
  await rig.shard.close({ commit: false })
  const again = await rig.reopen(left, parts)
  await again.write([{ id: 'after', source: '{"t":"after","n":1}' }])
  await again.write([{ id: 'd1', source: null }])
  await again.shard.close()
  const last = await again.reopen(again.disk.afterPowerLoss(random), parts)
  last.checkCheckpoint()
  await last.shard.close()
  return rig.acknowledged
}

describe('a shard whose disk fails', () => {
  it('loses nothing acknowledged, whichever call fails, once or for good', async () => {
    const plain = ShardRig.create(new FaultDisk(), parts)
    plain.disk.arm(null)
    expect(await runScript(plain, SEED)).toEqual([])
    await plain.shard.refresh()
    plain.check()
    await plain.shard.close({ commit: false })
    const { calls } = plain.disk
    for (const kind of ['write', 'sync', 'rename'] as const)
      expect(calls[kind], `calls of ${kind}`).toBeGreaterThanOrEqual(200)
    const points = KINDS.flatMap(kind =>
      Array.from({ length: calls[kind] }, (_, i) => ({ kind, call: i + 1 })),
    )
    const step = isLong ? 1 : Math.ceil(points.length / extent(60, 0))
    const random = new Random(SEED)
    let acknowledged = 0
    let done = 0
    for (let i = isLong ? 0 : random.below(step); i < points.length; i += step) {
      const fault: Fault = {
        ...points[i]!,
        code: random.below(2) === 0 ? 'ENOSPC' : 'EIO',
        share: random.below(3) / 2,
        isLasting: random.below(2) === 0,
      }
      try {
        const count = await survive(fault, random)
        if (count < 0) continue
        acknowledged += count
      } catch (error) {
        throw new Error(`seed ${SEED}, fault ${JSON.stringify(fault)}`, { cause: error })
      }
      done++
    }
    expect(done).toBeGreaterThanOrEqual(extent(55, 2000))
    tell(
      `${done} of ${points.length} points failed (${KINDS.map(kind => `${calls[kind]} ${kind}`).join(', ')}), ` +
        `${acknowledged} acknowledged operations`,
    )
  }, 7_200_000)
})
