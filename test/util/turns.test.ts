import { describe, expect, it } from 'vitest'
import { trusted } from '../../src/task/call-context.ts'
import { inTurns, Turn } from '../../src/util/turns.ts'

const SEARCH = 'indices:data/read/search'

/** Adds up numbers, yielding after each. */
function* sum(numbers: readonly number[], ended: () => void): Generator<void, number, void> {
  let total = 0
  try {
    for (const each of numbers) {
      total += each
      yield
    }
    return total
  } finally {
    ended()
  }
}

describe('inTurns', () => {
  it('ends at once where nothing yields', () => {
    let ended = 0
    const result = inTurns(
      () => sum([], () => ended++),
      () => {
        throw new Error('not asked')
      },
      trusted(SEARCH),
    )
    expect([result, ended]).toEqual([0, 1])
  })

  it('lets the event loop turn at every yield, and asks each time', async () => {
    let checks = 0
    let immediates = 0
    let isOver = false
    const count = (): void => {
      immediates++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const result = inTurns(
      () => sum([1, 2, 3], () => {}),
      () => {
        expect(immediates).toBeGreaterThan(checks)
        checks++
      },
      trusted(SEARCH),
    )
    expect(result).toBeInstanceOf(Promise)
    expect(await result).toBe(6)
    isOver = true
    expect(checks).toBe(3)
  })

  it('ends the work where it stands when the check throws, and what it holds is let go of', async () => {
    const context = trusted(SEARCH)
    let ended = 0
    const result = inTurns(
      () => sum([1, 2], () => ended++),
      () => {
        if (context.isCancelled) throw new Error('cancelled')
      },
      context,
    )
    expect(ended).toBe(0)
    context.task.cancel()
    await expect(result).rejects.toThrow('cancelled')
    expect(ended).toBe(1)
  })
})

describe('Turn', () => {
  it('is over after 2 ms of work, and begins anew', () => {
    const turn = new Turn()
    expect(turn.isOver(1)).toBe(false)
    const began = performance.now()
    let looks = 0
    while (!turn.isOver(16)) looks++
    expect(looks).toBeGreaterThan(0)
    expect(performance.now() - began).toBeGreaterThanOrEqual(2)
    turn.begin()
    expect(turn.isOver(1000)).toBe(false)
  })
})
