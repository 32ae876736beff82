import { describe, expect, it } from 'vitest'
import { reasonOf, valueReader } from '../../support/one-field.ts'

describe('scaled_float', () => {
  it('keeps the nearest multiple, half of one upward, and its ends past the range', () => {
    const read = valueReader({ type: 'scaled_float', scaling_factor: 10 })
    expect(read('[1.24, 1.25, -1.25, "-1.26"]')).toEqual([12n, 13n, -12n, -13n])
    expect(read('[1e300, -1e300]')).toEqual([2n ** 63n - 1n, -(2n ** 63n)])
    expect(reasonOf(() => read('1e400'))).toBe(
      '[scaled_float] only supports finite values, but got [Infinity]',
    )
  })

  it('wants a factor, positive and finite', () => {
    expect(reasonOf(() => valueReader({ type: 'scaled_float' }))).toBe(
      'Field [scaling_factor] is required',
    )
    expect(reasonOf(() => valueReader({ type: 'scaled_float', scaling_factor: -2 }))).toBe(
      '[scaling_factor] must be a positive number, got [-2.0]',
    )
  })
})
