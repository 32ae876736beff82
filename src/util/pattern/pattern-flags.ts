import { IllegalArgumentError } from '../errors.ts'

/** How a pattern, or a group of it, is read. */
export interface PatternOptions {
  readonly ignoreCase: boolean
  readonly unicodeCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  readonly literal: boolean
}

const NONE: PatternOptions = {
  ignoreCase: false,
  unicodeCase: false,
  multiline: false,
  dotAll: false,
  literal: false,
}

const FLAGS: ReadonlyMap<string, keyof PatternOptions> = new Map([
  ['CASE_INSENSITIVE', 'ignoreCase'],
  ['UNICODE_CASE', 'unicodeCase'],
  ['MULTILINE', 'multiline'],
  ['DOTALL', 'dotAll'],
  ['LITERAL', 'literal'],
])

const NOT_YET: ReadonlySet<string> = new Set([
  'CANON_EQ',
  'COMMENTS',
  'UNICODE_CHAR_CLASS',
  'UNICODE_CHARACTER_CLASS',
  'UNIX_LINES',
])

/** Letters of flags within a pattern: `(?i)`. */
const LETTERS: ReadonlyMap<string, keyof PatternOptions> = new Map([
  ['i', 'ignoreCase'],
  ['u', 'unicodeCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
])

/**
 * Reads flags by Java's names.
 * @param flags separated by `|`
 * @throws {IllegalArgumentError} one is unknown or not supported yet
 */
export function readFlags(flags: string): PatternOptions {
  let options = NONE
  for (const flag of flags.split('|').map(text => text.trim())) {
    if (flag === '') continue
    const key = FLAGS.get(flag)
    if (key !== undefined) options = { ...options, [key]: true }
    else if (NOT_YET.has(flag))
      throw new IllegalArgumentError(`[flags: ${flag}] is not supported yet`)
    else throw new IllegalArgumentError(`Unknown regex flag [${flag}]`)
  }
  return options
}

/** The options with the flag of a letter on or off; null: no letter that is supported. */
export function withFlag(
  options: PatternOptions,
  letter: string,
  isOn: boolean,
): PatternOptions | null {
  const key = LETTERS.get(letter)
  return key === undefined ? null : { ...options, [key]: isOn }
}
