/**
 * Made by scripts/generate-classic-letters.mjs from the Unicode character database, version
 * 15.0.0: do not edit. The data are © Unicode, Inc., under the Unicode licence
 * (https://www.unicode.org/license.txt).
 */

const LETTERS =
  '1t p 7 p 1c 0 b 0 5 0 6 m 2 u 2 87 3 h t 2l 3 h 5 b f 4 8 0 2 0 3q 0 6 0 c 0 2 2 2 0 2 j 2 ' +
  '17 2 7 3 p d 3l b 1k 3 1 3 1 4 11 3 1 1k 11 3 0 8 12 21 q 6 2 1b p 6 a 13 2q 2 0 g 1 k 2 k 0 ' +
  '2 q 2c 11 9s 1g 4 0 j 0 8 9 10 7 3 1 3 l 2 6 2 0 4 3 z 1 2 2 f 1 k 5 5 1 3 l 2 6 2 1 2 1 2 1 ' +
  'w 3 2 0 k 2 h 6 2 0 2 2 2 l 2 6 2 1 2 4 4 0 j 0 g 0 11 7 3 1 3 l 2 6 2 1 3 3 4 0 v 1 2 2 y 0 ' +
  '2 5 4 2 2 3 4 1 2 0 2 1 4 1 4 2 4 7 2 2 24 7 2 2 2 m 2 9 2 4 13 1 10 7 2 2 2 m 2 9 2 4 11 0 ' +
  '2 1 10 7 2 2 2 m 2 f 13 1 10 h 4 n 2 8 2 0 3 6 1n 1b 2 1 d 6 1n 1 2 0 3 1 2 0 3 0 7 3 2 6 2 ' +
  '2 2 0 2 0 3 1 2 3 2 1 a 0 3 4 2 0 m 1 z 0 1s 7 2 x u 3 39 x 2 4 2 1 12 5 23 11 b 12 a 2h 6 ' +
  '1v 6 29 7 6 2 1q 2 0 2 3 3 6 2 0 2 3 3 12 2 0 2 3 3 u 2 0 2 3 3 6 2 0 2 3 3 6 2 6 2 m 2 u 2 ' +
  '0 2 3 3 6 2 12 2 i 1y 2c d h7 3 7 b p 6 22 46 1f 10 0 5 0 1w 2f 9 4 3 x 120 4b 5 2h 7 l 3 5 ' +
  '3 11 3 5 3 7 2 0 2 0 2 0 2 u 3 1g 2 6 2 0 4 2 2 6 4 3 3 5 5 c 6 2 2 6 3n 0 3n 0 5 0 3 9 2 0 ' +
  '4 4 7 0 2 0 2 0 2 3 2 a 2x8 1 17 4 70 2l i n ls9 wc 1h0 8mb 6zh 6 d 4 6 0 2 9 2 c 2 4 2 0 2 ' +
  '1 2 1 2 2z y a2 j 1r 3 1h 15 b 39 2 2 0 2 3q 11 p 7 p 1y u 4 5 3 5 3 5 3 2'

const DIGITS =
  '1c 9 17r 9 3r 9 h9 9 3b 9 3b 9 3b 9 3b 9 3c 8 3b 9 3b 9 3b 9 69 9 3b 9 1z 9 7r 9 1hz 9 13 9 ' +
  '19mf 9'

function ranges(packed: string): readonly number[] {
  let at = 0
  return packed.split(' ').map(text => {
    at += Number.parseInt(text, 36)
    return at
  })
}

/** Letters of Unicode 3.0 but Chinese and Japanese ones: from, to, from, to, … */
export const CLASSIC_LETTERS: readonly number[] = ranges(LETTERS)

/** Decimal digits of Unicode 3.0. */
export const CLASSIC_DIGITS: readonly number[] = ranges(DIGITS)
