/** Pieces of text as a terminal shows them: widths, cuts, numbers. */
import { stripVTControlCharacters } from 'node:util'

const UNITS: readonly (readonly [string, number])[] = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
]

/** A duration with three digits: 1234567 → `1.23 ms`, 950 → `950 ns`. */
export function nanosText(nanos: number): string {
  for (const [unit, size] of UNITS) if (nanos >= size) return `${threeDigits(nanos / size)} ${unit}`
  return `${Math.round(nanos)} ns`
}

/** A size with three digits: 13592598 → `13.0 MiB`, 950 → `950 B`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let step = 0
  while (step < units.length - 1 && bytes >= 1024 ** (step + 1)) step++
  return step === 0
    ? `${Math.round(bytes)} B`
    : `${threeDigits(bytes / 1024 ** step)} ${units[step]}`
}

/** A whole number in groups of three: 18222 → `18,222`. */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number of things: `1 file`, `2,000 files`. */
export function countedText(count: number, thing: string): string {
  return `${countText(count)} ${thing}${Math.round(count) === 1 ? '' : 's'}`
}

function threeDigits(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

/**
 * Text from a document or an error, safe to print: one line, no control characters, so that nothing
 * in it moves the cursor or sets a title.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
}

/** Columns that a text takes: none for colours and marks, two for wide characters. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of stripVTControlCharacters(text)) {
    if (/\p{M}|\u200d/u.test(char)) continue
    width += isWide(char.codePointAt(0)!) ? 2 : 1
  }
  return width
}

/** The start of a plain text that fits, with `…` where it was cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const char of text) {
    const columns = widthOf(char)
    if (used + columns > width - 1) break
    kept += char
    used += columns
  }
  return `${kept.trimEnd()}…`
}

/** Text filled with blanks to a width, on the right or, for numbers, on the left. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return side === 'right' ? text + blanks : blanks + text
}

/** East Asian wide forms and pictographs. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  )
}
