/**
 * A setting: its key, when it may change, which values it takes and what its default is.
 * The tables in `index-settings.ts`, `cluster-settings.ts` and `node-settings.ts` are lists of
 * these.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import { parseBoolean, parseDuration, parseSize } from '../util/units.ts'
import type { Settings, SettingValue } from './settings.ts'

/**
 * - dynamic: any time
 * - static: at creation, or while the index is closed; for node and cluster: at start
 * - final: at creation only
 * - private: the engine alone sets it
 */
export type SettingLife = 'dynamic' | 'static' | 'final' | 'private'

/** Reads one value's text and refuses what is none; `key` is for the error. */
export type SettingParser = (text: string, key: string) => unknown

/** One setting of a table. */
export interface SettingDefinition {
  /** A full key; a part `*` stands for one name, a closing `*` for one or more. */
  readonly key: string
  readonly life: SettingLife
  readonly parse: SettingParser
  /** Text that holds without a value, may depend on others; null: nothing holds. */
  readonly defaultValue: SettingValue | null | ((settings: Settings) => SettingValue | null)
  readonly isList: boolean
}

/** A setting with one value. */
export function setting(
  life: SettingLife,
  key: string,
  parse: SettingParser,
  defaultValue: SettingDefinition['defaultValue'] = null,
): SettingDefinition {
  return { key, life, parse, defaultValue, isList: false }
}

/** A setting with a list of values, given as an array or as text with commas. */
export function listSetting(
  life: SettingLife,
  key: string,
  parse: SettingParser = anyText,
  defaultValue: readonly string[] = [],
): SettingDefinition {
  return { key, life, parse, defaultValue, isList: true }
}

/** Takes any text. */
export function anyText(text: string): string {
  return text
}

/** Takes `true` and `false`. */
export function booleans(text: string): boolean {
  return parseBoolean(text)
}

/** Takes 32-bit integers in a range. */
export function integers(min: number = -(2 ** 31), max: number = 2 ** 31 - 1): SettingParser {
  return (text, key) => {
    const value = /^[+-]?\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    // Out of the type's own range is no number at all to the server.
    if (!(value >= -(2 ** 31) && value <= 2 ** 31 - 1)) throw badValue(text, key)
    if (value < min) throw badValue(text, key, ` must be >= ${min}`)
    if (value > max) throw badValue(text, key, ` must be <= ${max}`)
    return value
  }
}

/** Takes 64-bit integers of at least `min`; above 2⁵³ the nearest double. */
export function longs(min: number): SettingParser {
  return (text, key) => {
    const value = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : null
    if (value === null || value !== BigInt.asIntN(64, value)) throw badValue(text, key)
    if (value < min) throw badValue(text, key, ` must be >= ${min}`)
    return Number(value)
  }
}

/** Takes decimal numbers in a range. */
export function decimals(min: number = -Infinity, max: number = Infinity): SettingParser {
  return (text, key) => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) throw badValue(text, key)
    if (value < min) throw badValue(text, key, ` must be >= ${min}`)
    if (value > max) throw badValue(text, key, ` must be <= ${max}`)
    return value
  }
}

/** Takes durations of at least `min` (as text, `-1` for none); gives nanoseconds. */
export function durations(min = '-1'): SettingParser {
  const least = parseDuration(min, 'min')
  return (text, key) => {
    const nanos = parseDuration(text, key)
    if (nanos < least) throw belowLeast(text, key, min)
    return nanos
  }
}

/** Takes sizes of at least `min` (as text, `-1` for none); gives bytes. */
export function sizes(min = '-1'): SettingParser {
  const least = parseSize(min, 'min')
  return (text, key) => {
    const bytes = parseSize(text, key)
    if (bytes < least) throw belowLeast(text, key, min)
    return bytes
  }
}

/** Takes a size or a share of the memory budget (`40%`); gives the text. */
export function sizesOrPercent(text: string, key: string): string {
  if (text.endsWith('%')) decimals(0, 100)(text.slice(0, -1), key)
  else parseSize(text, key)
  return text
}

/**
 * Takes one of the names, whatever their case.
 * @param refusal the server's own words for this setting, when it has some
 */
export function choices(
  names: readonly string[],
  refusal: (text: string, key: string) => string = (text, key) =>
    `Failed to parse value [${text}] for setting [${key}] must be one of [${names.join(', ')}]`,
): SettingParser {
  return (text, key) => {
    const found = names.find(name => name.toLowerCase() === text.toLowerCase())
    if (found === undefined) throw new IllegalArgumentError(refusal(text, key))
    return found
  }
}

function badValue(text: string, key: string, limit = ''): IllegalArgumentError {
  return new IllegalArgumentError(`Failed to parse value [${text}] for setting [${key}]${limit}`)
}

function belowLeast(text: string, key: string, min: string): IllegalArgumentError {
  return new IllegalArgumentError(
    `failed to parse value [${text}] for setting [${key}], must be >= [${min}]`,
  )
}
