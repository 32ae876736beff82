import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Expressions } from '../../src/util/automaton/expression.ts'
import { ALL_OPERATORS, luceneExpression } from '../../src/util/automaton/lucene-pattern.ts'
import { requiredText } from '../../src/util/automaton/required-text.ts'

function requiredBy(pattern: string, ignoresCase = false): string {
  return requiredText(luceneExpression(pattern, new Expressions(), ALL_OPERATORS, ignoresCase))
}

describe('the text that all matches of an expression hold', () => {
  it.each([
    ['abc', 'abc'],
    ['.*ing', 'ing'],
    ['[a-z]+ation[a-z]{1,4}', 'ation'],
    ['ab.*cde', 'cde'],
    ['abcd.*ef', 'abcd'],
    ['a(bc)d', 'abcd'],
    ['x(abc)+y', 'xabc'],
    ['x(abc){2}y', 'xabc'],
    ['x(abc)?y', 'x'],
    ['(ab|ac)de', 'de'],
    ['ab|cd', ''],
    ['~(abc)', ''],
    ['.*abc.*&x.*', 'abc'],
    ['', ''],
    ['.*', ''],
    ['été.*🦊z', 'été'],
    ['#', ''],
  ])('of %s is %j', (pattern, text) => {
    expect(requiredBy(pattern)).toBe(text)
  })

  it('has no letters that may be of either case', () => {
    expect(requiredBy('.*abc12', true)).toBe('12')
  })

  it('is read off a long pattern without recursion', () => {
    const make = new Expressions()
    expect(requiredText(make.text('ab'.repeat(50_000)))).toHaveLength(100_000)
  })

  it('is in every text that matches', () => {
    const atom = fc.oneof(
      fc.stringMatching(/^[ab]{1,3}$/),
      fc.constantFrom('.', '[ab]', '.*', '(a|bb)', '(ab)+', 'b?', '(ba){2}', 'a{1,2}'),
    )
    let held = 0
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 5 }),
        fc.array(fc.stringMatching(/^[ab]{0,9}$/), { minLength: 40, maxLength: 40 }),
        (atoms, texts) => {
          const pattern = atoms.join('')
          const required = requiredBy(pattern)
          // In both languages these signs mean the same.
          const matches = new RegExp(`^(?:${pattern})$`)
          for (const text of texts.filter(each => matches.test(each))) {
            expect(text).toContain(required)
            if (required.length > 1) held++
          }
        },
      ),
      { numRuns: 1000 },
    )
    expect(held).toBeGreaterThan(200)
  })
})
