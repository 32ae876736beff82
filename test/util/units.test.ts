import { describe, expect, it } from 'vitest'
import { durationText, parseDuration, parseSize, sizeText } from '../../src/util/units.ts'

describe('durations', () => {
  it.each([
    ['30s', 30e9],
    ['5m', 300e9],
    ['100ms', 1e8],
    ['7micros', 7000],
    ['12nanos', 12],
    ['1d', 86_400e9],
    ['2H', 7200e9],
    ['-1', -1],
    ['0', 0],
    ['0s', 0],
  ])('reads %s', (text, nanos) => {
    expect(parseDuration(text, 'timeout')).toBe(nanos)
  })

  it.each([
    [
      '5',
      'failed to parse setting [timeout] with value [5] as a time value: unit is missing or unrecognized',
    ],
    [
      'abc',
      'failed to parse setting [timeout] with value [abc] as a time value: unit is missing or unrecognized',
    ],
    ['1.5s', 'failed to parse [1.5s], fractional time values are not supported'],
    [
      '-5s',
      'failed to parse setting [timeout] with value [-5s] as a time value: negative durations are not supported',
    ],
    ['xs', 'failed to parse [xs]'],
    [
      '',
      'failed to parse setting [timeout] with value [] as a time value: unit is missing or unrecognized',
    ],
  ])('refuses %s', (text, reason) => {
    expect(() => parseDuration(text, 'timeout')).toThrow(reason)
  })

  it('prints in the largest unit', () => {
    expect([0, 999, 1500, 320_000, 1.5e9, 90e9].map(durationText)).toEqual([
      '0s',
      '999nanos',
      '1.5micros',
      '320micros',
      '1.5s',
      '1.5m',
    ])
  })
})

describe('sizes', () => {
  it.each([
    ['512mb', 512 * 2 ** 20],
    ['56b', 56],
    ['1.5k', 1536],
    ['5GB', 5 * 2 ** 30],
    ['-1', -1],
    ['0', 0],
  ])('reads %s', (text, bytes) => {
    expect(parseSize(text, 's')).toBe(bytes)
  })

  it('refuses a size without a unit', () => {
    expect(() => parseSize('512', 's')).toThrow(
      'failed to parse setting [s] with value [512] as a size in bytes: unit is missing or unrecognized',
    )
  })

  it('prints in the largest unit', () => {
    expect([0, 1023, 1536, 5 * 2 ** 20].map(sizeText)).toEqual(['0b', '1023b', '1.5kb', '5mb'])
  })
})
