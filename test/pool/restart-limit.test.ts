import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RestartLimit } from '../../src/pool/restart-limit.ts'

describe('the limit on restarts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('lets ten pass in ten seconds, and spreads those that follow', () => {
    const limit = new RestartLimit()
    const waits = Array.from({ length: 25 }, () => Math.round(limit.next()))
    expect(waits).toEqual([
      ...new Array<number>(10).fill(0),
      ...new Array<number>(10).fill(10_000),
      ...new Array<number>(5).fill(20_000),
    ])
  })

  it('forgets what is long past', () => {
    const limit = new RestartLimit()
    for (let i = 0; i < 10; i++) limit.next()
    vi.advanceTimersByTime(4000)
    expect(Math.round(limit.next())).toBe(6000)
    vi.advanceTimersByTime(17_000)
    expect(limit.next()).toBe(0)
  })
})
