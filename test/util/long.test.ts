import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { highHalf, longOfHalves, lowHalf, nextLong, parseLong } from '../../src/util/long.ts'

const MAX = 2n ** 63n - 1n
const longs = fc.oneof(
  fc.bigInt({ min: -MAX - 1n, max: MAX }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: MAX - 2n, max: MAX }),
)

describe('a 64-bit integer', () => {
  it('has one form: a number where that is exact, a bigint beyond', () => {
    expect(parseLong('9007199254740991')).toBe(9007199254740991)
    expect(parseLong('9007199254740992')).toBe(9007199254740992n)
    expect(parseLong('-0')).toBe(0)
    expect(parseLong('007')).toBe(7)
    expect(parseLong('9223372036854775807')).toBe(MAX)
    expect(parseLong('-9223372036854775808')).toBe(-MAX - 1n)
  })

  it.each([
    '9223372036854775808',
    '-9223372036854775809',
    '',
    '1.0',
    '1e3',
    ' 1',
    '0x1',
    '1'.repeat(25),
  ])('is not what [%s] says', text => {
    expect(parseLong(text)).toBeNull()
  })

  it('is cut into halves and put together again', () => {
    fc.assert(
      fc.property(longs, value => {
        const long = parseLong(String(value))!
        const hi = highHalf(long)
        const lo = lowHalf(long)
        expect(hi).toBe(hi | 0)
        expect(lo).toBe(lo >>> 0)
        expect(longOfHalves(hi, lo)).toBe(long)
      }),
    )
  })

  it('is followed by the next one, and the last by none', () => {
    fc.assert(
      fc.property(longs, value => {
        const next = nextLong(parseLong(String(value))!)
        if (value === MAX) expect(next).toBeNull()
        else expect(next).toBe(parseLong(String(value + 1n)))
      }),
    )
  })
})
