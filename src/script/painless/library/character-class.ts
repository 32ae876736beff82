import { illegalArgument } from '../../java-faults.ts'
import { CharacterValue } from '../../value/character-value.ts'
import { ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'
import { digitOf } from './parse-number.ts'

/** A question about a code point. */
const matches =
  (pattern: RegExp) =>
  (_run: unknown, _receiver: unknown, point: number): boolean =>
    point >= 0 && point <= 0x10ffff && pattern.test(String.fromCodePoint(point))

/** A unit in another case; itself where its form is longer than one. */
const mapped =
  (of: (text: string) => string) =>
  (_run: unknown, _receiver: unknown, unit: number): number => {
    const text = of(String.fromCharCode(unit))
    return text.length === 1 ? text.charCodeAt(0) : unit
  }

/** `Character`. Questions are about code points, of which a unit is one. */
export const CHARACTER: ClassType = {
  ...classOf('Character', 'java.lang.Character', value => value instanceof CharacterValue),
  supers: ['Comparable', 'Object'],
  constants: {
    MAX_CODE_POINT: { type: 'int', value: 0x10ffff },
    MAX_RADIX: { type: 'int', value: 36 },
    MAX_VALUE: { type: 'char', value: 0xffff },
    MIN_CODE_POINT: { type: 'int', value: 0 },
    MIN_RADIX: { type: 'int', value: 2 },
    MIN_SUPPLEMENTARY_CODE_POINT: { type: 'int', value: 0x10000 },
    MIN_VALUE: { type: 'char', value: 0 },
    SIZE: { type: 'int', value: 16 },
    BYTES: { type: 'int', value: 2 },
  },
  methods: members({ 'char charValue()': (_run, value: CharacterValue) => value.unit }),
  statics: members({
    'int charCount(int)': (_run, _, point: number) => (point >= 0x10000 ? 2 : 1),
    'int compare(char, char)': (_run, _, a: number, b: number) => a - b,
    'int digit(int, int)': (_run, _, point: number, radix: number) =>
      radix < 2 || radix > 36 ? -1 : digitOf(point, radix),
    'char forDigit(int, int)': (_run, _, digit: number, radix: number) =>
      radix < 2 || radix > 36 || digit < 0 || digit >= radix ? 0 : digit.toString(36).charCodeAt(0),
    'int getNumericValue(int)': (_run, _, point: number) => digitOf(point, 36),
    'int hashCode(char)': (_run, _, unit: number) => unit,
    'boolean isAlphabetic(int)': matches(/^\p{Alphabetic}$/u),
    'boolean isDefined(int)': matches(/^\P{Cn}$/u),
    'boolean isDigit(int)': matches(/^\p{Nd}$/u),
    'boolean isHighSurrogate(char)': (_run, _, unit: number) => (unit & 0xfc00) === 0xd800,
    'boolean isISOControl(int)': matches(/^\p{Cc}$/u),
    'boolean isIdeographic(int)': matches(/^\p{Ideographic}$/u),
    'boolean isLetter(int)': matches(/^\p{L}$/u),
    'boolean isLetterOrDigit(int)': matches(/^[\p{L}\p{Nd}]$/u),
    'boolean isLowSurrogate(char)': (_run, _, unit: number) => (unit & 0xfc00) === 0xdc00,
    'boolean isLowerCase(int)': matches(/^\p{Lowercase}$/u),
    'boolean isSpaceChar(int)': matches(/^\p{Z}$/u),
    'boolean isSurrogate(char)': (_run, _, unit: number) => (unit & 0xf800) === 0xd800,
    'boolean isTitleCase(int)': matches(/^\p{Lt}$/u),
    'boolean isUpperCase(int)': matches(/^\p{Uppercase}$/u),
    'boolean isValidCodePoint(int)': (_run, _, point: number) => point >= 0 && point <= 0x10ffff,
    'boolean isWhitespace(int)': (_run, _, point: number) => isWhitespace(point),
    'char[] toChars(int)': (_run, _, point: number) => {
      if (point < 0 || point > 0x10ffff)
        throw illegalArgument(
          `Not a valid Unicode code point: 0x${(point >>> 0).toString(16).toUpperCase()}`,
        )
      const text = String.fromCodePoint(point)
      const units = Array.from({ length: text.length }, (_unit, i) => text.charCodeAt(i))
      return new ScriptArray('char', units)
    },
    'int toCodePoint(char, char)': (_run, _, high: number, low: number) =>
      ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000,
    'char toLowerCase(char)': mapped(text => text.toLowerCase()),
    'String toString(char)': (_run, _, unit: number) => String.fromCharCode(unit),
    'char toTitleCase(char)': mapped(text => text.toUpperCase()),
    'char toUpperCase(char)': mapped(text => text.toUpperCase()),
    'Character valueOf(char)': (_run, _, unit: number): ScriptValue => new CharacterValue(unit),
  }),
}

/** Java's blanks: separators that let lines break, and the control characters for layout. */
function isWhitespace(point: number): boolean {
  if ((point >= 9 && point <= 13) || (point >= 0x1c && point <= 0x1f)) return true
  if (point === 0xa0 || point === 0x2007 || point === 0x202f) return false
  return point >= 0 && point <= 0x10ffff && /^\p{Z}$/u.test(String.fromCodePoint(point))
}
