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

it('tells whether a longer name may match as trying longer names does', () => {
  const sign = fc.constantFrom('a', 'b', '*', '?')
  const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 })
  const rests = ['a', 'b', 'aa', 'ab', 'ba', 'bb'].flatMap(one => [
    one,
    ...['', 'a', 'b', 'aa', 'bb', 'ab', 'ba'].map(more => `${one}${more}`),
  ])
  fc.assert(
    fc.property(fc.array(sign, { minLength: 1, maxLength: 6 }), letters, (signs, start) => {
      const [text, name] = [signs.join(''), start.join('')]
      const pattern = new RolePattern(text)
      // The longest rest that is tried has three characters.
      if (text.replaceAll('*', '').length > 3) return
      const expected = rests.some(rest => pattern.matches(`${name}${rest}`))
      expect([text, name, pattern.mayMatchBehind(name)]).toEqual([text, name, expected])
    }),
    { numRuns: 2_000 },
  )
})

it('takes what stands between slashes as a regular expression of whole names', () => {
  const pattern = new RolePattern('/logs-(a|b)[0-9]+/')
  expect(
    ['logs-a1', 'logs-b22', 'logs-c1', 'xlogs-a1', 'logs-a1x'].map(name => pattern.matches(name)),
  ).toEqual([true, true, false, false, false])
  expect(pattern.mayMatchBehind('anything')).toBe(true)
  const slow = new RolePattern('/(a+)+b/')
  const began = performance.now()
  expect(slow.matches('a'.repeat(5_000))).toBe(false)
  expect(performance.now() - began).toBeLessThan(1_000)
})

it('refuses expressions that cannot be matched in linear time', () => {
  for (const text of ['/(?=a)b/', '/(a)\\1/', '/(?<!a)b/'])
    expect(() => new RolePattern(text)).toThrow('may not look around or back')
  expect(() => new RolePattern('/(/')).toThrow()
})
