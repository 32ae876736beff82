import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RolePattern } from '../../../src/service/security/role-pattern.ts'

it('matches as a regular expression of the same meaning', () => {
  const sign = fc.constantFrom('a', 'b', '*', '?', '.', '😀')
  fc.assert(
    fc.property(
      fc.array(sign, { minLength: 1, maxLength: 8 }),
      fc.array(fc.constantFrom('a', 'b', '.', '*', '😀'), { minLength: 1, maxLength: 10 }),
      (signs, names) => {
        const source = signs
          .map(one => (one === '*' ? '.*' : one === '?' ? '.' : one.replace('.', '\\.')))
          .join('')
        const name = names.join('')
        // One character of a pair of surrogates is none.
        if (signs.includes('?') && name.includes('😀')) return
        const expected = new RegExp(`^${source}$`, 'us').test(name)
        expect([signs.join(''), name, new RolePattern(signs.join('')).matches(name)]).toEqual([
          signs.join(''),
          name,
          expected,
        ])
      },
    ),
    { numRuns: 2_000 },
  )
})

it('puts in what names stand for as it is', () => {
  const value = (name: string): string | null => (name === 'user.name' ? '*' : null)
  const pattern = (text: string): RolePattern => new RolePattern(text, value)
  expect(pattern(`a-\${user.name}`).matches('a-*')).toBe(true)
  expect(pattern(`a-\${user.name}`).matches('a-b')).toBe(false)
  expect(pattern(`\${user.name}-*`).matches('*-b')).toBe(true)
  // A name that stands for nothing matches nothing, not what is left.
  expect(pattern(`a*\${attr.internal.team}`).matches('ab')).toBe(false)
  expect(pattern(`\${attr.internal.team}`).matches('')).toBe(false)
})

it('takes no more time for patterns that begin over and over', () => {
  const pattern = new RolePattern('*a'.repeat(200))
  const began = performance.now()
  expect(pattern.matches(`${'a'.repeat(250)}b`)).toBe(false)
  expect(performance.now() - began).toBeLessThan(1_000)
})
