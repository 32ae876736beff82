import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesWildcard, patternsOverlap } from '../../src/util/wildcard.ts'

const pattern = fc
  .array(fc.constantFrom('a', 'b', '*'), { maxLength: 5 })
  .map(chars => chars.join(''))

/** Every name of two letters up to a length that no pair of patterns needs to be exceeded. */
const NAMES = Array.from({ length: 9 }, (_, length) =>
  Array.from({ length: 2 ** length }, (_name, bits) =>
    Array.from({ length }, (_char, i) => ((bits >> i) & 1 ? 'b' : 'a')).join(''),
  ),
).flat()

it('finds that two patterns overlap where a name matches both, and only there', () => {
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const isBoth = NAMES.some(name => matchesWildcard(one, name) && matchesWildcard(other, name))
      expect(patternsOverlap([one], [other])).toBe(isBoth)
    }),
    { numRuns: 500, seed: 20_260_102 },
  )
})

it.each([
  [['log-*'], ['*-1'], true],
  [['log-*'], ['log'], false],
  [['a*b*c'], ['a*c*b'], false],
  [['a*b*'], ['*a*b'], true],
  [[], ['*'], false],
  [['x', 'y*'], ['z', 'yes'], true],
])('%j and %j: %s', (some, others, expected) => {
  expect(patternsOverlap(some, others)).toBe(expected)
})
