import { describe, expect, it } from 'vitest'
import { Throttle } from '../../../src/service/reindex/throttle.ts'
import { cancellation } from '../../support/cancellation.ts'

describe('a throttle', () => {
  it('makes a batch last as long as its documents may take', () => {
    expect(new Throttle(10).delayAfter(5, 100)).toBe(400)
    expect(new Throttle(10).delayAfter(5, 900)).toBe(0)
    expect(new Throttle(10).delayAfter(0, 0)).toBe(0)
    expect(new Throttle(Number.POSITIVE_INFINITY).delayAfter(1e6, 0)).toBe(0)
    expect(new Throttle(1e-8).delayAfter(1, 0)).toBe(3_600_000)
  })

  it('waits, and counts how long', async () => {
    const throttle = new Throttle(1)
    await throttle.wait(20, cancellation())
    expect(throttle.throttledMillis).toBeGreaterThanOrEqual(19)
    expect(throttle.untilMillis).toBe(0)
  })

  it('ends a wait at a cancellation', async () => {
    const throttle = new Throttle(1)
    const task = cancellation()
    const waiting = throttle.wait(3_600_000, task)
    expect(throttle.untilMillis).toBeGreaterThan(3_500_000)
    task.cancel()
    await waiting
    expect(throttle.untilMillis).toBe(0)
    await throttle.wait(3_600_000, task)
  })

  it('goes on sooner at a faster rate, and later only behind the next batch', async () => {
    const throttle = new Throttle(1)
    const waiting = throttle.wait(1_000_000, cancellation())
    throttle.rethrottle(0.5)
    expect(throttle.untilMillis).toBeGreaterThan(990_000)
    throttle.rethrottle(1)
    expect(throttle.untilMillis).toBeLessThanOrEqual(500_000)
    expect(throttle.untilMillis).toBeGreaterThan(490_000)
    throttle.rethrottle(Number.POSITIVE_INFINITY)
    await waiting
    expect([throttle.isOn, throttle.rate]).toEqual([false, Number.POSITIVE_INFINITY])
  })
})
