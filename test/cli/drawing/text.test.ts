import { describe, expect, it } from 'vitest'
import {
  bytesText,
  countedText,
  countText,
  cut,
  nanosText,
  pad,
  printable,
  widthOf,
} from '../../../src/cli/drawing/text.ts'

describe('text on a terminal', () => {
  it('shows durations, sizes and counts with three digits', () => {
    expect([0, 950, 1_000, 12_340, 999_999, 1_234_567, 61e9].map(nanosText)).toEqual([
      '0 ns',
      '950 ns',
      '1.00 µs',
      '12.3 µs',
      '1000 µs',
      '1.23 ms',
      '61.0 s',
    ])
    expect([0, 1023, 1024, 13_592_598].map(bytesText)).toEqual([
      '0 B',
      '1023 B',
      '1.00 KiB',
      '13.0 MiB',
    ])
    expect([0, 999, 1000, 1_234_567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567'])
  })

  it('counts one thing and many', () => {
    const counts = [0, 1, 2, 1_000].map(count => countedText(count, 'file'))
    expect(counts).toEqual(['0 files', '1 file', '2 files', '1,000 files'])
  })

  it('lets nothing through that moves the cursor or turns text around', () => {
    expect(printable('a\u001b[2Jb\r\nc\u202ed\u0007')).toBe('a [2Jb c d ')
  })

  it('counts columns, not characters', () => {
    expect(widthOf('日本')).toBe(4)
    expect(widthOf('e\u0301')).toBe(1)
    expect(widthOf('\u001b[31mred\u001b[39m')).toBe(3)
    expect(cut('日本語テキスト', 7)).toBe('日本語…')
    expect(cut('short', 10)).toBe('short')
    expect(pad('日', 4)).toBe('日  ')
    expect(pad('7', 3, 'left')).toBe('  7')
  })
})
