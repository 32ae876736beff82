import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matrixMoments } from '../../../src/aggregation/matrix/matrix-moments.ts'
import { GrowingPowerSums, type PowerSums } from '../../../src/aggregation/matrix/power-sums.ts'
import { ratio } from '../../../src/aggregation/matrix/ratio.ts'

function sumsOf(documents: readonly (readonly number[])[], fields = 2): PowerSums {
  const sums = new GrowingPowerSums(fields)
  for (const values of documents) sums.add(Float64Array.from(values))
  return sums.sums()
}

describe('a fraction', () => {
  it('is the double nearest to it', () => {
    const double = fc.double({ noNaN: true, min: -1e150, max: 1e150 })
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1 }), double, (a, b, value) => {
        expect(ratio(BigInt(a), BigInt(b))).toBe(a === 0 ? 0 : a / b)
        if (Number.isInteger(value)) expect(ratio(BigInt(value) * 3n, 3n)).toBe(value + 0)
      }),
    )
    expect(ratio(1n, 3n, -1)).toBe(1 / 6)
    expect(ratio(5n, 1n, -1074)).toBe(5 * Number.MIN_VALUE)
    expect(ratio(1n, 0n)).toBeNaN()
  })
})

describe('moments', () => {
  it('are those of their definition', () => {
    const [x, y] = matrixMoments(
      sumsOf([
        [1, 2.5],
        [2, 3],
        [4, 1],
        [9, 0.25],
      ]),
    )
    expect(x!.mean).toBe(4)
    expect(x!.variance).toBe(38 / 3)
    const centred = [-3, -2, 0, 5]
    const second = 38 / 4
    expect(x!.skewness).toBeCloseTo(
      centred.reduce((sum, each) => sum + each ** 3, 0) / 4 / second ** 1.5,
      14,
    )
    expect(x!.kurtosis).toBeCloseTo(
      centred.reduce((sum, each) => sum + each ** 4, 0) / 4 / second ** 2,
      14,
    )
    expect(y!.mean).toBe(1.6875)
    const covariance = (-3 * 2.5 - 2 * 3 + 5 * 0.25) / 3
    expect(x!.covariances[1]).toBeCloseTo(covariance, 14)
    expect(y!.covariances).toEqual([x!.covariances[1], y!.variance])
    expect(x!.correlations).toEqual([
      1,
      expect.closeTo(covariance / Math.sqrt(x!.variance * y!.variance), 14),
    ])
  })

  it('lose nothing where the mean is far larger than the spread', () => {
    const [far] = matrixMoments(sumsOf([[1e15], [1e15 + 1], [1e15 + 2], [1e15 + 9]], 1))
    const [near] = matrixMoments(sumsOf([[0], [1], [2], [9]], 1))
    expect({ ...far, mean: 0 }).toEqual({ ...near, mean: 0 })
  })

  it('are undefined where there is no spread, or where a value is infinite', () => {
    const [one] = matrixMoments(sumsOf([[3]], 1))
    expect(one).toEqual({
      mean: 3,
      variance: Number.NaN,
      skewness: Number.NaN,
      kurtosis: Number.NaN,
      covariances: [Number.NaN],
      correlations: [1],
    })
    const [infinite, other] = matrixMoments(
      sumsOf([
        [1, 2],
        [Number.POSITIVE_INFINITY, 4],
      ]),
    )
    expect(infinite!.mean).toBeNaN()
    expect([other!.mean, other!.covariances[0]]).toEqual([3, Number.NaN])
  })

  it('are the same for any order and partition of the documents', () => {
    const value = fc.oneof(
      fc.integer({ min: -9, max: 9 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: 1, max: 2, noNaN: true }),
    )
    const document = fc.record({ values: fc.tuple(value, value, value), slice: fc.nat(2) })
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 20 }), documents => {
        const whole = sumsOf(
          documents.map(({ values }) => values),
          3,
        )
        const merged = new GrowingPowerSums(3)
        for (const slice of [2, 0, 1])
          merged.merge(
            sumsOf(
              documents
                .filter(each => each.slice === slice)
                .map(({ values }) => values)
                .reverse(),
              3,
            ),
          )
        expect(merged.sums()).toEqual(whole)
        expect(matrixMoments(merged.sums())).toEqual(matrixMoments(whole))
      }),
    )
  })
})
