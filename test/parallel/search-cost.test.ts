import { expect, it, vi } from 'vitest'
import { COST_MODEL, SearchCost } from '../../src/parallel/search-cost.ts'
import { SegmentMemory } from '../../src/segment/segment-memory.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'

const MINUTE_IN_NANOS = 60e9

/** A model over a clock that stands still but for hand-overs, which take so many nanoseconds. */
function model(): { cost: SearchCost; pass(nanos: number): void; ping(nanos: number): void } {
  let now = 1
  let handOver = 0
  const cost = new SearchCost(new SegmentMemory(new ArenaPool(), 1 << 20, 0, 0).filters, () => now)
  return {
    cost,
    pass: nanos => {
      now += nanos
    },
    ping: nanos => {
      handOver = nanos
      cost.measureHandOver(async () => {
        now += handOver
      })
    },
  }
}

function settled(cost: SearchCost, handOver: number): Promise<unknown> {
  const inline = COST_MODEL.handOversToPay * (handOver + COST_MODEL.records)
  return vi.waitUntil(() => cost.inlineCost === inline, { timeout: PATIENCE_IN_MILLIS })
}

it('takes what a hand-over costs from the machine, within bounds', async () => {
  for (const [measured, taken] of [
    [150_000, 150_000],
    [1000, 20_000],
    [80_000_000, 400_000],
  ] as const) {
    const { cost, ping } = model()
    ping(measured)
    await settled(cost, taken)
  }
})

it('measures again a minute later, also where all searches run on the calling thread', async () => {
  const { cost, pass, ping } = model()
  ping(300_000)
  await settled(cost, 300_000)
  ping(50_000)
  // Between the least and the dear figure: only the latter keeps it here.
  const docFreq = 250_000 / COST_MODEL.exhaustiveKernelStep
  expect(cost.isTermForHere(docFreq, false)).toBe(true)
  pass(MINUTE_IN_NANOS)
  expect(cost.isTermForHere(docFreq, false)).toBe(true)
  await settled(cost, 50_000)
  expect(cost.isTermForHere(docFreq, false)).toBe(false)
})
