import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentBelow, quantile } from '../../../src/aggregation/quantile/cell-ranks.ts'
import {
  type Cells,
  digestRules,
  ValueCells,
} from '../../../src/aggregation/quantile/value-cells.ts'

const free = (): void => {}
const number = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.double({ noNaN: true }),
  fc.double({ min: 1, max: 1.0001, noNaN: true }),
  fc.constantFrom(0, -0, Number.MAX_VALUE, Number.MIN_VALUE, Number.NEGATIVE_INFINITY),
)

/** The key of a double: integers in the order of doubles. */
function keyOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  return bits >> 63n === 1n ? (1n << 64n) - 1n - bits : bits + (1n << 63n)
}

/** The cells by their definition. */
function plainCells(values: readonly number[], maxCells: number): Cells {
  for (let level = 0; ; level++) {
    const cells = new Map<bigint, number[]>()
    for (const value of values) {
      const key = keyOf(value) >> BigInt(level)
      cells.set(key, [...(cells.get(key) ?? []), value])
    }
    if (cells.size > maxCells) continue
    const sorted = [...cells]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, cell]) => Float64Array.from(cell).sort())
    return {
      level,
      mins: Float64Array.from(sorted, cell => cell[0]!),
      maxs: Float64Array.from(sorted, cell => cell.at(-1)!),
      counts: Float64Array.from(sorted, cell => cell.length),
    }
  }
}

function cellsOf(values: readonly number[], maxCells: number): Cells {
  const cells = new ValueCells({ level: 0, maxCells }, free)
  for (const value of values) cells.add(value)
  return cells.settled()
}

describe('cells of values', () => {
  it('are those of the lowest level with few enough of them, in any order and partition', () => {
    const slice = fc.array(fc.record({ value: number, slice: fc.nat(2) }), { maxLength: 120 })
    fc.assert(
      fc.property(slice, fc.integer({ min: 1, max: 40 }), (entries, maxCells) => {
        const values = entries.map(({ value }) => value)
        const expected = plainCells(values, maxCells)
        expect(cellsOf(values, maxCells)).toEqual(expected)
        expect(cellsOf(values.reverse(), maxCells)).toEqual(expected)
        const merged = new ValueCells({ level: 0, maxCells }, free)
        for (const part of [2, 0, 1])
          merged.merge(
            cellsOf(
              entries.filter(entry => entry.slice === part).map(({ value }) => value),
              maxCells,
            ),
          )
        expect(merged.settled()).toEqual(expected)
      }),
    )
  })

  it('keep few distinct values exactly, however many there are', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 1009)
    expect(cellsOf(values, 4096)).toEqual(plainCells(values, 4096))
  })

  it('keep many values as they come, whether settled often or once', () => {
    const values = Array.from({ length: 20_000 }, (_, i) =>
      i % 100 === 0 ? i % 200 : i % 100 === 1 ? -0 : Math.sin(i) * 2 ** (i % 20),
    )
    const often = new ValueCells(digestRules(1), free)
    values.forEach((value, i) => {
      often.add(value)
      if (i % 777 === 0) often.settled()
    })
    const once = cellsOf(values, 41)
    expect(often.settled()).toEqual(once)
    expect(once.mins.length).toBeLessThanOrEqual(41)
    expect(once).toEqual(plainCells(values, 41))
  })
})

describe('quantiles', () => {
  it('are the values at their rank where cells have one value each', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 90 }), fc.nat(100), (values, p) => {
        const sorted = Float64Array.from(values).sort()
        const rank = Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))
        expect(quantile(cellsOf(values, 100), p / 100)).toBe(sorted[rank])
      }),
    )
  })

  it('are close to their rank in wider cells', () => {
    const values = Array.from({ length: 50_000 }, (_, i) => Math.exp(((i * 7919) % 50_000) / 5000))
    const sorted = Float64Array.from(values).sort()
    const cells = cellsOf(values, 1024)
    for (const q of [0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999]) {
      const found = quantile(cells, q)
      const rank = sorted.filter(value => value < found).length / sorted.length
      expect(Math.abs(rank - q)).toBeLessThan(0.001)
      expect(Math.abs(percentBelow(cells, found) / 100 - q)).toBeLessThan(0.001)
    }
  })

  it('are NaN of nothing', () => {
    expect(quantile(cellsOf([], 5), 0.5)).toBeNaN()
    expect(percentBelow(cellsOf([], 5), 1)).toBeNaN()
  })
})

describe('percentages below a value', () => {
  it('count the values below it and half of its equals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 90 }),
        fc.integer({ min: -1, max: 21 }),
        (values, asked) => {
          const below = values.filter(value => value < asked).length
          const equal = values.filter(value => value === asked).length
          expect(percentBelow(cellsOf(values, 100), asked)).toBe(
            (100 * (below + equal / 2)) / values.length,
          )
        },
      ),
    )
  })
})
