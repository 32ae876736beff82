/** Reading the options of components, as settings and `_analyze` give them. */
import { IllegalArgumentError } from '../util/errors.ts'
import type { WordFiles } from './token-stream.ts'

/** Options of a component: text or a list of texts. */
export type ComponentOptions = ReadonlyMap<string, string | readonly string[]>

/** For components that are made by their name alone. */
export const NO_OPTIONS: ComponentOptions = new Map()

/** @throws {IllegalArgumentError} not a whole number of at most nine or ten digits */
export function intOption(options: ComponentOptions, key: string, otherwise: number): number {
  const text = textOption(options, key)
  if (text === null) return otherwise
  const value = Number(text)
  if (!/^[+-]?\d{1,10}$/.test(text) || value > 0x7fffffff || value < -0x80000000)
    throw new IllegalArgumentError(`Failed to parse value [${text}] for setting [${key}]`)
  return value
}

/** @throws {IllegalArgumentError} neither true nor false */
export function booleanOption(options: ComponentOptions, key: string, otherwise: boolean): boolean {
  const text = textOption(options, key)
  if (text === null) return otherwise
  if (text !== 'true' && text !== 'false')
    throw new IllegalArgumentError(
      `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    )
  return text === 'true'
}

/** The option as text, null when it is absent; of a list its items with commas. */
export function textOption(options: ComponentOptions, key: string): string | null {
  const value = options.get(key)
  if (value === undefined) return null
  return typeof value === 'string' ? value : value.join(',')
}

/**
 * The option as a list; a text is split at its commas.
 * @param how whether blanks of such items count
 */
export function listOption(
  options: ComponentOptions,
  key: string,
  how: { readonly keepsBlanks: boolean } = { keepsBlanks: false },
): readonly string[] {
  const value = options.get(key)
  if (value === undefined) return []
  if (typeof value !== 'string') return value
  return value
    .split(',')
    .map(item => (how.keepsBlanks ? item : item.trim()))
    .filter(item => item !== '')
}

/**
 * A list that stands in the option itself or in the file that `⟨key⟩_path` names, a word a line,
 * lines that start with `#` left out.
 * @returns null when neither is given
 * @throws {IllegalArgumentError} no such file
 */
export function wordListOption(
  options: ComponentOptions,
  key: string,
  words: WordFiles,
): readonly string[] | null {
  const path = textOption(options, `${key}_path`)
  if (path !== null)
    return words(path)
      .filter(line => line.trim() !== '' && !line.startsWith('#'))
      .map(line => line.trim())
  return options.has(key) ? listOption(options, key) : null
}

/**
 * The same where a list that is given wins over a file.
 * @returns null when neither is given
 * @throws {IllegalArgumentError} no such file
 */
export function listOrFileOption(
  options: ComponentOptions,
  key: string,
  words: WordFiles,
): readonly string[] | null {
  return options.has(key) ? listOption(options, key) : wordListOption(options, key, words)
}
