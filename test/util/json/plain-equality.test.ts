import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSamePlain } from '../../../src/util/json/plain-equality.ts'

/** A value with its keys in the order of their names, and without fields that are undefined. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]),
  )
}

const { plain } = fc.letrec(tie => ({
  plain: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, '', 'a', '0'),
    fc.array(tie('plain'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0'), fc.option(tie('plain'), { nil: undefined }), {
      maxKeys: 3,
    }),
  ),
}))

it('is equality of what is printed', () => {
  let same = 0
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      const wanted = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
      expect(isSamePlain(a, b)).toBe(wanted)
      expect(isSamePlain(b, a)).toBe(wanted)
      expect(isSamePlain(a, structuredClone(a))).toBe(true)
      if (wanted) same++
    }),
    { numRuns: 2000 },
  )
  expect(same).toBeGreaterThan(50)
})

it.each([
  [[], {}, false],
  [[1], { 0: 1 }, false],
  [[1], [1, 2], false],
  [{ a: undefined }, {}, true],
  [{ a: null }, {}, false],
  [{ a: Number.NaN }, { a: Number.NaN }, true],
])('%o and %o: %s', (a, b, same) => {
  expect(isSamePlain(a, b)).toBe(same)
  expect(isSamePlain(b, a)).toBe(same)
})
