import type { PutIndexSettings } from '../engine/api/indices.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** A setting's value as a program writes it; null goes back to the default. */
export type SettingInput = string | number | boolean | readonly string[] | null

/** Settings by full dotted key: `{ 'index.refresh_interval': '5s' }`. */
export type SettingInputs = Readonly<Record<string, SettingInput>>

/**
 * Settings as the engine takes changes: values as text.
 * @param prefix put before every key that does not start with it; '' for none
 * @throws {IllegalArgumentError} a value that is neither text, number, boolean nor a list of texts
 */
export function settingChanges(given: SettingInputs, prefix: string): PutIndexSettings['changes'] {
  return new Map(
    Object.entries(given).map(([key, value]) => [
      key.startsWith(prefix) || key.includes('*') ? key : prefix + key,
      value === null ? null : textOf(key, value),
    ]),
  )
}

function textOf(key: string, value: Exclude<SettingInput, null>): string | readonly string[] {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value
  throw new IllegalArgumentError(
    `setting [${key}] must be text, a number, a boolean or a list of texts`,
  )
}
