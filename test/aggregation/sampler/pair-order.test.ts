import { expect, it } from 'vitest'
import { pairOrder } from '../../../src/aggregation/sampler/pair-order.ts'
import { Random } from '../../../src/util/random.ts'
import { Turn } from '../../../src/util/turns.ts'

/** Is over whenever it is asked. */
class ShortTurn extends Turn {
  override isOver(): boolean {
    return true
  }
}

function run(firsts: Int32Array, seconds: Int32Array): { order: Int32Array; yields: number } {
  const steps = pairOrder(firsts, seconds, new ShortTurn())
  for (let yields = 0; ; yields++) {
    const { done, value } = steps.next()
    if (done === true) return { order: value, yields }
  }
}

it('orders pairs as a sort by comparing them does (seed 901)', () => {
  const random = new Random(901)
  for (const length of [0, 1, 2, 3, 255, 4096, 4097, 20_000])
    for (const [firstLimit, secondLimit] of [
      [1, 1],
      [3, 2 ** 31 - 1],
      [2 ** 31 - 1, 3],
      [2048, 2049],
    ] as const) {
      const firsts = Int32Array.from({ length }, () => random.below(firstLimit))
      const seconds = Int32Array.from({ length }, () => random.below(secondLimit))
      const expected = Array.from(firsts, (_, i) => i).sort(
        (a, b) => firsts[a]! - firsts[b]! || seconds[a]! - seconds[b]! || a - b,
      )
      expect([...run(firsts, seconds).order]).toEqual(expected)
    }
})

it('leaves pairs that stand in order, and gives way after each few thousand', () => {
  const length = 100_000
  const rising = Int32Array.from({ length }, (_, i) => i >>> 1)
  const seconds = Int32Array.from({ length }, (_, i) => i & 1)
  const sorted = run(rising, seconds)
  expect(sorted.order[length - 1]).toBe(length - 1)
  expect(sorted.yields).toBe(25)
  // One pass over all, then two of each digit: one of the second numbers, two of the first ones.
  const falling = rising.slice().reverse()
  expect(run(falling, seconds).yields).toBe(25 * 7)
})
