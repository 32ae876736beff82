import { describe, expect, it } from 'vitest'
import { BatchTimes } from '../../src/profile/batch-times.ts'
import { calibratedOverhead, Timer } from '../../src/profile/timer.ts'

/** A clock of which a call takes `step` by itself, and more when told. */
function fakeClock(step: number): { now: () => number; pass: (nanos: number) => void } {
  let at = 1000
  return {
    now: () => (at += step),
    pass: nanos => {
      at += nanos
    },
  }
}

describe('Timer', () => {
  it('has all zeros before the first call', () => {
    expect(new Timer('calibrated', 0).reading()).toEqual({ start: 0, time: 0, count: 0 })
  })

  it('counts every call and extrapolates the time of those it did not measure', () => {
    const clock = fakeClock(40)
    const timer = new Timer('calibrated', 40, clock.now)
    for (let i = 0; i < 100_000; i++) {
      timer.start()
      clock.pass(10)
      timer.stop()
    }
    const { start, time, count } = timer.reading()
    expect(count).toBe(100_000)
    expect(start).toBe(1040)
    expect(Math.abs(time - 1_000_000)).toBeLessThan(1000)
  })

  it('knows the time of rare batches in nested calls that it did not measure', () => {
    const clock = fakeClock(0)
    const batches = new BatchTimes(clock.now)
    const outer = new Timer('calibrated', 0, clock.now, batches)
    const inner = new Timer('calibrated', 0, clock.now, batches)
    for (let i = 0; i < 65_536; i++) {
      outer.start()
      if (i % 1000 === 500) {
        batches.begin()
        clock.pass(50_000)
        inner.start()
        batches.begin()
        clock.pass(20_000)
        batches.end()
        inner.stop()
        batches.end()
      }
      clock.pass(10)
      outer.stop()
    }
    // No call reads less than 1 ns.
    expect(inner.reading().time).toBe(66 * 20_001)
    expect(outer.reading().time).toBe(66 * 70_000 + 65_536 * 10)
  })

  it('comes within a quarter of the true time of 65,536 calls, periods in them or not', () => {
    for (const period of [1, 2, 7, 16, 64, 1000, 1024]) {
      const clock = fakeClock(40)
      const timer = new Timer('calibrated', 40, clock.now)
      let truth = 0
      for (let i = 0; i < 65_536; i++) {
        // One call in each period is three times as long as the others.
        const nanos = i % period === 0 ? 30 : 10
        truth += nanos
        timer.start()
        clock.pass(nanos)
        timer.stop()
      }
      const { time } = timer.reading()
      expect(Math.abs(time - truth) / truth, `period ${period}`).toBeLessThan(0.25)
    }
  })

  it('reads at least a nanosecond where calls take less than an empty pair', () => {
    const timer = new Timer('calibrated', 1e6)
    timer.start()
    timer.stop()
    expect(timer.reading()).toMatchObject({ time: 1, count: 1 })
  })

  it('closes a call that an exception has left', () => {
    const clock = fakeClock(40)
    const timer = new Timer('calibrated', 40, clock.now)
    timer.start()
    clock.pass(500)
    expect(timer.reading()).toEqual({ start: 1040, time: 500, count: 1 })
  })

  it('measures in the reference mode by the rule of the reference', () => {
    let readings = 0
    const timer = new Timer('reference', 0, () => ++readings)
    let expected = 0
    let lastCount = 0
    for (let count = 0; count < 5000; count++) {
      timer.start()
      timer.stop()
      if (count - lastCount >= Math.min(Math.floor(lastCount / 256), 1024)) {
        expected += 2
        lastCount = count + 1
      }
      expect(readings).toBe(expected)
    }
  })

  it('calibrates to what an empty pair costs, well below a microsecond', () => {
    expect(calibratedOverhead()).toBeGreaterThanOrEqual(0)
    expect(calibratedOverhead()).toBeLessThan(1000)
  })
})
