/** The character sets of Java patterns. */

/** Whether a set contains a code point. */
export type CharSet = (point: number) => boolean

/** `\d`. */
export const DIGIT: CharSet = point => point >= 0x30 && point <= 0x39
/** `\s`. */
export const SPACE: CharSet = point => point === 0x20 || (point >= 0x09 && point <= 0x0d)
const UPPER: CharSet = point => point >= 0x41 && point <= 0x5a
const LOWER: CharSet = point => point >= 0x61 && point <= 0x7a
const ALPHA: CharSet = point => UPPER(point) || LOWER(point)
/** `\w`. */
export const WORD: CharSet = point => ALPHA(point) || DIGIT(point) || point === 0x5f
const PUNCT: CharSet = point => point > 0x20 && point < 0x7f && !ALPHA(point) && !DIGIT(point)
/** The complement of a set. */
export const not =
  (set: CharSet): CharSet =>
  point =>
    !set(point)

/** The line terminator under `UNIX_LINES`. */
export function isUnixLineEnd(point: number): boolean {
  return point === 0x0a
}

/** Line terminators, which `.` does not match. */
export function isLineEnd(point: number): boolean {
  return point === 0x0a || point === 0x0d || point === 0x85 || point === 0x2028 || point === 0x2029
}

/** Java's POSIX classes by name, ASCII only. */
export const POSIX: Readonly<Record<string, CharSet>> = Object.assign(Object.create(null), {
  Lower: LOWER,
  Upper: UPPER,
  ASCII: (point: number) => point < 0x80,
  Alpha: ALPHA,
  Digit: DIGIT,
  Alnum: (point: number) => ALPHA(point) || DIGIT(point),
  Punct: PUNCT,
  Graph: (point: number) => point > 0x20 && point < 0x7f,
  Print: (point: number) => point >= 0x20 && point < 0x7f,
  Blank: (point: number) => point === 0x20 || point === 0x09,
  Cntrl: (point: number) => point < 0x20 || point === 0x7f,
  XDigit: (point: number) => /[0-9a-fA-F]/.test(String.fromCodePoint(point)),
  Space: SPACE,
})

/** `\h`. */
export function horizontal(point: number): boolean {
  return (
    point === 0x20 ||
    point === 0x09 ||
    point === 0xa0 ||
    point === 0x1680 ||
    point === 0x180e ||
    (point >= 0x2000 && point <= 0x200a) ||
    point === 0x202f ||
    point === 0x205f ||
    point === 0x3000
  )
}

/** `\v`. */
export function vertical(point: number): boolean {
  return (point >= 0x0a && point <= 0x0d) || point === 0x85 || point === 0x2028 || point === 0x2029
}

const asciiTables = new WeakMap<CharSet, Uint8Array>()

/** Membership of each ASCII character: 1 or 0. Memoized, as repeats emit a set several times. */
export function asciiOf(set: CharSet): Uint8Array {
  let table = asciiTables.get(set)
  if (table === undefined) {
    table = Uint8Array.from({ length: 128 }, (_, point) => (set(point) ? 1 : 0))
    asciiTables.set(set, table)
  }
  return table
}
