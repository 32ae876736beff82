import { expect, it } from 'vitest'
import { ExactSums, roundedSum, sumScale } from '../../src/aggregation/exact-sum.ts'
import { Random } from '../../src/util/random.ts'
import { exactSum } from '../support/plain/exact.ts'

const SEED = 31

function sumOf(values: readonly number[], exponents: { min: number; max: number }): number {
  const sums = new ExactSums(sumScale(exponents))
  sums.ensure(1)
  for (const value of values) sums.add(0, value)
  return roundedSum(sums.sum(0))
}

it(`sums doubles of any size as fractions do, rounded once (seed ${SEED})`, () => {
  const random = new Random(SEED)
  for (let i = 0; i < 5000; i++) {
    const spread = random.below(200)
    const values = Array.from(
      { length: 1 + random.below(6) },
      () => (random.next() - 0.5) * 10 ** (random.below(spread + 1) - spread / 2),
    )
    // Equal values sum to what lies halfway between doubles, now and then.
    const all = random.below(2) === 0 ? values : [...values, ...values, ...values]
    const expected = exactSum(all)
    expect(sumOf(all, { min: -1074, max: 1023 }), String(all)).toBe(expected)
    expect(sumOf([...all].reverse(), { min: -500, max: 400 }), String(all)).toBe(expected)
  }
})
