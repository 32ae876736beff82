import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CONTROL_WORDS,
  OwnControl,
  SearchControl,
} from '../../src/search/collector/search-control.ts'

describe.each([
  ['SearchControl', () => new SearchControl()],
  ['OwnControl', () => new OwnControl()],
])('%s', (_, make) => {
  it('keeps the highest threshold that anyone raised it to', () => {
    const score = fc.float({ min: 0, max: Math.fround(1e30), noNaN: true })
    fc.assert(
      fc.property(fc.array(score, { minLength: 1 }), scores => {
        const control = make()
        let most = 0
        for (const one of scores) {
          control.raiseThreshold(one)
          most = Math.max(most, one)
          expect(control.threshold()).toBe(most)
        }
      }),
      { seed: 3 },
    )
  })

  it('adds up hits, and stays at the top when they pass 31 bits', () => {
    const control = make()
    expect(control.addHits(5)).toBe(5)
    expect(control.addHits(7)).toBe(12)
    control.addHits(0x7ffffff0)
    expect(control.addHits(100)).toBe(0x7fffffff)
    expect(control.addHits(0)).toBe(0x7fffffff)
  })

  it('is stopped once anyone stops it', () => {
    const control = make()
    expect(control.isStopped()).toBe(false)
    control.stop()
    expect(control.isStopped()).toBe(true)
  })
})

describe('SearchControl', () => {
  it('is one control for all who hold the same words', () => {
    const words = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS))
    const [one, other] = [new SearchControl(words), new SearchControl(words)]
    one.stop()
    expect(other.isStopped()).toBe(true)
  })
})
