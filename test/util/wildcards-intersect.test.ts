import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesWildcard, wildcardsIntersect } from '../../src/util/wildcard.ts'

const pattern = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 6 }).map(x => x.join(''))
/** All texts of up to seven characters. */
const TEXTS = Array.from({ length: 8 }, (_, length) =>
  Array.from({ length: 2 ** length }, (_, bits) =>
    Array.from({ length }, (_, i) => ((bits >> i) & 1 ? 'a' : 'b')).join(''),
  ),
).flat()

it('finds a common text exactly where there is one', () => {
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      const common = TEXTS.find(text => matchesWildcard(a, text) && matchesWildcard(b, text))
      // Two patterns of six characters that have a common text have one of at most twelve; of seven nearly always.
      if (common !== undefined) expect(wildcardsIntersect(a, b)).toBe(true)
      else if (a.replaceAll('*', '').length + b.replaceAll('*', '').length <= 7)
        expect([a, b, wildcardsIntersect(a, b)]).toEqual([a, b, false])
    }),
    { numRuns: 3000 },
  )
})
