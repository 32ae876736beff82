import { IllegalArgumentError } from '../errors.ts'

/** How a pattern, or a group of it, is read. */
export interface PatternOptions {
  readonly ignoreCase: boolean
  readonly unicodeCase: boolean
  /** Whether the predefined classes and `\b` know more than ASCII. */
  readonly unicodeClasses: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  /** Whether spaces, and what follows `#` in a line, are no part of the pattern. */
  readonly comments: boolean
  readonly literal: boolean
  /** Whether `\n` alone ends a line. */
  readonly unixLines: boolean
}

const NONE: PatternOptions = {
  ignoreCase: false,
  unicodeCase: false,
  unicodeClasses: false,
  multiline: false,
  dotAll: false,
  comments: false,
  literal: false,
  unixLines: false,
}

type Keys = readonly (keyof PatternOptions)[]

const UNICODE: Keys = ['unicodeClasses', 'unicodeCase']

const FLAGS: ReadonlyMap<string, Keys> = new Map<string, Keys>([
  ['CASE_INSENSITIVE', ['ignoreCase']],
  ['UNICODE_CASE', ['unicodeCase']],
  ['UNICODE_CHAR_CLASS', UNICODE],
  ['UNICODE_CHARACTER_CLASS', UNICODE],
  ['MULTILINE', ['multiline']],
  ['DOTALL', ['dotAll']],
  ['COMMENTS', ['comments']],
  ['LITERAL', ['literal']],
  ['UNIX_LINES', ['unixLines']],
])

const NOT_YET: ReadonlySet<string> = new Set(['CANON_EQ'])

/** Letters of flags within a pattern: `(?i)`. */
const LETTERS: ReadonlyMap<string, Keys> = new Map<string, Keys>([
  ['i', ['ignoreCase']],
  ['u', ['unicodeCase']],
  ['U', UNICODE],
  ['m', ['multiline']],
  ['s', ['dotAll']],
  ['x', ['comments']],
  ['d', ['unixLines']],
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
    const keys = FLAGS.get(flag)
    if (keys !== undefined) options = switched(options, keys, true)
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
  const keys = LETTERS.get(letter)
  return keys === undefined ? null : switched(options, keys, isOn)
}

function switched(options: PatternOptions, keys: Keys, isOn: boolean): PatternOptions {
  return { ...options, ...Object.fromEntries(keys.map(key => [key, isOn])) }
}
