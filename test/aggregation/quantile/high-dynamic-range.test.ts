import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  checkNotNegative,
  hdrPercentBelow,
  hdrPercentile,
  hdrRules,
} from '../../../src/aggregation/quantile/high-dynamic-range.ts'
import { type Cells, ValueCells } from '../../../src/aggregation/quantile/value-cells.ts'

function cellsOf(values: readonly number[], digits = 3): Cells {
  const cells = new ValueCells(hdrRules(digits), () => undefined)
  for (const value of values) cells.add(value)
  return cells.settled()
}

it('reports the upper end of the cell of a value', () => {
  const cells = cellsOf([1, 51, 101, 151])
  expect([25, 50, 95].map(percent => hdrPercentile(cells, 3, percent))).toEqual([
    1, 51.0302734375, 151.1240234375,
  ])
  expect(hdrPercentile(cellsOf([51, 101, 126, 151]), 3, 50)).toBe(101.03125)
  expect(hdrPercentile(cellsOf([]), 3, 50)).toBeNaN()
  expect(hdrPercentile(cellsOf([0, 0]), 3, 50)).toBe(0)
})

it('is within its digits of the value at the rank', () => {
  const positive = fc.double({ min: 0.001, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(positive, { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(100),
      (values, digits, percent) => {
        const sorted = Float64Array.from(values).sort()
        const exact = sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1]!
        const found = hdrPercentile(cellsOf(values, digits), digits, percent)
        expect(Math.abs(found / exact - 1)).toBeLessThanOrEqual(10 ** -digits)
        expect(hdrPercentBelow(cellsOf(values, digits), digits, sorted.at(-1)!)).toBe(100)
      },
    ),
  )
})

it('counts the values of cells up to that of a value', () => {
  const cells = cellsOf([0, 1, 51, 101, 151])
  expect([0, 0.5, 1, 51.001, 60, 151, 1e6].map(value => hdrPercentBelow(cells, 3, value))).toEqual([
    20, 20, 40, 60, 60, 100, 100,
  ])
  expect(hdrPercentBelow(cellsOf([]), 3, 1)).toBeNaN()
})

it('takes no negative values', () => {
  expect(() => checkNotNegative(Float64Array.of(1, -2), 2)).toThrow(
    /The value -2.0 is out of bounds/,
  )
  expect(() => checkNotNegative(Float64Array.of(1, -2), 1)).not.toThrow()
})
