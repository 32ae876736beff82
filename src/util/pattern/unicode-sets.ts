/** The character sets that Java's predefined classes stand for under `UNICODE_CHARACTER_CLASS`. */
import type { CharSet } from './character-sets.ts'

/** `\d`. */
export const UNICODE_DIGIT: CharSet = matching('\\p{Nd}')
/** `\s`. */
export const UNICODE_SPACE: CharSet = matching('\\p{White_Space}')
/** `\w`, and what `\b` takes for a character of a word. */
export const UNICODE_WORD: CharSet = matching(
  '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]',
)

/** The POSIX classes by name; that of ASCII characters is the same. */
export const UNICODE_POSIX: Readonly<Record<string, CharSet>> = Object.assign(Object.create(null), {
  Lower: matching('\\p{Lowercase}'),
  Upper: matching('\\p{Uppercase}'),
  Alpha: matching('\\p{Alphabetic}'),
  Digit: UNICODE_DIGIT,
  Alnum: matching('[\\p{Alphabetic}\\p{Nd}]'),
  Punct: matching('\\p{P}'),
  Graph: matching('[^\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Cn}]'),
  Print: matching('(?!\\p{Cc})(?:[^\\p{White_Space}\\p{Cs}\\p{Cn}]|[\\t\\p{Zs}])'),
  Blank: matching('[\\t\\p{Zs}]'),
  Cntrl: matching('\\p{Cc}'),
  XDigit: matching('[\\p{Nd}\\p{Hex_Digit}]'),
  Space: UNICODE_SPACE,
})

function matching(source: string): CharSet {
  const shape = new RegExp(`^${source}$`, 'u')
  return point => shape.test(String.fromCodePoint(point))
}
