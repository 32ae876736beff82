import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PoisonGuard } from '../../src/parallel/poison-guard.ts'

const KILLER = { kind: 'term', field: 'a', term: Uint8Array.of(1, 2), from: 12n }
const OTHER = { ...KILLER, field: 'b' }

describe('the guard against queries that kill threads', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('refuses a query after three losses within a minute, and no other', () => {
    const guard = new PoisonGuard()
    for (let loss = 0; loss < 3; loss++) {
      guard.check({ ...KILLER })
      guard.noteLoss(KILLER)
      vi.advanceTimersByTime(1000)
    }
    expect(() => guard.check({ ...KILLER })).toThrow(
      'rejected execution of a query over which 3 search threads died within 60s',
    )
    guard.check(OTHER)
  })

  it('lets it in again when a minute has seen fewer', () => {
    const guard = new PoisonGuard()
    for (let loss = 0; loss < 3; loss++) {
      guard.noteLoss(KILLER)
      vi.advanceTimersByTime(25_000)
    }
    guard.check(KILLER)
  })

  it('remembers a bounded number of queries', () => {
    const guard = new PoisonGuard()
    for (let loss = 0; loss < 3; loss++) guard.noteLoss(KILLER)
    for (let n = 0; n < 100; n++) guard.noteLoss({ ...OTHER, n })
    guard.check(KILLER)
  })
})
