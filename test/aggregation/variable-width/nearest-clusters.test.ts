import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestClusters } from '../../../src/aggregation/variable-width/nearest-clusters.ts'

interface Cluster {
  readonly head: number
  readonly sum: number
  readonly count: number
}

/** Looks at all neighbours before each step. */
function plainHeads(points: readonly (readonly [mean: number, count: number])[], size: number) {
  let clusters: Cluster[] = points.map(([mean, count], head) => ({
    head,
    sum: mean * count,
    count,
  }))
  while (clusters.length > size) {
    let nearest = 0
    const gap = (i: number): number =>
      clusters[i + 1]!.sum / clusters[i + 1]!.count - clusters[i]!.sum / clusters[i]!.count
    for (let i = 1; i + 1 < clusters.length; i++) if (gap(i) < gap(nearest)) nearest = i
    const left = clusters[nearest]!
    const right = clusters[nearest + 1]!
    const both = { head: left.head, sum: left.sum + right.sum, count: left.count + right.count }
    clusters = [...clusters.slice(0, nearest), both, ...clusters.slice(nearest + 2)]
  }
  return clusters.map(({ head }) => head)
}

describe('nearest clusters', () => {
  it('merges neighbours, the lower ones of equally near ones first', () => {
    const heads = (values: readonly number[], size: number): readonly number[] => [
      ...nearestClusters(
        { sums: Float64Array.from(values), counts: new Float64Array(values.length).fill(1) },
        size,
      ),
    ]
    expect(heads([-3, -2, 1, 4, 5], 3)).toEqual([0, 2, 3])
    expect(heads([1, 2, 3, 4], 3)).toEqual([0, 2, 3])
    expect(heads([1, 2, 3, 4], 1)).toEqual([0])
    expect(heads([1, 2], 5)).toEqual([0, 1])
    expect(heads([], 5)).toEqual([])
  })

  it('agrees with looking at all pairs (seed 41)', () => {
    const points = fc
      .uniqueArray(fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: 1, max: 5 })), {
        selector: ([mean]) => mean,
        maxLength: 40,
      })
      .map(list => list.sort(([a], [b]) => a - b))
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 12 }), (list, size) => {
        const heads = nearestClusters(
          {
            sums: Float64Array.from(list, ([mean, count]) => mean * count),
            counts: Float64Array.from(list, ([, count]) => count),
          },
          size,
        )
        expect([...heads]).toEqual(plainHeads(list, size))
      }),
      { seed: 41, numRuns: 300 },
    )
  })
})
