import { describe, expect, it } from 'vitest'
import { inverseNorms } from '../../src/codec/norms/inverse.ts'
import { encodeLength } from '../../src/codec/norms/length-code.ts'
import {
  averageLength,
  bm25,
  driftOf,
  inverseDocFreq,
  maxBm25,
} from '../../src/search/similarity/bm25.ts'

describe('bm25', () => {
  it('agrees with the published scores, less the factor k1 + 1 that newer servers leave out', () => {
    // The documentation's index holds "The wind rises" and "Gone with the wind"; its match on
    // "wind" printed 0.19363807 and 0.17225474 with the old factor of 2.2.
    const inverse = inverseNorms(averageLength(7, 2))
    const weight = inverseDocFreq(2, 2)
    const first = bm25(weight, 1, inverse[encodeLength(3)] ?? 0)
    const second = bm25(weight, 1, inverse[encodeLength(4)] ?? 0)
    expect(first * 2.2).toBeCloseTo(0.19363807, 7)
    expect(second * 2.2).toBeCloseTo(0.17225474, 7)
  })

  it('never scores above the bound of its impact, under any drift of the mean length', () => {
    for (let made = 1; made < 400; made = made * 1.37 + 0.5) {
      for (const now of [made * 0.5, made, made * 1.000001, made * 3]) {
        const [before, after] = [inverseNorms(made), inverseNorms(now)]
        for (let code = 1; code < 256; code += 7)
          for (const freq of [1, 2, 3, 17, 1000]) {
            const impact = Math.fround(freq * (before[code] ?? 0))
            const score = bm25(2.5, freq, after[code] ?? 0)
            const { most } = driftOf(Math.fround(made), Math.fround(now), null)
            expect(maxBm25(2.5, impact, most)).toBeGreaterThanOrEqual(score)
          }
      }
    }
  })
})
