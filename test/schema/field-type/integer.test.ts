import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reasonOf, valueReader } from '../../support/one-field.ts'

const WIDTHS = [
  ['long', 64n, 'a long'],
  ['integer', 32n, 'an integer'],
  ['short', 16n, 'a short'],
  ['byte', 8n, 'a byte'],
] as const

describe.each(WIDTHS)('%s', (type, bits, named) => {
  const limit = 2n ** (bits - 1n)
  const read = valueReader({ type })

  it('keeps every value of its range, written as a number or as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit - 1n }), value => {
        expect(read(`${value}`)).toEqual([value])
        expect(read(`"${value}"`)).toEqual([value])
      }),
    )
  })

  it('cuts fractions toward zero where it coerces, and refuses them elsewhere', () => {
    expect(read('"-1.9"')).toEqual([-1n])
    expect(read('1.9e1')).toEqual([19n])
    const strict = valueReader({ type, coerce: false })
    expect(reasonOf(() => strict('1.5'))).toBe('Value [1.5] has a decimal part')
    expect(reasonOf(() => strict('"1"'))).toMatch(/value passed as String$/)
  })

  it('refuses the first value past either end', () => {
    for (const value of [limit, -limit - 1n])
      expect(reasonOf(() => read(`"${value}"`))).toBe(
        `Value [${value}] is out of range for ${named}`,
      )
  })

  it('takes its null value where a document says null or nothing', () => {
    const withNull = valueReader({ type, coerce: false, null_value: '7' })
    expect(withNull('[null, 1]')).toEqual([7n, 1n])
    expect(reasonOf(() => valueReader({ type, null_value: 'x' }))).toBe('For input string: "x"')
  })
})
