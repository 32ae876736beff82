import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AsciiSentenceBreaks } from '../../../../../src/engine/fetch/highlight/break/ascii-sentences.ts'
import { AsciiWordBreaks } from '../../../../../src/engine/fetch/highlight/break/ascii-words.ts'
import {
  IcuBreaks,
  segmenterOf,
  type TextBreaks,
} from '../../../../../src/engine/fetch/highlight/break/text-breaks.ts'

/** Texts in which every rule of the boundaries has its turn. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'abAB12.!? \n\r\t"\'(),-:;_/@\0\v\f\x7f'),
      fc.constantFrom(...'‘’“”–—\u00a0éÉßþÞ×÷ªº…'),
      fc.constantFrom(...'«»©®±µ²·¿\u00ad\u0085•→⇒∞≠√−'),
      fc.integer({ min: 0x80, max: 0x24ff }).map(unit => String.fromCharCode(unit)),
      fc.constantFrom('. ', 'é', '“', '\u2029', 'one', 'Two', '3.5', 'U.S. ', '\r\n'),
    ),
    { maxLength: 24 },
  )
  .map(parts => parts.join(''))

describe.each([
  ['sentence', AsciiSentenceBreaks],
  ['word', AsciiWordBreaks],
] as const)('%s breaks found in ASCII', (granularity, Breaks) => {
  it('are those of ICU, asked for in any order', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.integer({ min: -1, max: 60 }), { maxLength: 8 }),
        (text, at) => {
          const icu = new IcuBreaks(text, segmenterOf(null, granularity))
          const breaks: TextBreaks = new Breaks(text, icu)
          for (const offset of at) {
            expect(breaks.preceding(offset)).toBe(icu.preceding(offset))
            expect(breaks.following(offset)).toBe(icu.following(offset))
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('a segmenter', () => {
  it('of no known language is that of any', () => {
    const any = segmenterOf(null, 'word').resolvedOptions().locale
    for (const locale of ['', 'xx-yy-zz-yy', 'de_', '"', 'zz', 'a'.repeat(100)])
      expect(segmenterOf(locale, 'word').resolvedOptions().locale).toBe(any)
    expect(segmenterOf('de-DE', 'word').resolvedOptions().locale).toBe('de-DE')
    expect(segmenterOf('de_DE', 'word').resolvedOptions().locale).toBe('de-DE')
  })
})
