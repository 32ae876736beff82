import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doubleText, floatText } from '../../../src/util/json/float-text.ts'

describe('text of floating-point numbers', () => {
  // Java's documentation of Float.toString and Double.toString, and published search scores.
  it.each([
    [1, '1.0'],
    [0.19363807, '0.19363807'],
    [0.17225474, '0.17225474'],
    [1e7, '1.0E7'],
    [9999999, '9999999.0'],
    [0.001, '0.001'],
    [0.0009, '9.0E-4'],
    [1e10, '1.0E10'],
    [-12.5, '-12.5'],
    [100, '100.0'],
    [3.4028235e38, '3.4028235E38'],
    [1.4e-45, '1.4E-45'],
    [0, '0.0'],
    [-0, '-0.0'],
    [16777216, '1.6777216E7'],
    [0.1, '0.1'],
  ])('prints the float %d as %s', (value, text) => {
    expect(floatText(value)).toBe(text)
  })

  it.each([
    [1, '1.0'],
    [100, '100.0'],
    [1e21, '1.0E21'],
    [4.9e-324, '4.9E-324'],
    [2e23, '2.0E23'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1234567.891, '1234567.891'],
    [12345678.91, '1.234567891E7'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('prints the double %d as %s', (value, text) => {
    expect(doubleText(value)).toBe(text)
  })

  it('gives text that reads back as the same number', () => {
    const finite = { noNaN: true, noDefaultInfinity: true }
    fc.assert(
      fc.property(fc.float(finite), fc.double(finite), (single, double) => {
        expect(Math.fround(Number(floatText(single)))).toBe(single)
        expect(Number(doubleText(double))).toBe(double)
        expect(doubleText(double)).toMatch(/^-?\d+\.\d+(E-?\d+)?$/)
      }),
      { seed: 11, numRuns: 2000 },
    )
  })
})
