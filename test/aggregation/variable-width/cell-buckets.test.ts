import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowestLevel, splitLevel } from '../../../src/aggregation/quantile/value-cells.ts'
import { CellBuckets } from '../../../src/aggregation/variable-width/cell-buckets.ts'

describe('buckets of cells', () => {
  it('are as coarse as the values make them, in any order (seed 23)', () => {
    const value = fc.oneof(
      fc.integer({ min: -50, max: 50 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(each => each + 0),
    )
    const rows = fc.array(fc.tuple(fc.nat(2), value), { minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 12 }), (list, maxCells) => {
        const buckets = new CellBuckets(() => {}, maxCells)
        const placed = list.map(([owner, each]) => buckets.bucketOf(owner, each))
        const levels = buckets.levels(3)
        for (const owner of [0, 1, 2]) {
          const own = list.flatMap(([of, each], i) =>
            of === owner ? [{ each, bucket: placed[i]! }] : [],
          )
          const values = Float64Array.from(own, ({ each }) => each).sort()
          expect(levels[owner]).toBe(own.length === 0 ? 0 : lowestLevel(values, 0, maxCells))
          for (const a of own) {
            expect(buckets.owner(a.bucket)).toBe(owner)
            for (const b of own)
              if (a.bucket === b.bucket)
                expect(splitLevel(a.each, b.each)).toBeLessThanOrEqual(levels[owner]!)
          }
        }
      }),
      { seed: 23, numRuns: 200 },
    )
  })
})
