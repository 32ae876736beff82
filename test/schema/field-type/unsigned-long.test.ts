import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flipSign } from '../../../src/schema/field-type/unsigned-long.ts'
import { reasonOf, valueReader } from '../../support/one-field.ts'

const MAX = 2n ** 64n - 1n

describe('unsigned_long', () => {
  const read = valueReader({ type: 'unsigned_long' })

  it('keeps every value of its range in order, written as a number or as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX }), value => {
        expect(read(`${value}`)).toEqual([flipSign(value)])
        expect(read(`"${value}"`)).toEqual([flipSign(value)])
      }),
    )
    expect(read('[0, 18446744073709551615]')).toEqual([-(2n ** 63n), 2n ** 63n - 1n])
  })

  it('cuts fractions where it coerces, and refuses them elsewhere', () => {
    expect(read('"1.9"')).toEqual([flipSign(1n)])
    expect(read('18446744073709551615.9')).toEqual([flipSign(MAX)])
    const strict = valueReader({ type: 'unsigned_long', coerce: false })
    expect(reasonOf(() => strict('1.5'))).toBe('Value [1.5] has a decimal part')
    expect(reasonOf(() => strict('"1"'))).toBe('BigInteger value passed as String')
  })

  it('refuses the first value past either end, as a number or as text', () => {
    for (const value of ['-1', '18446744073709551616', '1e400'])
      for (const json of [value, `"${value}"`])
        expect(reasonOf(() => read(json))).toBe(
          `Value [${value}] is out of range for an unsigned long`,
        )
  })

  it('takes a null value of its whole range', () => {
    const withNull = valueReader({ type: 'unsigned_long', null_value: '18446744073709551615' })
    expect(withNull('[null, 1]')).toEqual([flipSign(MAX), flipSign(1n)])
    expect(reasonOf(() => valueReader({ type: 'unsigned_long', null_value: '-1' }))).toBe(
      'Value [-1] is out of range for an unsigned long',
    )
  })

  it('answers a value or a documented error to any text', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        try {
          expect(read(JSON.stringify(text)).length).toBeLessThanOrEqual(1)
        } catch (error) {
          expect(error).toMatchObject({ record: { type: 'mapper_parsing_exception' } })
        }
      }),
    )
  })
})
