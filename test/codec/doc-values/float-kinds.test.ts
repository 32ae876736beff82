import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FLOAT_KINDS, isFloatKind } from '../../../src/codec/doc-values/float-kinds.ts'
import { sortable } from '../../../src/codec/doc-values/sortable.ts'
import { VALUE_KINDS } from '../../../src/codec/doc-values/value-kind.ts'
import { joinHalves } from '../../../src/search/query/point-value.ts'

const numbers = fc.double({ noNaN: true, min: -65504, max: 65504 })

describe('the kinds of floating-point numbers', () => {
  it.each(['double', 'float', 'half_float'] as const)('keep the order of %s', kind => {
    const { encode, decode } = FLOAT_KINDS[kind]
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const [first, second] = [a, b].map(value => {
          encode(value)
          const { hi, lo } = sortable
          return { integer: joinHalves(hi, lo), held: decode(hi, lo) }
        })
        if (first!.integer < second!.integer) expect(first!.held).toBeLessThanOrEqual(second!.held)
        else if (first!.integer === second!.integer) expect(first!.held).toBe(second!.held)
        // What is held comes back as it is.
        encode(first!.held)
        expect(joinHalves(sortable.hi, sortable.lo)).toBe(first!.integer)
      }),
    )
  })

  it('are the kinds of values that are neither integers nor ordinals', () => {
    expect(VALUE_KINDS.filter(isFloatKind)).toEqual(['double', 'float', 'half_float'])
  })
})
