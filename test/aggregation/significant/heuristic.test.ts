import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Heuristic, scoreOf } from '../../../src/aggregation/significant/heuristic.ts'

const LIKELIHOOD = {
  kind: 'mutual_information',
  isSuperset: true,
  includesNegatives: false,
} as const
const CHI = { kind: 'chi_square', isSuperset: true, includesNegatives: false } as const
const DISTANCE = { kind: 'gnd', isSuperset: true } as const

const score = (heuristic: Heuristic, ...[found, foundOf, background, backgroundOf]: number[]) =>
  scoreOf(heuristic, {
    found: found!,
    foundOf: foundOf!,
    background: background!,
    backgroundOf: backgroundOf!,
  })

describe('heuristics of significant terms', () => {
  it.each<readonly [heuristic: Heuristic, numbers: number[], expected: number]>([
    [{ kind: 'jlh' }, [1, 2, 1, 4], 0.5],
    [{ kind: 'jlh' }, [1, 2, 3, 4], 0],
    [{ kind: 'jlh' }, [1, 2, 0, 4], 0.5],
    [{ kind: 'jlh' }, [0, 0, 0, 4], 0],
    [{ kind: 'percentage' }, [1, 2, 4, 4], 0.25],
    [{ kind: 'percentage' }, [1, 2, 0, 4], 0],
    [CHI, [2, 2, 2, 4], 4],
    [CHI, [1, 3, 3, 5], Number.NEGATIVE_INFINITY],
    [{ ...CHI, includesNegatives: true }, [2, 3, 3, 4], 4 / 9],
    [{ ...CHI, isSuperset: false }, [2, 2, 0, 2], 4],
    [LIKELIHOOD, [2, 2, 2, 4], 1],
    [LIKELIHOOD, [1, 3, 3, 5], Number.NEGATIVE_INFINITY],
    [{ ...LIKELIHOOD, isSuperset: false }, [2, 2, 0, 2], 1],
    [DISTANCE, [2, 2, 2, 4], 1],
    [DISTANCE, [0, 2, 2, 4], 0],
    [DISTANCE, [1, 2, 2, 8], Math.exp(-0.5)],
    [{ kind: 'gnd', isSuperset: false }, [1, 2, 1, 6], Math.exp(-0.5)],
  ])('%j of %j', (heuristic, numbers, expected) => {
    expect(score(heuristic, ...numbers)).toBeCloseTo(expected, 14)
  })

  it('tell that a background ought to contain the foreground', () => {
    const advice =
      ', does your background filter not include all documents in the bucket? If so and it is ' +
      'intentional, please specify "background_is_superset": false'
    expect(() => score(CHI, 3, 4, 2, 9)).toThrow(`subsetFreq > supersetFreq${advice}`)
    expect(() => score(DISTANCE, 1, 4, 2, 3)).toThrow(`subsetSize > supersetSize${advice}`)
    expect(() => score(LIKELIHOOD, 1, 4, 4, 5)).toThrow(
      `supersetFreq - subsetFreq > supersetSize - subsetSize${advice}`,
    )
  })

  it('score a term no lower for more documents of the foreground (seed 5)', () => {
    const numbers = fc
      .tuple(fc.nat(500), fc.nat(500), fc.nat(500), fc.nat(500))
      .filter(([n11, n01, n10, n00]) => n11 > 0 && n01 > 0 && n10 > 0 && n00 > 0)
    for (const heuristic of [{ kind: 'jlh' } as const, CHI, LIKELIHOOD])
      fc.assert(
        fc.property(numbers, ([n11, n01, n10, n00]) => {
          const all = n11 + n01 + n10 + n00
          const fewer = score(heuristic, n11, n11 + n01, n11 + n10, all)
          // One document without the term gets it.
          const more = score(heuristic, n11 + 1, n11 + n01, n11 + n10 + 1, all)
          if (fewer > 0) expect(more).toBeGreaterThanOrEqual(fewer - 1e-12 * fewer)
        }),
        { seed: 5 },
      )
  })
})
