/** `?human`: sizes and times as text beside the numbers, under the same name without its unit. */

import {
  Float32,
  Float64,
  type JsonRecord,
  type JsonValue,
  RawJson,
} from '../util/json/json-value.ts'
import { jsonEntries } from '../util/json/json-writer.ts'
import { durationText, sizeText } from '../util/units.ts'

const ENDINGS: readonly (readonly [ending: string, print: (value: number) => string])[] = [
  // Moments, where other keys of this unit are durations.
  ['start_time_in_millis', dateText],
  ['stop_time_in_millis', dateText],
  ['_in_bytes', sizeText],
  ['_in_millis', value => durationText(value * 1e6)],
  ['_bytes', sizeText],
]

/** The unit at the end of a key. */
const UNIT = /(_in)?_(bytes|millis)$/
/** Names of twins that are not the key without its ending. */
const NAMES: Readonly<Record<string, string>> = { fixed_bit_set_memory_in_bytes: 'fixed_bit_set' }

/**
 * A response of ours with the text twin before every `…_in_bytes`, `…_in_millis` and `…_bytes`. For
 * values that the code made: numbers, records and maps, a few levels deep.
 */
export function withHumanTwins(value: JsonRecord): Map<string, JsonValue> {
  const shown = new Map<string, JsonValue>()
  for (const [key, item] of jsonEntries(value)) {
    if (item === undefined) continue
    const [ending, print] = ENDINGS.find(([one]) => key.endsWith(one)) ?? []
    if (ending !== undefined && print !== undefined && typeof item === 'number') {
      const name = NAMES[key] ?? key.replace(UNIT, '')
      if (!shown.has(name)) shown.set(name, item < 0 ? String(item) : print(item))
    }
    shown.set(key, twinsIn(item))
  }
  return shown
}

function dateText(millis: number): string {
  return new Date(millis).toISOString()
}

function twinsIn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(twinsIn)
  if (typeof value !== 'object' || value === null) return value
  const isNumber = value instanceof Float64 || value instanceof Float32 || value instanceof RawJson
  return isNumber ? value : withHumanTwins(value as JsonRecord)
}
