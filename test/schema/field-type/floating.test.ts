import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heldNumber } from '../../../src/schema/field-type/floating.ts'
import { reasonOf, valueReader } from '../../support/one-field.ts'

describe('floating-point fields', () => {
  it.each(['double', 'float', 'half_float'] as const)('keep what %s can hold', type => {
    const read = valueReader({ type })
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        const held = heldNumber(type, value)
        // JSON has no negative zero that is an integer.
        const json = Object.is(value, -0) ? '-0.0' : `${value}`
        if (held !== null) expect(read(json)).toEqual([held])
        else expect(reasonOf(() => read(json))).toContain(`[${type}] supports only finite values`)
        if (held !== null) expect(read(`"${json}"`)).toEqual([held])
      }),
    )
  })

  it.each([
    ['double', Number.MAX_VALUE, Number.POSITIVE_INFINITY],
    ['float', 3.4028234e38, 3.41e38],
    ['half_float', 65519.99, 65520],
  ] as const)('end where %s does', (type, last, past) => {
    expect(heldNumber(type, last)).not.toBeNull()
    expect(heldNumber(type, -last)).not.toBeNull()
    expect(heldNumber(type, past)).toBeNull()
    expect(heldNumber(type, Number.NaN)).toBeNull()
  })

  it('name the type as Java does where text is no number for them', () => {
    for (const [type, name] of [
      ['double', 'Double'],
      ['half_float', 'Float'],
    ] as const)
      expect(reasonOf(() => valueReader({ type, coerce: false })('"1"'))).toBe(
        `${name} value passed as String`,
      )
  })
})
