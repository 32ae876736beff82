/** `String` and `CharSequence`. */
import { decodeBase64 } from '../../../util/base64.ts'
import { illegalArgument, indexOutOfBounds } from '../../java-faults.ts'
import { chargeList, chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { compareTexts } from '../../value/compare.ts'
import { ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { listOfArray, objectArrayOf } from './array-of.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { codePointBefore, codePointCount, offsetByCodePoints } from './code-points.ts'
import { formatText } from './format-text.ts'
import { joined } from './join.ts'
import type { LocaleValue } from './locale-class.ts'
import { constructors, members } from './members.ts'
import { REGEX_TEXT_MEMBERS } from './regex-classes.ts'
import { streamOfText } from './stream-value.ts'
import { type CharSequence, StringBuilderValue, textOf } from './string-builder-value.ts'
import { concatenate, foldedUnit, partOf, replaceEach, trimmed, unitAt } from './text-parts.ts'

const CHAR_SEQUENCE: ClassType = {
  ...classOf(
    'CharSequence',
    'java.lang.CharSequence',
    value => typeof value === 'string' || value instanceof StringBuilderValue,
  ),
  methods: {
    ...REGEX_TEXT_MEMBERS,
    ...members({
      'char charAt(int)': (_run, text: CharSequence, index: number) => unitAt(textOf(text), index),
      'IntStream chars()': (run, text: CharSequence) => streamOfText(run, textOf(text), false),
      'IntStream codePoints()': (run, text: CharSequence) => streamOfText(run, textOf(text), true),
      'int length()': (_run, text: CharSequence) => textOf(text).length,
      'CharSequence subSequence(int, int)': (run, text: CharSequence, start: number, end: number) =>
        partOf(run, textOf(text), start, end),
    }),
  },
}

const STRING: ClassType = {
  ...classOf('String', 'java.lang.String', value => typeof value === 'string'),
  supers: ['CharSequence', 'Comparable', 'Object'],
  constructors: constructors('String', {
    '()': () => '',
    '(String)': (_run, _, text: string) => text,
  }),
  methods: members({
    'int codePointAt(int)': (_run, text: string, index: number) => {
      unitAt(text, index)
      return text.codePointAt(index)!
    },
    'int codePointBefore(int)': (_run, text: string, index: number) => codePointBefore(text, index),
    'int codePointCount(int, int)': codePointCount,
    'int compareTo(String)': (_run, text: string, other: string) => compareTexts(text, other),
    'int compareToIgnoreCase(String)': (_run, text: string, other: string) =>
      compareIgnoringCase(text, other),
    'String concat(String)': concatenate,
    'boolean contains(CharSequence)': (run, text: string, part: CharSequence) => {
      run.step(text.length >> 8)
      return text.includes(textOf(part))
    },
    'boolean contentEquals(CharSequence)': (_run, text: string, other: CharSequence) =>
      text === textOf(other),
    'String decodeBase64()': (run, text: string) => decoded(run, text),
    'String encodeBase64()': (run, text: string) => {
      chargeText(run, 4 * text.length)
      return Buffer.from(text).toString('base64')
    },
    'boolean endsWith(String)': (_run, text: string, end: string) => text.endsWith(end),
    'boolean equalsIgnoreCase(String?)': (_run, text: string, other: string | null) =>
      other?.length === text.length && compareIgnoringCase(text, other) === 0,
    'void getChars(int, int, char[], int)': getChars,
    'int indexOf(String)': (_run, text: string, part: string) => text.indexOf(part),
    'int indexOf(String, int)': (_run, text: string, part: string, from: number) =>
      text.indexOf(part, from),
    'boolean isEmpty()': (_run, text: string) => text === '',
    'int lastIndexOf(String)': (_run, text: string, part: string) => text.lastIndexOf(part),
    'int lastIndexOf(String, int)': (_run, text: string, part: string, from: number) =>
      from < 0 ? -1 : text.lastIndexOf(part, from),
    'int offsetByCodePoints(int, int)': (_run, text: string, index: number, count: number) =>
      offsetByCodePoints(text, index, count),
    'boolean regionMatches(boolean, int, String, int, int)': regionMatches,
    'boolean regionMatches(int, String, int, int)': (
      run,
      text: string,
      start: number,
      other: string,
      otherStart: number,
      length: number,
    ) => regionMatches(run, text, false, start, other, otherStart, length),
    'String replace(CharSequence, CharSequence)': (
      run,
      text: string,
      target: CharSequence,
      replacement: CharSequence,
    ) => replaceEach(run, text, textOf(target), textOf(replacement)),
    'String[] splitOnToken(String)': (run, text: string, token: string) =>
      splitOnToken(run, text, token, -1),
    'String[] splitOnToken(String, int)': splitOnToken,
    'boolean startsWith(String)': (_run, text: string, start: string) => text.startsWith(start),
    'boolean startsWith(String, int)': (_run, text: string, start: string, at: number) =>
      at >= 0 && at + start.length <= text.length && text.startsWith(start, at),
    'String substring(int)': (run, text: string, start: number) =>
      partOf(run, text, start, text.length),
    'String substring(int, int)': partOf,
    'char[] toCharArray()': (run, text: string) => {
      chargeList(run, text.length, text.length)
      return new ScriptArray('char', unitsOf(text))
    },
    'String toLowerCase()': (run, text: string) => lowerCase(run, text),
    'String toLowerCase(Locale)': (run, text: string, _locale: LocaleValue) => lowerCase(run, text),
    'String toUpperCase()': (run, text: string) => upperCase(run, text),
    'String toUpperCase(Locale)': (run, text: string, _locale: LocaleValue) => upperCase(run, text),
    'String trim()': (run, text: string) => {
      chargeText(run, text.length)
      return trimmed(text)
    },
  }),
  statics: members({
    'String copyValueOf(char[])': (run, _, units: ScriptArray) =>
      textOfUnits(run, units, 0, units.items.length),
    'String copyValueOf(char[], int, int)': (
      run,
      _,
      units: ScriptArray,
      start: number,
      count: number,
    ) => textOfUnits(run, units, start, count),
    'String format(String, Object)': (run, _, format: string, inputs: ScriptValue) =>
      formatText(run, format, listOfArray(run, objectArrayOf(inputs))),
    'String format(Locale, String, Object)': (
      run,
      _,
      _locale: LocaleValue,
      format: string,
      inputs: ScriptValue,
    ) => formatText(run, format, listOfArray(run, objectArrayOf(inputs))),
    'String join(CharSequence, Iterable)': (run, _, separator: CharSequence, items: ScriptValue) =>
      joined(run, textOf(separator), items),
    'String valueOf(def)': (run, _, value: ScriptValue) => textOfValue(value, run),
  }),
}

/** `CharSequence`, `String`. */
export const STRING_CLASSES: readonly ClassType[] = [CHAR_SEQUENCE, STRING]

function lowerCase(run: ScriptRun, text: string): string {
  chargeText(run, text.length)
  return text.toLowerCase()
}

function upperCase(run: ScriptRun, text: string): string {
  chargeText(run, text.length)
  return text.toUpperCase()
}

function compareIgnoringCase(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let i = 0; i < end; i++) {
    const difference = foldedUnit(a.charCodeAt(i)) - foldedUnit(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function regionMatches(
  run: ScriptRun,
  text: string,
  ignoreCase: boolean,
  start: number,
  other: string,
  otherStart: number,
  length: number,
): boolean {
  if (start < 0 || otherStart < 0) return false
  if (start + length > text.length || otherStart + length > other.length) return false
  if (length <= 0) return true
  run.step(length >> 6)
  const a = text.slice(start, start + length)
  const b = other.slice(otherStart, otherStart + length)
  return ignoreCase ? compareIgnoringCase(a, b) === 0 : a === b
}

function splitOnToken(run: ScriptRun, text: string, token: string, limit: number): ScriptArray {
  const parts: string[] = []
  let start = 0
  if (token !== '')
    for (let left = limit; left !== 1; left--) {
      const end = text.indexOf(token, start)
      if (end < 0) break
      run.step()
      chargeList(run, parts.length + 1, 4)
      parts.push(text.slice(start, end))
      start = end + token.length
    }
  chargeText(run, text.length)
  parts.push(text.slice(start))
  return new ScriptArray('String', parts)
}

function decoded(run: ScriptRun, text: string): string {
  chargeText(run, text.length)
  const bytes = /\s/.test(text) ? null : decodeBase64(text.padEnd((text.length + 3) & ~3, '='))
  if (bytes !== null) return Buffer.from(bytes).toString('utf8')
  const wrong = /[^A-Za-z0-9+/=]/.exec(text)?.[0]
  throw illegalArgument(
    wrong === undefined
      ? 'Input byte array has wrong 4-byte ending unit'
      : `Illegal base64 character ${wrong.charCodeAt(0).toString(16)}`,
  )
}

function unitsOf(text: string): number[] {
  const units = new Array<number>(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return units
}

function textOfUnits(run: ScriptRun, array: ScriptArray, start: number, count: number): string {
  const { items } = array
  if (start < 0 || count < 0 || start + count > items.length)
    throw indexOutOfBounds(start < 0 ? start : start + count, items.length)
  chargeText(run, count)
  let text = ''
  for (let i = start; i < start + count; i++) text += String.fromCharCode(items[i] as number)
  return text
}

function getChars(
  run: ScriptRun,
  text: string,
  start: number,
  end: number,
  into: ScriptArray,
  at: number,
): undefined {
  const part = partOf(run, text, start, end)
  if (at < 0 || at + part.length > into.items.length)
    throw indexOutOfBounds(at < 0 ? at : at + part.length, into.items.length)
  for (let i = 0; i < part.length; i++) into.items[at + i] = part.charCodeAt(i)
}
