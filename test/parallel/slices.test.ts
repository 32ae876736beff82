import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutSlices, type SliceSettings } from '../../src/parallel/slices.ts'

const WHOLE: SliceSettings = { maxSliceCount: 2, intraSegment: 'none', intraSegmentMinDocs: 65536 }
const CUT: SliceSettings = { ...WHOLE, intraSegment: 'auto' }

function leavesOf(maxDocs: readonly number[], settings: SliceSettings): number[][] {
  return cutSlices(maxDocs, settings).map(slice => slice.map(part => part.leafOrd))
}

describe('cutSlices', () => {
  it('gives the largest leaf to the slice with the fewest documents', () => {
    expect(leavesOf([10, 50, 30, 20], WHOLE)).toEqual([
      [0, 1],
      [2, 3],
    ])
  })

  it('makes no slice of no segment', () => {
    expect(cutSlices([], WHOLE)).toEqual([])
    expect(cutSlices([], { ...WHOLE, maxSliceCount: 0 })).toEqual([])
  })

  it('refuses a negative count', () => {
    expect(() => cutSlices([1], { ...WHOLE, maxSliceCount: -1 })).toThrow(/must be >= 0/)
  })

  it('packs by the rule of Lucene when the count is 0', () => {
    const lucene = { ...CUT, maxSliceCount: 0 }
    expect(leavesOf([300_000, 10, 10, 10, 10, 10, 10], lucene)).toEqual([[0], [1, 2, 3, 4, 5], [6]])
    expect(leavesOf([200_000, 60_000, 1], lucene)).toEqual([[0, 1], [2]])
  })

  it('cuts one large segment into ranges that start on multiples of 4,096', () => {
    expect(cutSlices([200_000], CUT)).toEqual([
      [{ leafOrd: 0, minDoc: 0, maxDoc: 98_304 }],
      [{ leafOrd: 0, minDoc: 98_304, maxDoc: 200_000 }],
    ])
    expect(cutSlices([60_000], CUT)).toHaveLength(1)
  })

  it('puts every document into exactly one slice, evenly (P19)', () => {
    const sizes = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 400_000 })),
      {
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 9 }), fc.boolean(), (maxDocs, count, cuts) => {
        const settings = { ...(cuts ? CUT : WHOLE), maxSliceCount: count }
        const slices = cutSlices(maxDocs, settings)
        const covered = maxDocs.map((): number[] => [])
        for (const slice of slices) {
          expect(new Set(slice.map(part => part.leafOrd)).size).toBe(slice.length)
          for (const { leafOrd, minDoc, maxDoc } of slice) covered[leafOrd]?.push(minDoc, maxDoc)
        }
        covered.forEach((edges, leafOrd) => {
          const sorted = [...edges].sort((a, b) => a - b)
          expect(sorted[0]).toBe(0)
          expect(sorted.at(-1)).toBe(maxDocs[leafOrd])
          for (let i = 1; i + 1 < sorted.length; i += 2) expect(sorted[i]).toBe(sorted[i + 1])
        })
        if (cuts || maxDocs.length === 0) return
        expect(slices.length).toBe(Math.min(count, maxDocs.length))
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it('gives no slice more than 4/3 of what the best division would (P19)', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 3 }), (maxDocs, count) => {
        const slices = cutSlices(maxDocs, { ...WHOLE, maxSliceCount: count })
        const totals = slices.map(slice => slice.reduce((sum, part) => sum + part.maxDoc, 0))
        expect(Math.max(...totals)).toBeLessThanOrEqual((4 / 3) * bestDivision(maxDocs, count))
      }),
      { seed: 8, numRuns: 200 },
    )
  })
})

/** The least largest sum over every way to deal the sizes to so many groups. */
function bestDivision(sizes: readonly number[], count: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let deal = 0; deal < count ** sizes.length; deal++) {
    const sums = new Array<number>(count).fill(0)
    let rest = deal
    for (const size of sizes) {
      sums[rest % count] = (sums[rest % count] ?? 0) + size
      rest = Math.floor(rest / count)
    }
    best = Math.min(best, Math.max(...sums))
  }
  return best
}
