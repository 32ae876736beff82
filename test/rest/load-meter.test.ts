import { expect, it } from 'vitest'
import { LoadMeter } from '../../src/rest/load-meter.ts'

it('finds the time of a request that runs alone', () => {
  const meter = new LoadMeter(1)
  let now = 0
  for (let i = 0; i < 200; i++) {
    meter.begin(now)
    now += 20
    meter.end(now)
    // Nothing is under way: this time does not count.
    now += 500
  }
  expect(meter.expectedWait(now)).toBeCloseTo(20, 5)
})

it('finds the share of each of those that run side by side', () => {
  const meter = new LoadMeter(1)
  for (let i = 0; i < 4; i++) meter.begin(0)
  // Each of four takes 40 ms: one ends every 10 ms.
  for (let now = 10; now <= 4_000; now += 10) {
    meter.end(now)
    meter.begin(now)
  }
  expect(meter.running).toBe(4)
  expect(meter.expectedWait(4_000)).toBeCloseTo(50, 5)
})

it('grows while nothing ends, and recovers', () => {
  const meter = new LoadMeter(1)
  for (let i = 0; i < 10; i++) meter.begin(0)
  expect(meter.expectedWait(5_000)).toBe(11 * 500)
  for (let i = 0; i < 10; i++) meter.end(5_000)
  let now = 5_000
  for (let i = 0; i < 2_000; i++) {
    meter.begin(now)
    now += 1
    meter.end(now)
  }
  expect(meter.expectedWait(now)).toBeLessThan(2)
})
