/**
 * Made by scripts/generate-word-break.mjs from the Unicode character database, version
 * 15.0.0: do not edit. The data are © Unicode, Inc., under the Unicode licence
 * (https://www.unicode.org/license.txt).
 */

/** Version of Unicode that the tables follow. */
export const UNICODE_VERSION = '15.0.0'

/** Token types by the number that `STATE_TYPES` gives, from 1. */
export const TOKEN_TYPES: readonly string[] = [
  '',
  '<EMOJI>',
  '<NUM>',
  '<HANGUL>',
  '<KATAKANA>',
  '<ALPHANUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
]

/** Classes of code points, 0 … CLASS_COUNT − 1. */
export const CLASS_COUNT = 31

/** States of the automaton: 0 is dead, 1 the start. */
export const STATE_COUNT = 57

/** Per state, what type of token ends there: 0 none. Base 36. */
export const STATE_TYPES: string =
  '0 0 0 2 5 0 1 5 2 6 3 0 1 1 7 4 8 0 1 1 0 0 2 1 2 0 5 5 5 1 1 0 5 1 1 1 1 1 1 1 0 1 1 0 0 1 ' +
  '5 5 1 1 1 0 1 1 1 5 1'

/** Per state and class, the next state. Base 36. */
export const TRANSITIONS: string =
  '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 0 3 0 4 5 6 0 7 8 9 ' +
  '9 a b 0 c d e f g 0 0 e h i 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 0 2 0 2 j 0 0 0 0 0 0 k 2 0 0 2 ' +
  '2 0 0 0 l l l 8 0 4 m 0 3 7 8 0 3 4 3 n 4 0 0 0 0 8 o 3 0 0 3 3 0 0 0 p 0 p q p 4 r 0 4 7 q ' +
  '0 4 4 4 4 4 0 0 0 0 4 4 4 0 0 4 4 0 0 0 0 0 0 8 0 4 5 0 5 7 8 0 5 4 5 5 4 0 0 s 0 5 5 5 0 0 ' +
  '5 5 0 0 0 0 0 0 0 0 0 0 0 6 0 0 0 6 0 t 6 0 0 0 0 0 0 u 6 0 0 6 6 0 v 0 w 0 p q p 4 r 0 7 7 ' +
  'q 0 7 4 7 7 4 0 0 0 0 7 7 7 0 0 7 7 0 0 0 l l l 8 0 4 m 0 8 7 8 0 8 4 8 8 4 0 0 0 0 8 8 8 0 ' +
  '0 8 8 0 0 0 0 0 0 0 0 0 0 0 9 0 0 9 9 0 9 9 0 0 0 0 0 9 9 9 0 0 9 9 0 0 0 p 0 p q p 4 r 0 a ' +
  '7 q 0 a a a a 4 0 0 0 0 a a a 0 0 a a 0 0 0 0 0 0 0 0 0 0 6 0 0 0 0 0 0 b 0 6 d 0 0 0 0 0 0 ' +
  '0 0 0 0 0 0 0 p 0 p q p 4 r 0 c 7 q 0 c 4 x c 4 0 0 0 0 4 y c 0 0 c c 0 0 0 0 0 0 0 0 0 0 0 ' +
  'd 0 0 0 d 0 z d 0 0 0 0 0 0 u d 0 i d d 0 0 0 0 0 0 0 0 0 0 0 e 0 0 0 e 0 e e 0 0 0 0 0 e e ' +
  'e 0 0 e e 0 0 0 0 0 0 0 0 0 r 0 f 0 0 0 f 0 f f 0 0 0 f 0 f f f 0 0 f f 0 0 0 0 0 0 0 0 0 0 ' +
  '0 g 0 0 0 g 0 g g 0 0 0 0 0 g g g 0 0 g g 0 0 0 0 0 0 0 0 0 0 0 h 0 0 0 h 0 h h 0 0 0 0 0 h ' +
  'h h 10 0 h h 0 0 0 0 0 0 0 0 0 0 0 i 0 0 0 i 0 11 i 0 0 0 0 0 0 0 i 0 0 i i 0 0 0 0 0 0 0 0 ' +
  '0 0 0 j 0 0 0 j 0 j j 0 0 0 0 0 0 k j 0 0 j j 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 12 0 0 0 0 ' +
  '0 0 0 0 0 0 0 0 0 0 0 0 0 0 8 0 0 0 0 l 0 8 0 l 0 l l 0 0 0 0 0 l l l 0 0 l l 0 0 0 0 0 0 8 ' +
  '0 4 m 0 m 7 8 0 m 4 m m 4 0 0 s 0 m m m 0 0 m m 0 0 0 l l l 8 0 4 m 0 n 7 8 0 n 4 n n 4 0 0 ' +
  '0 0 8 o n 0 0 n n 0 0 0 l l l 8 0 4 m 0 8 7 8 0 8 4 8 13 4 0 0 0 0 8 8 8 0 0 8 8 0 0 0 0 0 0 ' +
  '0 0 4 0 0 p 4 0 0 p 4 p p 4 0 0 0 0 p p p 0 0 p p 0 0 0 14 14 14 q 0 4 r 0 q 7 q 0 q 4 q q 4 ' +
  '0 0 0 0 q q q 0 0 q q 0 0 0 0 0 0 q 0 4 r 0 r 7 q 0 r 4 r r 4 0 0 s 0 r r r 0 0 r r 0 0 0 0 ' +
  '0 0 0 0 0 r 0 s 0 0 0 s 0 s s 0 0 0 s 0 s s s 0 0 s s 0 0 0 0 0 0 0 0 0 0 15 6 0 0 0 6 0 t 6 ' +
  '15 16 0 0 0 0 u 6 0 i 6 6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 18 0 0 ' +
  '0 0 0 0 0 0 0 0 0 0 v w 0 0 v 0 v v 0 0 0 0 0 v v v 0 0 v v 0 0 0 0 0 0 q 0 4 r 0 w 7 q 0 w ' +
  '4 w w 4 0 0 0 0 w w w 0 0 w w 0 0 0 p 0 p q p 4 r 15 c 7 q 0 c 4 x c 19 16 0 0 0 4 y c 0 i c ' +
  'c 0 0 0 p 0 p q p 4 r 0 4 7 q 0 4 4 1a 4 4 0 0 0 0 4 4 4 0 0 1b 4 0 0 0 0 0 0 0 0 0 0 15 d 0 ' +
  '0 0 d 0 z d 15 16 0 0 0 0 u d 0 i d d 0 0 0 0 0 0 0 0 0 0 0 10 0 0 0 10 0 10 10 0 0 0 0 0 10 ' +
  '10 10 0 0 10 10 0 0 0 0 0 0 0 0 0 0 15 i 0 0 0 i 0 11 i 15 16 0 0 0 0 0 i 0 i i i 0 0 0 0 0 ' +
  '0 0 0 0 0 0 12 0 0 0 12 0 12 12 0 0 0 0 0 0 0 12 0 0 12 12 0 0 0 l l l 8 0 4 m 0 13 7 8 0 13 ' +
  '4 13 13 4 0 0 0 0 8 8 13 0 0 13 13 0 0 0 0 0 0 q 0 0 0 0 14 0 q 0 14 0 14 14 0 0 0 0 0 14 14 ' +
  '14 0 0 14 14 0 0 0 0 0 0 0 0 0 0 0 15 0 0 0 15 0 1c 15 0 0 0 0 0 0 1d 15 0 0 15 15 0 0 0 0 0 ' +
  '0 0 0 0 0 0 16 0 0 0 16 0 1e 16 0 0 0 0 0 0 1d 16 0 i 16 16 0 0 0 0 0 0 0 0 0 0 15 0 0 0 0 0 ' +
  '0 1f 0 15 16 0 0 0 0 0 0 0 i 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ' +
  '18 1g 0 0 0 p 0 p q p 4 r 0 19 7 q 0 19 4 1h 19 4 0 0 0 0 4 1i 19 0 0 19 19 0 0 0 p 0 p q p ' +
  '4 r 15 4 7 q 0 4 4 1j 4 19 16 0 0 0 4 4 4 0 i 4 4 0 0 0 p 0 p q p 4 r 0 4 7 q 0 4 4 4 4 4 0 ' +
  '0 0 0 4 4 4 0 0 1b 1k 0 0 0 0 0 0 0 0 0 0 15 15 0 0 0 15 0 1c 15 15 16 0 0 0 0 1d 15 0 i 15 ' +
  '15 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 15 16 ' +
  '0 0 0 16 0 1e 16 15 16 0 0 0 0 1d 16 0 i 16 16 0 0 0 0 0 0 0 0 0 0 15 0 0 0 0 0 0 1f 0 15 16 ' +
  '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 p 0 ' +
  'p q p 4 r 15 19 7 q 0 19 4 1h 19 19 16 0 0 0 4 1i 19 0 i 19 19 0 0 0 p 0 p q p 4 r 0 4 7 q 0 ' +
  '4 4 1a 4 4 0 0 0 0 4 4 4 0 0 4 4 0 0 0 p 0 p q p 4 r 15 4 7 q 0 4 4 1j 4 19 16 0 0 0 4 4 4 0 ' +
  '0 4 4 0 0 0 p 0 p q p 4 r 0 4 7 q 0 4 4 4 4 4 0 0 0 0 4 4 4 0 0 4 4'

/** Runs of code points with a class other than 0: distance from the run before, length, class. */
export const CLASS_RUNS: string =
  'y 1 1 0 1 2 3 1 3 2 1 2 1 1 4 1 1 5 1 a 6 0 1 7 0 1 4 5 q 8 4 1 9 1 q 8 1a 1 a 0 1 8 2 1 b 0 ' +
  '1 a 6 1 8 1 1 7 2 1 8 5 n 8 1 v 8 1 dc 8 6 y 8 0 34 b 0 5 8 1 2 8 2 4 8 0 1 4 0 1 8 6 1 8 0 ' +
  '1 7 0 3 8 1 1 8 1 k 8 1 2b 8 1 3v 8 1 7 b 0 4m 8 1 12 8 2 4 8 1 1 8 0 1 7 0 15 8 0 1 4 0 1 8 ' +
  '6 19 b 1 1 b 1 2 b 1 2 b 1 1 b 8 r c 4 4 c 0 1 8 0 1 7 b 6 b 6 2 4 2 b b 1 1 b 3 17 8 0 l b ' +
  '0 a d 1 1 d 0 1 4 1 2 8 0 1 b 0 2r 8 1 1 8 0 8 b 1 6 b 0 2 8 0 2 b 1 4 b 0 2 8 0 a d 0 3 8 2 ' +
  '1 8 f 1 b 0 1 8 0 1 b 0 u 8 0 r b 2 2h 8 0 b b 0 1 8 e a d 0 x 8 0 9 b 0 2 8 2 1 4 1 1 8 2 1 ' +
  'b 2 m 8 0 4 b 0 1 8 0 9 b 0 1 8 0 3 b 0 1 8 0 5 b i p 8 0 3 b 4 b 8 5 o 8 1 6 8 1 2 b 6 8 b ' +
  '0 16 8 0 1m b 0 1i 8 0 3 b 0 1 8 0 i b 0 1 8 0 7 b 0 a 8 0 2 b 2 a d 1 g 8 0 3 b 1 8 8 2 2 8 ' +
  '2 m 8 1 7 8 1 1 8 3 4 8 2 1 b 0 1 8 0 7 b 2 2 b 2 3 b 0 1 8 8 1 b 4 2 8 1 3 8 0 2 b 2 a d 0 ' +
  '2 8 a 1 8 1 1 b 2 3 b 1 6 8 4 2 8 2 m 8 1 7 8 1 2 8 1 2 8 1 2 8 2 1 b 1 5 b 4 2 b 2 3 b 3 1 ' +
  'b 7 4 8 1 1 8 7 a d 0 2 b 0 3 8 0 1 b b 3 b 1 9 8 1 3 8 1 m 8 1 7 8 1 2 8 1 5 8 2 1 b 0 1 8 ' +
  '0 8 b 1 3 b 1 3 b 2 1 8 f 2 8 0 2 b 2 a d 9 1 8 0 6 b 1 3 b 1 8 8 2 2 8 2 m 8 1 7 8 1 2 8 1 ' +
  '5 8 2 1 b 0 1 8 0 7 b 2 2 b 2 3 b 7 3 b 4 2 8 1 3 8 0 2 b 2 a d 1 1 8 g 1 b 0 1 8 1 6 8 3 3 ' +
  '8 1 4 8 3 2 8 1 1 8 1 2 8 3 2 8 3 3 8 3 c 8 4 5 b 3 3 b 1 4 b 2 1 8 6 1 b e a d g 5 b 0 8 8 ' +
  '1 3 8 1 n 8 1 g 8 2 1 b 0 1 8 0 7 b 1 3 b 1 4 b 7 2 b 1 3 8 2 1 8 2 2 8 0 2 b 2 a d g 1 8 0 ' +
  '3 b 1 8 8 1 3 8 1 n 8 1 a 8 1 5 8 2 1 b 0 1 8 0 7 b 1 3 b 1 4 b 7 2 b 6 2 8 1 2 8 0 2 b 2 a ' +
  'd 1 2 8 0 1 b c 4 b 0 9 8 1 3 8 1 15 8 0 2 b 0 1 8 0 7 b 1 3 b 1 4 b 0 1 8 5 3 8 0 1 b 7 3 8 ' +
  '0 2 b 2 a d a 6 8 1 3 b 1 i 8 3 o 8 1 9 8 1 1 8 2 7 8 3 1 b 4 6 b 1 1 b 1 8 b 6 a d 2 2 b d ' +
  '1c e 0 1 f 0 2 e 0 7 f 5 7 e 0 8 f 1 a d 13 2 e 1 1 e 1 5 e 1 o e 1 1 e 1 a e 0 1 f 0 2 e 0 ' +
  '9 f 0 1 e 2 5 e 1 1 e 1 7 f 1 a d 2 4 e w 1 8 n 2 b 6 a d b 1 b 1 1 b 1 1 b 4 2 b 0 8 8 1 10 ' +
  '8 4 k b 1 2 b 0 5 8 0 b b 1 10 b 9 1 b 1l 17 e 0 k f 0 1 e 0 a d 6 6 e 0 4 f 0 4 e 0 3 f 0 1 ' +
  'e 0 3 f 0 2 e 0 7 f 0 3 e 0 4 f 0 d e 0 c f 0 1 e 0 1 f 0 a d 0 4 f 0 2 e 0 12 8 1 1 8 5 1 8 ' +
  '2 17 8 1 4 8 0 74 g 0 21 8 1 4 8 2 7 8 1 1 8 1 4 8 2 15 8 1 4 8 2 x 8 1 4 8 2 7 8 1 1 8 1 4 ' +
  '8 2 f 8 1 1l 8 1 4 8 2 1v 8 2 3 b w g 8 g 2e 8 2 6 8 3 h8 8 2 h 8 1 q 8 5 23 8 3 b 8 7 i 8 0 ' +
  '4 b 9 j 8 0 3 b b i 8 0 2 b c d 8 1 3 8 1 2 b c 1g e 0 w f 3 1 e 4 1 e 0 1 f 2 a d x 5 b 0 a ' +
  'd 6 2h 8 7 5 8 0 2 b 0 y 8 0 1 b 0 1 8 5 1y 8 a v 8 1 c b 4 c b a a d 0 u e 2 5 e b 18 e 4 q ' +
  'e 6 a d 0 1 e 3 2 e w n 8 0 5 b 4 1h e 0 a f 1 t f 2 1 b 0 a d 6 a d 6 e e 2 v b 1d 5 b 0 1b ' +
  '8 0 h b 0 8 8 3 a d h 9 b c 3 b 0 u 8 0 d b 0 2 8 0 a d 0 18 8 0 e b c 10 8 0 k b 8 a d 3 3 ' +
  '8 0 a d 0 10 8 2 9 8 7 17 8 2 3 8 g 3 b 1 l b 0 4 8 0 1 b 0 6 8 0 1 b 0 2 8 0 3 b 0 1 8 5 5c ' +
  '8 0 1s b 0 7q 8 2 6 8 2 12 8 2 6 8 2 8 8 1 1 8 1 1 8 1 1 8 1 v 8 2 1h 8 1 7 8 1 1 8 3 3 8 1 ' +
  '7 8 3 4 8 2 6 8 4 d 8 5 3 8 1 7 8 f 1 b 0 1 h 0 2 b 8 2 5 a 1 5 2 1 7 2 5 b 0 1 9 c 1 a 2 2 ' +
  '9 3 1 4 4 1 a a 1 9 b 5 b 1 a b 1 1 8 d 1 8 g d 8 1f j b 0 1 i 0 d b h 1 8 4 1 8 2 a 8 1 1 8 ' +
  '3 5 8 4 1 a 1 1 8 1 1 8 1 1 8 1 4 8 1 a 8 0 1 j 2 4 8 5 5 8 4 1 8 h 15 8 b 6 a f 2 a a7 2 a ' +
  'c 1 a 2n 1 a 1y 1 a p b a 4 3 a 57 c 8 0 1 j 0 13 8 5c 2 a a 1 a 9 1 a 1m 4 a 1 6 a 1 c a 1 ' +
  '9 a 0 1 k 0 2w a a 2x a 0 1 k 0 c a 2 2 a 0 4 k 0 5 a 1 1 a 1 1 a 6 1 a 3 1 a 6 1 a a 2 a f ' +
  '1 a 2 1 a 4 1 a 1 1 a 4 3 a 1 1 a b 5 a 19 3 a 9 1 a e 1 a e 1 a ac 2 a cv 3 a j 2 a 1f 1 a ' +
  '4 1 a 4q 6d 8 6 4 8 0 3 b 0 2 8 c 12 8 1 1 8 5 1 8 2 1k 8 7 1 8 f 1 b 0 n 8 9 7 8 1 7 8 1 7 ' +
  '8 1 7 8 1 7 8 1 7 8 1 7 8 1 7 8 1 w b 1b 1 8 28 q l 1 2h l c 5y l 1b 1 8 1 1 l p 9 l 0 6 b 0 ' +
  '1 a 0 5 m 2 3 l 0 2 8 0 1 a 3 2e n 2 2 b 0 2 m 0 3 n 0 2j m 1 4 m 5 17 8 1 2m g h w 8 1c g m ' +
  '47 1 a 1 1 a 1i 1b m 1 2g m 4o 534 l 1s g74 l 0 wd 8 1v 1a 8 2 7h 8 3 g 8 0 a d 0 2 8 k 1b 8 ' +
  '0 4 b 1 a b 1 v 8 0 2 b 0 28 8 0 2 b m 5f 8 5 2 8 1 1 8 1 5 8 o g 8 0 1 b 0 3 8 0 1 b 0 4 8 ' +
  '0 1 b 0 n 8 0 5 b 4 1 b j 1g 8 c 2 b 0 1e 8 0 i b a a d 6 i b 0 6 8 3 1 8 1 2 8 0 1 b 0 a d ' +
  '0 s 8 0 8 b 2 n 8 0 d b c t g 3 4 b 0 1b 8 0 e b e 1 8 0 a d 6 5 e 0 1 f 0 a e 0 a d 0 5 e 1 ' +
  '15 8 0 e b 9 3 8 0 1 b 0 8 8 0 2 b 2 a d 6 r e 0 3 f 0 1e e 0 1 f 0 1 e 0 3 f 0 2 e 0 2 f 0 ' +
  '5 e 0 2 f 0 1 e 0 1 f 0 1 e o 5 e 0 b 8 0 5 b 2 3 8 0 2 b a 6 8 2 6 8 2 6 8 9 7 8 1 7 8 1 1m ' +
  '8 6 37 8 0 8 b 1 2 b 2 a d 6 8mc g c n g 4 1d g 6is a6 l 2 2y l 12 7 8 c 5 8 5 1 c 0 1 b 0 a ' +
  'c 1 d c 1 5 c 1 1 c 1 2 c 1 2 c 1 a c 0 2q 8 x a3 8 i 1s 8 2 1i 8 14 c 8 4 e b 0 1 o 0 1 p 0 ' +
  '1 4 2 1 7 0 1 4 b g b 3 2 9 o 3 9 0 1 4 1 1 5 1 1 4 0 1 7 q 5 8 1 3r 8 2 1 b 7 1 5 4 1 4 1 1 ' +
  '5 1 a d 0 1 7 0 1 4 5 q 8 4 1 9 1 q 8 b 1k m 0 2 b 0 v g 3 6 g 2 6 g 2 6 g 2 3 g s 3 b 4 c 8 ' +
  '1 q 8 1 j 8 1 2 8 1 f 8 2 e 8 y 3f 8 1x 1h 8 3s 1 b 3m t 8 3 1d 8 f 1 b v w 8 d u 8 5 12 8 0 ' +
  '5 b 5 u 8 2 10 8 4 8 8 1 5 8 16 4e 8 2 a d 6 10 8 4 10 8 4 14 8 8 1g 8 c b 8 1 f 8 1 7 8 1 2 ' +
  '8 1 b 8 1 f 8 1 7 8 1 2 8 1v 8n 8 9 m 8 a 8 8 o 6 8 1 16 8 1 9 8 1x 6 8 2 1 8 1 18 8 1 2 8 3 ' +
  '1 8 2 n 8 a n 8 9 v 8 1t j 8 1 2 8 a m 8 a q 8 1y 1k 8 6 2 8 1s 1 8 0 3 b 1 2 b 5 4 b 0 4 8 ' +
  '1 3 8 1 t 8 2 3 b 4 1 b w t 8 3 t 8 z 8 8 1 s 8 0 2 b p 1i 8 a m 8 a j 8 d i 8 32 21 8 1j 1f ' +
  '8 d 1f 8 d 10 8 0 4 b 8 a d 92 16 8 1 2 b 3 2 8 23 3 b 0 t 8 a 1 8 8 m 8 0 b b v i 8 0 4 b ' +
  '16 l 8 r n 8 9 3 b 0 1h 8 0 f b v a d 0 1 b 0 2 8 0 2 b 0 1 8 9 4 b 0 19 8 0 b b 2 1 b 4 1 b ' +
  'a 1 b 2 p 8 7 a d 6 3 b 0 10 8 0 e b 1 a d 4 1 8 0 2 b 0 1 8 8 z 8 0 1 b 2 1 8 9 3 b 0 1c 8 ' +
  '0 e b 0 4 8 4 4 b 1 2 b 0 a d 0 1 8 1 1 8 z i 8 1 p 8 0 c b 6 1 b 0 2 8 0 1 b 1q 7 8 1 1 8 1 ' +
  '4 8 1 f 8 1 a 8 7 1b 8 0 c b 5 a d 6 4 b 1 8 8 2 2 8 2 m 8 1 7 8 1 2 8 1 5 8 1 2 b 0 1 8 0 7 ' +
  'b 2 2 b 2 3 b 2 1 8 6 1 b 5 5 8 0 2 b 2 7 b 3 5 b 3v 1h 8 0 i b 0 4 8 5 a d 4 1 b 0 3 8 u 1c ' +
  '8 0 k b 0 2 8 1 1 8 8 a d 4m 1b 8 0 7 b 2 9 b n 4 8 0 2 b y 1c 8 0 h b 3 1 8 b a d 12 17 8 0 ' +
  'd b 0 1 8 7 a d 1i r e 2 f f 4 a d 0 2 e 3 8 e 55 18 8 0 f b 2t 1s 8 0 a d l 8 8 2 1 8 2 8 8 ' +
  '1 2 8 1 o 8 0 6 b 1 2 b 2 4 b 0 1 8 0 1 b 0 1 8 0 2 b c a d 1y 8 8 2 13 8 0 7 b 2 7 b 0 1 8 ' +
  '1 1 8 0 1 b r 1 8 0 a b 0 14 8 0 7 b 0 1 8 0 4 b 8 1 b 8 1 8 0 b b 0 1a 8 0 g b 3 1 8 i 21 8 ' +
  '7b 9 8 1 11 8 0 8 b 1 8 b 0 1 8 f a d o u 8 2 m b 1 e b 21 7 8 1 2 8 1 12 8 0 6 b 3 1 b 1 2 ' +
  'b 1 7 b 0 1 8 0 1 b 8 a d 6 6 8 1 2 8 1 w 8 0 5 b 1 2 b 1 5 b 0 1 8 7 a d 8m j 8 0 4 b 9 2 b ' +
  '0 1 8 0 1 b 0 d 8 1 y 8 0 7 b 3 5 b d a d 2e 1 8 27 pm 8 2u 33 8 h 5g 8 218 2p 8 f ts 8 0 h ' +
  'b 0 6 8 0 f b 33e g7 8 6nt ft 8 7 v 8 1 a d 6 27 8 1 a d 6 u 8 2 5 b b 1c 8 0 7 b 9 4 8 c a ' +
  'd 9 l 8 5 j 8 j4 1s 8 3k 23 8 4 1 b 0 1 8 0 1j b 7 4 b 0 d 8 1s 2 8 0 1 l 0 1 8 0 1 b b 2 q ' +
  'cn2 4 m 1 7 m 1 2 m 1 1 m 0 7z n 0 3 m f 1 n t 3 n 2 1 m e 4 m 23c 2z 8 5 d 8 3 9 8 7 a 8 3 ' +
  '2 b 1 4 b 3mk 1a b 2 n b f2 5 b 3 m b 2 7 b u 4 b 44 3 b cb 2d 8 1 1z 8 1 2 8 2 1 8 2 2 8 2 ' +
  '4 8 1 c 8 1 1 8 1 7 8 1 1t 8 1 4 8 2 8 8 1 7 8 1 s 8 1 4 8 1 5 8 1 1 8 3 7 8 1 9g 8 2 p 8 1 ' +
  'p 8 1 v 8 1 p 8 1 v 8 1 p 8 1 v 8 1 p 8 1 v 8 1 p 8 1 8 8 2 1e d e8 1j b 4 1e b 8 1 b e 1 b ' +
  'm 5 b 1 f b uo v 8 6 6 8 5x 7 b 1 h b 2 7 b 1 2 b 1 5 b 5 1q 8 x 1 b 34 19 8 3 7 b 0 7 8 2 a ' +
  'd 4 1 8 8x u 8 0 1 b h 18 8 0 4 b 0 a d d2 s 8 0 4 b 0 a d km 7 8 1 4 8 1 2 8 1 f 8 1 5h 8 b ' +
  '7 b 15 1w 8 0 7 b 0 1 8 4 a d x2 4 8 1 r 8 1 2 8 1 1 8 2 1 8 1 a 8 1 4 8 1 1 8 1 1 8 6 1 8 4 ' +
  '1 8 1 1 8 1 1 8 1 3 8 1 2 8 1 1 8 2 1 8 1 1 8 1 1 8 1 1 8 1 1 8 1 2 8 1 1 8 2 4 8 1 7 8 1 4 ' +
  '8 1 4 8 1 1 8 1 a 8 1 h 8 5 3 8 1 5 8 1 h 8 90 74 a d 3 a v 1 a 0 q 8 6 q 8 2 4 a 0 2 j 0 c ' +
  '8 0 2 j 0 a 8 4 1 a 2 a a i 1l a 0 q r 0 1 n 0 f a a 1 a k 1 a 2 9 a 1 4 a 9 8s a 0 1 k 0 1o ' +
  'a 0 3 k 0 2 a 0 1 k 0 2 a 0 3 k 0 1a a 0 5 s 0 1u a 0 2 k 0 2 a 0 b k 0 l a 0 j k 0 3 a 0 1 ' +
  'k 0 4 a 0 3 k 0 1 a 0 3 k 0 7 a 0 1 k 0 1 a 0 1 k 0 o a 0 1 k 0 43 a 8 1a a 0 2 k 0 4 a 0 1 ' +
  'k 0 l a 0 1 k 0 4 a 0 2 k 0 4u a 0 3 k 0 3 a 0 5 k 1c z a 0 1 k 0 g a 0 3 k 0 9 a 0 1 k 0 b ' +
  'a 0 1 k 0 1f a 38 c a 2d 17 a c 4 a 1k 8 a a 6 a 14 8 a u 2a a c 1 k 0 2 a 0 1 k 0 8 a 0 8 k ' +
  '0 6 a 0 1 k 0 9 a 0 a k 0 1 a 1 3 k 0 7 a 1 1c a 0 1 k 0 1p a 0 2 k 0 1 a 0 2 k 0 1 a 0 1 k ' +
  '0 h a 0 3 k 0 1 a 0 d k 0 6d a 0 3 k 0 16 a 0 9 k 0 7 a 6o a d 6 se a 2 wyo l w 37e l 6 66 l ' +
  '2 4g2 l e 5rl l 2e7 f2 l 15u 3t7 l 5 38g l f975 1 b u 2n t 0 1 u 3k 6o b'

/** Simple lower-case mappings: start, count, step, 2 · |shift| + (shift < 0). Base 36. */
export const LOWER_RUNS: string =
  '1t q 1 1s 5c n 1 1s 60 7 1 1s 74 o 2 2 8g 1 1 b3 8i 3 2 2 8p 8 2 2 96 n 2 2 ag 1 1 6r ah 3 2 ' +
  '2 ap 1 1 bo aq 2 2 2 au 1 1 bg av 1 1 2 ax 2 1 be az 1 1 2 b2 1 1 4e b3 1 1 b8 b4 1 1 ba b5 ' +
  '1 1 2 b7 1 1 be b8 1 1 bi ba 1 1 bq bb 1 1 bm bc 1 1 2 bg 1 1 bq bh 1 1 bu bj 1 1 bw bk 3 2 ' +
  '2 bq 1 1 c4 br 1 1 2 bt 1 1 c4 bw 1 1 2 by 1 1 c4 bz 1 1 2 c1 2 1 c2 c3 2 2 2 c7 1 1 c6 c8 1 ' +
  '1 2 cc 1 1 2 ck 1 1 4 cl 1 1 2 cn 1 1 4 co 1 1 2 cq 1 1 4 cr 9 2 2 da 9 2 2 dt 1 1 4 du 2 2 ' +
  '2 dy 1 1 5f dz 1 1 35 e0 k 2 2 f4 1 1 79 f6 9 2 2 fu 1 1 gnq fv 1 1 2 fx 1 1 93 fy 1 1 gnk ' +
  'g1 1 1 2 g3 1 1 av g4 1 1 3u g5 1 1 3y g6 5 2 2 og 2 2 2 om 1 1 2 ov 1 1 6g p2 1 1 24 p4 3 1 ' +
  '22 p8 1 1 3k pa 2 1 3i pd h 1 1s pv 9 1 1s r3 1 1 g rc c 2 2 s4 1 1 3d s7 1 1 2 s9 1 1 f sa ' +
  '1 1 2 sd 3 1 79 sg g 1 4g sw w 1 1s v4 h 2 2 wa r 2 2 xs 1 1 u xt 7 2 2 y8 1c 2 2 10x 12 1 ' +
  '2o 3a8 12 1 b7k 3bb 1 1 b7k 3bh 1 1 b7k 3vk 28 1 1nz4 3xs 6 1 g 5n4 17 1 4n5 5od 3 1 4n5 5xc ' +
  '23 2 2 61q 1 1 br3 61s 1c 2 2 64o 8 1 h 654 6 1 h 65k 8 1 h 660 8 1 h 66g 6 1 h 66x 4 2 h ' +
  '67c 8 1 h 688 8 1 h 68o 8 1 h 694 8 1 h 69k 2 1 h 69m 2 1 45 69o 1 1 j 6a0 4 1 4t 6a4 1 1 j ' +
  '6ag 2 1 h 6ai 2 1 5l 6aw 2 1 h 6ay 2 1 69 6b0 1 1 f 6bc 2 1 75 6be 2 1 71 6bg 1 1 j 6jq 1 1 ' +
  'bln 6ju 1 1 cxr 6jv 1 1 cr1 6k2 1 1 1k 6lc g 1 w 6mb 1 1 2 792 q 1 1g 8ow 1c 1 2o 8rk 1 1 2 ' +
  '8rm 1 1 gkv 8rn 1 1 5vx 8ro 1 1 gjz 8rr 3 2 2 8rx 1 1 gmx 8ry 1 1 gl7 8rz 1 1 gn3 8s0 1 1 ' +
  'gn1 8s2 1 1 2 8s5 1 1 2 8se 2 1 gov 8sg 1e 2 2 8vf 2 2 2 8vm 1 1 2 wu8 n 2 2 ww0 e 2 2 x0i 7 ' +
  '2 2 x0y v 2 2 x2x 2 2 2 x31 1 1 1iix x32 5 2 2 x3f 1 1 2 x3h 1 1 1t8x x3k 2 2 2 x3q a 2 2 ' +
  'x4a 1 1 1tah x4b 1 1 1tb3 x4c 1 1 1tav x4d 1 1 1tab x4e 1 1 1tah x4g 1 1 1t7p x4h 1 1 1t91 ' +
  'x4i 1 1 1t7v x4j 1 1 1fk x4k 8 2 2 x50 1 1 2p x51 1 1 1taf x52 1 1 1ilt x53 2 2 2 x5c 1 1 2 ' +
  'x5i 2 2 2 x6d 1 1 2 1ee9 q 1 1s 1fcw 14 1 28 1fhs 10 1 28 1fn4 b 1 26 1fng f 1 26 1fnw 7 1 ' +
  '26 1fo4 2 1 26 1h1c 1f 1 3k 1jfk w 1 1s 20cg w 1 1s 2olc y 1 1w'

/** Simple upper-case mappings, the same way. */
export const UPPER_RUNS: string =
  '2p q 1 1t 51 1 1 15a 68 n 1 1t 6w 7 1 1t 73 1 1 6q 75 o 2 3 8h 1 1 cx 8j 3 2 3 8q 8 2 3 97 n ' +
  '2 3 ai 3 2 3 an 1 1 gp ao 1 1 au ar 2 2 3 aw 1 1 3 b0 1 1 3 b6 1 1 3 b9 1 1 5e bd 1 1 3 be 1 ' +
  '1 92 bi 1 1 78 bl 3 2 3 bs 1 1 3 bx 1 1 3 c0 1 1 3 c4 2 2 3 c9 1 1 3 cd 1 1 3 cf 1 1 34 cl 1 ' +
  '1 3 cm 1 1 5 co 1 1 3 cp 1 1 5 cr 1 1 3 cs 1 1 5 cu 8 2 3 d9 1 1 4f db 9 2 3 du 1 1 3 dv 1 1 ' +
  '5 dx 1 1 3 e1 k 2 3 f7 9 2 3 fw 1 1 3 fz 2 1 gou g2 1 1 3 g7 5 2 3 gg 1 1 gn2 gh 1 1 gmw gi ' +
  '1 1 gn0 gj 1 1 bp gk 1 1 bh gm 2 1 bf gp 1 1 b9 gr 1 1 bb gs 1 1 1tb2 gw 1 1 bf gx 1 1 1tau ' +
  'gz 1 1 bj h1 1 1 1t8w h2 1 1 1tag h4 1 1 bn h5 1 1 br h6 1 1 1tag h7 1 1 gku h8 1 1 1taa hb ' +
  '1 1 br hd 1 1 gl6 he 1 1 bv hh 1 1 bx hp 1 1 gjy hs 1 1 c5 hu 1 1 1tae hv 1 1 c5 hz 1 1 1t90 ' +
  'i0 1 1 c5 i1 1 1 3v i2 2 1 c3 i4 1 1 3z ia 1 1 c7 il 1 1 1t7u im 1 1 1t7o n9 1 1 4o oh 2 2 3 ' +
  'on 1 1 3 or 3 1 78 q4 1 1 25 q5 3 1 23 q9 h 1 1t qq 1 1 1r qr 9 1 1t r0 1 1 3l r1 2 1 3j r4 ' +
  '1 1 3h r5 1 1 37 r9 1 1 2n ra 1 1 31 rb 1 1 h rd c 2 3 s0 1 1 4t s1 1 1 4h s2 1 1 e s3 1 1 ' +
  '6h s5 1 1 5d s8 1 1 3 sb 1 1 3 ts w 1 1t uo g 1 4h v5 h 2 3 wb r 2 3 xu 7 2 3 y7 1 1 v y9 1c ' +
  '2 3 129 12 1 2p 3bk 17 1 4n4 3ct 3 1 4n4 3y0 6 1 h 5mo 1 1 9nh 5mp 1 1 9nf 5mq 1 1 9mx 5mr 2 ' +
  '1 9mt 5mt 1 1 9mv 5mu 1 1 9mh 5mv 1 1 9jf 5mw 1 1 1if8 5tl 1 1 1iiw 5tp 1 1 5vw 5u6 1 1 1ils ' +
  '5xd 23 2 3 61n 1 1 3b 61t 1c 2 3 64g 8 1 g 64w 6 1 g 65c 8 1 g 65s 8 1 g 668 6 1 g 66p 4 2 g ' +
  '674 8 1 g 67k 2 1 44 67m 4 1 4s 67q 2 1 5k 67s 2 1 74 67u 2 1 68 67w 2 1 70 680 8 1 g 68g 8 ' +
  '1 g 68w 8 1 g 69c 2 1 g 69f 1 1 i 69q 1 1 b4b 69v 1 1 i 6a8 2 1 g 6ao 2 1 g 6at 1 1 e 6b7 1 ' +
  '1 i 6ku 1 1 1l 6ls g 1 x 6mc 1 1 3 79s q 1 1h 8q8 1c 1 2p 8rl 1 1 3 8rp 1 1 gnr 8rq 1 1 gnl ' +
  '8rs 3 2 3 8s3 1 1 3 8s6 1 1 3 8sh 1e 2 3 8vg 2 2 3 8vn 1 1 3 8w0 12 1 b7l 8x3 1 1 b7l 8x9 1 ' +
  '1 b7l wu9 n 2 3 ww1 e 2 3 x0j 7 2 3 x0z v 2 3 x2y 2 2 3 x33 5 2 3 x3g 1 1 3 x3l 2 2 3 x3o 1 ' +
  '1 2o x3r a 2 3 x4l 8 2 3 x54 2 2 3 x5d 1 1 3 x5j 2 2 3 x6e 1 1 3 xub 1 1 1fl xv4 28 1 1nz5 ' +
  '1ef5 q 1 1t 1fe0 14 1 29 1fiw 10 1 29 1fo7 b 1 27 1foj f 1 27 1foz 7 1 27 1fp7 2 1 27 1h34 ' +
  '1f 1 3l 1jgg w 1 1t 20dc w 1 1t 2oma y 1 1x'

/** Runs of letters (general category L): distance from the run before, length. Base 36. */
export const LETTER_RUNS: string =
  '1t q 6 q 1b 1 a 1 4 1 5 n 1 v 1 cq 4 c e 5 7 1 1 1 3l 5 1 2 2 4 1 1 6 1 1 3 1 1 1 k 1 2b 1 ' +
  '3v 8 4m 1 12 2 1 6 15 1z r 4 4 19 17 z 2 1 2r 1 1 f 2 7 2 a 3 2 1 g 1 1 u t 2h b 1 o x 9 2 4 ' +
  '1 5 m 4 1 9 1 3 1 n p 7 b 5 o 1 6 h 16 1m 1i 3 1 i 1 7 a f g 4 8 2 2 2 m 1 7 1 1 3 4 3 1 g 1 ' +
  'd 2 1 3 e 2 a 1 8 6 4 2 2 m 1 7 1 2 1 2 1 2 v 4 1 1 j 3 g 9 1 3 1 m 1 7 1 2 1 5 3 1 i 1 f 2 ' +
  'n 1 b 8 2 2 2 m 1 7 1 2 1 5 3 1 u 2 1 3 f 1 h 1 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c m 1 1g 8 ' +
  '1 3 1 n 1 g 3 1 q 3 2 1 2 2 u 1 4 8 1 3 1 n 1 a 1 5 3 1 v 2 1 2 f 2 h 9 1 3 1 15 2 1 g 1 5 3 ' +
  '8 3 o 6 5 i 3 o 1 9 1 1 2 7 1m 1c 1 2 c 7 1m 2 1 1 1 5 1 o 1 1 1 a 1 2 9 1 2 5 1 1 l 4 w 1 ' +
  '1r 8 1 10 r 5 37 17 k 1 g 6 4 4 3 1 3 2 7 3 4 d c 1 h 12 1 1 5 1 2 17 1 99 1 4 2 7 1 1 1 4 2 ' +
  '15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 11 g g 2e 2 6 3 h8 2 h 1 q 5 23 6 8 7 i d j e i ' +
  'e d 1 3 f 1g z 1 4 1 1v 2h 7 5 2 y 1 1 5 1y a v 1d u 2 5 b 18 4 q 1i n 9 1h 2a 1 2l 1b h 8 ' +
  '1i u d 2 a 18 q 10 15 3 a 10 2 9 7 17 2 3 15 4 1 6 1 2 3 1 5 5c 1s 7q 2 6 2 12 2 6 2 8 1 1 1 ' +
  '1 1 1 1 v 2 1h 1 7 1 1 3 3 1 7 3 4 2 6 4 d 5 3 1 7 38 1 d 1 g d 2t 1 4 1 2 a 1 1 3 5 6 1 1 1 ' +
  '1 1 1 4 1 b 2 4 5 5 4 1 1g 2 22j 6d 6 4 3 2 c 12 1 1 5 1 2 1k 7 1 g n 9 7 1 7 1 7 1 7 1 7 1 ' +
  '7 1 7 1 7 28 1 d1 2 16 5 5 2 4 2e 6 3 1 2i 1 4 5 17 1 2m h w 1c g e8 534 1s h3h 1v 1a 2 7h 3 ' +
  'g a 2 k 1b g v 2 1y 1d 9 2 2v 2 1s 5 2 1 1 1 5 o g 1 3 1 4 1 n t 1g e 1e 1q 6 3 1 1 2 b s a ' +
  'n p t 7 1b s 1 g 5 1 a a 5 1 15 n 3 1 8 k n 3 1 3 1e 1 1 3 2 2 5 2 1 1 1 o 3 2 b 7 3 c 6 2 6 ' +
  '2 6 9 7 1 7 1 17 1 e 6 37 t 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 1 1 a 1 d 1 5 1 1 1 2 1 2 1 ' +
  '30 x a3 i 1s 2 1i 14 c 38 5 1 3r 10 q 6 q b 2h 3 6 2 6 2 6 2 3 z c 1 q 1 j 1 2 1 f 2 e y 3f ' +
  'at t 3 1d 1b w d k 1 8 6 12 a u 2 10 4 8 1c 4e i 10 4 10 4 14 8 1g c b 1 f 1 7 1 2 1 b 1 f 1 ' +
  '7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n a n 9 v 1t j 1 2 a m a q 1y 1k 6 ' +
  '2 1s 1 f 4 1 3 1 t 16 t 3 t z 8 1 s r 1i a m a j d i 32 21 1j 1f d 1f d 10 9o 16 6 2 26 t a ' +
  '1 8 m 16 i 1a l r n c 1h 1l 2 2 1 d 19 w p q 10 t 1 2 1 8 z 3 1 c 1c e 4 l 1 1 1 z i 1 p j 2 ' +
  '1r 7 1 1 1 4 1 f 1 a 7 1b 12 8 2 2 2 m 1 7 1 2 1 5 3 1 i 1 c 5 4e 1h i 4 k 3 u 1c k 2 1 1 54 ' +
  '1b 15 4 10 1c k 1 1n 17 d 1 1z r 11 7 55 18 38 1s v 8 2 1 2 8 1 2 1 o f 1 1 1 2m 8 2 13 g 1 ' +
  '1 1 s 1 a 14 7 1 l 1 b 1a j 1 i 21 7b 9 1 11 h 1 1d u 34 7 1 2 1 12 l 1 p 6 1 2 1 w e 1 93 j ' +
  'f 1 1 d 1 y 3g 1 27 pm 6e 5g 218 2p f ts h 6 33t g7 6nt ft 7 v h 27 h u i 1c g 4 v l 5 j j4 ' +
  '1s 3k 23 5 1 1u d 1s 2 1 1 s 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 ' +
  'd 3 9 7 a 4me 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g ' +
  '2 p 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 8 1f8 v 6 6 79 1q 42 19 a 7 g 1 8x u i 18 dg s l0 ' +
  '7 1 4 1 2 1 f 1 5h 1n 1w 7 1 xg 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 ' +
  '1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 3es wyo w 37e 6 66 2 ' +
  '4g2 e 5rl 2e7 f2 15u 3t7 5 38g'

/** Code points that `Character.isWhitespace` of Java holds for. Base 36. */
export const BLANKS: string =
  '9 a b c d s t u v w 4g0 6bk 6bl 6bm 6bn 6bo 6bp 6bq 6bs 6bt 6bu 6co 6cp 6e7 9hc'
