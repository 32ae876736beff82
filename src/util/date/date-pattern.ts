/**
 * Compiles date patterns of java.time to elements, by which texts are matched (`match-date.ts`) and
 * instants printed (`print-date.ts`). The named formats use two letters of their own: F, a fraction
 * of a second with its point, and O, a zone offset with or without its colon, or Z.
 */
import { IllegalArgumentError } from '../errors.ts'
import {
  DAY,
  DAY_OF_WEEK,
  DAY_OF_YEAR,
  type DateElement,
  FIELD_COUNT,
  HALF_DAY,
  HOUR,
  HOUR_OF_HALF_DAY,
  MINUTE,
  MONTH,
  NANO,
  SECOND,
  WEEK,
  WEEK_YEAR,
  YEAR,
} from './date-elements.ts'
import type { DateNames } from './date-names.ts'
import { matchDate } from './match-date.ts'
import { datePrinter } from './print-date.ts'
import { type ParsedInstant, resolveDate } from './resolve-date.ts'
import type { TimeZone } from './time-zone.ts'

const MAX_GROUP_DEPTH = 16

/** One of a format's alternatives. */
export interface Alternative {
  /** Reads a date; false when it does not match. */
  parse(text: string, roundUp: boolean, zone: TimeZone, into: ParsedInstant): boolean
  /**
   * @param nanos behind the milliseconds
   * @param zone  whose local time it writes
   */
  print(millis: number, nanos: number, zone: TimeZone): string
}

/** How a pattern was given: by a strict or a lenient name, or in its own letters. */
export type Manner = 'strict' | 'lenient' | 'custom'

/**
 * Compiles one pattern.
 * @param whole the format that it is part of, for errors
 * @param names of the locale
 * @throws {IllegalArgumentError} `Invalid format: [⟨whole⟩]: ⟨why⟩`
 */
export function compileDatePattern(
  pattern: string,
  whole: string,
  manner: Manner,
  names: DateNames,
): Alternative {
  const elements = compilePattern(pattern, whole, manner, names)
  const fields = new Float64Array(FIELD_COUNT)
  return {
    parse(text, roundUp, zone, into) {
      const own = matchDate(elements, text, zone, fields)
      return own !== null && resolveDate(fields, roundUp, own, into)
    },
    print: datePrinter(elements),
  }
}

/** The error of a format that cannot be read. */
export function invalidFormat(pattern: string, why: string): IllegalArgumentError {
  return new IllegalArgumentError(`Invalid format: [${pattern}]: ${why}`)
}

function compilePattern(
  pattern: string,
  whole: string,
  manner: Manner,
  names: DateNames,
): DateElement[] {
  const stack: DateElement[][] = [[]]
  const push = (element: DateElement): void => {
    stack.at(-1)!.push(element)
  }
  let at = 0
  while (at < pattern.length) {
    const char = pattern[at]!
    if (char === '[') {
      stack.push([])
      if (stack.length > MAX_GROUP_DEPTH) throw invalidFormat(whole, 'too many optional parts')
      at++
    } else if (char === ']') {
      const elements = stack.pop()!
      if (stack.length === 0) {
        throw invalidFormat(whole, 'Pattern invalid as it contains ] without previous [')
      }
      push({ kind: 'optional', elements })
      at++
    } else if (char === "'") {
      let text = ''
      at++
      for (;;) {
        if (at >= pattern.length)
          throw invalidFormat(whole, 'Pattern ends with an incomplete string literal')
        if (pattern[at] === "'") {
          if (pattern[at + 1] !== "'") break
          at++
        }
        text += pattern[at++]
      }
      at++
      push({ kind: 'literal', text: text === '' ? "'" : text })
    } else if (/[A-Za-z]/.test(char)) {
      let end = at + 1
      while (pattern[end] === char) end++
      push(letterElement(char, end - at, whole, manner, names))
      at = end
    } else if ('{}#'.includes(char)) {
      throw invalidFormat(whole, `Pattern includes reserved character: '${char}'`)
    } else {
      push({ kind: 'literal', text: char })
      at++
    }
  }
  if (stack.length !== 1) {
    // java.time closes the optional parts that are left open.
    while (stack.length > 1) {
      const elements = stack.pop()!
      push({ kind: 'optional', elements })
    }
  }
  return stack[0]!
}

function letterElement(
  letter: string,
  count: number,
  whole: string,
  manner: Manner,
  names: DateNames,
): DateElement {
  const number = (field: number, min: number, max: number, signed = false): DateElement => ({
    kind: 'number',
    field,
    min: manner === 'lenient' ? 1 : min,
    max,
    signed,
    width: min,
    reduced: false,
  })
  const two = (field: number): DateElement => {
    if (count > 2) throw invalidFormat(whole, `Too many pattern letters: ${letter}`)
    return number(field, count, 2)
  }
  const named = manner !== 'custom'
  switch (letter) {
    case 'y':
    case 'u':
    case 'Y': {
      const field = letter === 'Y' ? WEEK_YEAR : YEAR
      if (count === 2 && !named)
        return { kind: 'number', field, min: 2, max: 2, signed: false, width: 2, reduced: true }
      return number(field, Math.min(count, 9), named ? (manner === 'lenient' ? 5 : 9) : 9, true)
    }
    case 'M':
    case 'L':
      if (count === 3) return { kind: 'name', field: MONTH, names: names.shortMonths }
      if (count === 4) return { kind: 'name', field: MONTH, names: names.months }
      return two(MONTH)
    case 'd':
      return two(DAY)
    case 'D':
      if (count > 3) throw invalidFormat(whole, 'Too many pattern letters: D')
      return number(DAY_OF_YEAR, count, 3)
    case 'E':
      if (count === 4) return { kind: 'name', field: DAY_OF_WEEK, names: names.days }
      if (count > 4) throw invalidFormat(whole, 'Too many pattern letters: E')
      return { kind: 'name', field: DAY_OF_WEEK, names: names.shortDays }
    case 'e':
      if (count > 1) throw invalidFormat(whole, 'Too many pattern letters: e')
      return number(DAY_OF_WEEK, 1, 1)
    case 'w':
      return two(WEEK)
    case 'a':
      return { kind: 'name', field: HALF_DAY, names: names.halfDays }
    case 'h':
    case 'K':
      return two(HOUR_OF_HALF_DAY)
    case 'H':
    case 'k':
      return two(HOUR)
    case 'm':
      return two(MINUTE)
    case 's':
      return two(SECOND)
    case 'S':
      if (count > 9) throw invalidFormat(whole, 'Too many pattern letters: S')
      return { kind: 'fraction', min: count, max: count, point: false, printsNanos: true }
    case 'n':
      return number(NANO, 1, 9)
    case 'X':
    case 'x':
    case 'Z': {
      const z = letter === 'X' || (letter === 'Z' && count === 5)
      const colon = count === 3 || count === 5 ? 'yes' : 'no'
      return { kind: 'zone', colon, z }
    }
    case 'V':
    case 'z':
      return { kind: 'zone', colon: 'either', z: true }
    case 'F':
      // `FF` prints nanoseconds too.
      if (named) return { kind: 'fraction', min: 1, max: 9, point: true, printsNanos: count > 1 }
      break
    case 'O':
      if (named) return { kind: 'zone', colon: 'either', z: true }
      break
    default:
  }
  throw invalidFormat(whole, `Unknown pattern letter: ${letter}`)
}
