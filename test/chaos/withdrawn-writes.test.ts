import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WriteLanes } from '../../src/shard/write-lanes.ts'
import type { WriteOperation } from '../../src/shard/write-operation.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { cancellation } from '../support/cancellation.ts'
import { FaultDisk } from './fault-disk.ts'
import { type RigParts, ShardRig } from './shard-rig.ts'

let parts: RigParts

beforeAll(() => {
  parts = { lanes: new WriteLanes(1), arenas: new ArenaPool() }
})

afterAll(() => parts.lanes.close())

function indexOf(id: string, source: string): WriteOperation {
  return {
    kind: 'index',
    id,
    routing: null,
    ifSeqNo: null,
    ifPrimaryTerm: null,
    version: null,
    versionType: 'internal',
    isCreate: false,
    isNewId: false,
    source: encodeUtf8(source),
  }
}

describe.each([1, 2, 3])('writes that their callers withdraw (seed %i)', seed => {
  it('are written and durable, or told to be withdrawn and nowhere', async () => {
    const random = new Random(seed)
    const disk = new FaultDisk()
    const rig = ShardRig.create(disk, parts)
    let written = 0
    let withdrawn = 0
    for (let round = 0; round < 40; round++) {
      const caller = cancellation()
      // Several chunks; the buffer is full every few of them.
      const texts = Array.from(
        { length: 20 + random.below(60) },
        (_, i) => `{"t":"round${round} ${'word '.repeat(8000)}","n":${i}}`,
      )
      const ids = texts.map((_, i) => `${round}-${i}`)
      const given = rig.shard.submit(
        ids.map((id, i) => indexOf(id, texts[i]!)),
        caller,
      )
      const other = rig.write([{ id: `o${round % 7}`, source: `{"n":${round}}` }])
      for (let turns = random.below(400); turns > 0; turns--) await turn()
      caller.cancel()
      const outcomes = await given
      // What is told to be written outlives what happens right after the answer.
      const left = disk.afterPowerLoss(random)
      for (const [i, outcome] of outcomes.entries()) {
        const id = ids[i]!
        if (outcome instanceof EngineError) {
          expect(outcome.type).toBe('task_cancelled_exception')
          rig.known.set(id, { version: 0, seqNo: 0, source: null })
          withdrawn++
        } else {
          const { version, seqNo } = outcome
          rig.known.set(id, { version, seqNo, source: texts[i]! })
          rig.unsure.delete(id)
          written++
        }
      }
      const isPrefix = outcomes.findIndex(outcome => outcome instanceof EngineError)
      if (isPrefix >= 0)
        expect(outcomes.slice(isPrefix).every(outcome => outcome instanceof EngineError)).toBe(true)
      if (round % 8 === 7) {
        rig.unsure.set(`o${round % 7}`, [
          `{"n":${round}}`,
          rig.known.get(`o${round % 7}`)?.source ?? null,
        ])
        const again = await rig.reopen(left, parts)
        await again.shard.close({ commit: false })
      }
      await other
      rig.unsure.clear()
      await rig.shard.refresh()
      rig.check()
    }
    expect(written).toBeGreaterThan(100)
    expect(withdrawn).toBeGreaterThan(100)
    expect(rig.background).toEqual([])
    await rig.shard.close({ commit: false })
  }, 60_000)
})
