import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesWildcard } from '../../src/util/wildcard.ts'

describe('a pattern with asterisks', () => {
  it.each([
    ['a*b*c', 'aXbYc', true],
    ['a*b', 'ab', true],
    ['ab*ba', 'aba', false],
    ['*', '', true],
    ['a', 'ab', false],
    ['', '', true],
    ['*a*a', 'a', false],
    ['a.c', 'abc', false],
    ['x*\n', 'x\n', true],
  ])('%j over %j gives %s', (pattern, name, expected) => {
    expect(matchesWildcard(pattern, name)).toBe(expected)
  })

  it('agrees with the regular expression that says the same', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 })
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
    fc.assert(
      fc.property(text, name, (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
        expect(matchesWildcard(pattern, name)).toBe(expression.test(name))
      }),
    )
  })
})
