/** `?human`: sizes and times as text beside the numbers, under the same name without its unit. */

import type { JsonRecord, JsonValue } from '../util/json/json-value.ts'
import { jsonEntries } from '../util/json/json-writer.ts'
import { durationText, sizeText } from '../util/units.ts'

const ENDINGS: readonly (readonly [ending: string, print: (value: number) => string])[] = [
  ['_in_bytes', sizeText],
  ['_in_millis', value => durationText(value * 1e6)],
]

/**
 * A response of ours with the text twin before every `…_in_bytes` and `…_in_millis`. For values
 * that the code made: plain numbers, records and maps, a few levels deep.
 */
export function withHumanTwins(value: JsonRecord): JsonValue {
  const shown = new Map<string, JsonValue>()
  for (const [key, item] of jsonEntries(value)) {
    if (item === undefined) continue
    const [ending, print] = ENDINGS.find(([one]) => key.endsWith(one)) ?? []
    if (ending !== undefined && print !== undefined && typeof item === 'number') {
      shown.set(key.slice(0, -ending.length), item < 0 ? String(item) : print(item))
    }
    shown.set(key, twinsIn(item))
  }
  return shown
}

function twinsIn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(twinsIn)
  const isObject = typeof value === 'object' && value !== null
  return isObject ? withHumanTwins(value as JsonRecord) : value
}
