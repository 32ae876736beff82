/** The keys that say which values an aggregation reads: field, missing, format, time zone, type. */
import type { ScriptRequest } from '../../../script/script-request.ts'
import { timeZone } from '../../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import { parseScript } from '../parse-script.ts'
import type { FieldReaders } from './object-fields.ts'

/** Types of values that `value_type` names, and that aggregations read by default. */
export type ValueTypeName = 'string' | 'number' | 'date' | 'ip' | 'boolean' | 'unsigned_long'

const VALUE_TYPE_NAMES: { readonly [name: string]: ValueTypeName } = {
  string: 'string',
  long: 'number',
  integer: 'number',
  short: 'number',
  byte: 'number',
  double: 'number',
  float: 'number',
  number: 'number',
  numeric: 'number',
  date: 'date',
  date_nanos: 'date',
  ip: 'ip',
  boolean: 'boolean',
  unsigned_long: 'unsigned_long',
}

const WHOLE_TYPES: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte'])

/** The keys as a request gives them. */
export interface ValueKeys {
  field: string | null
  /** The scalar of `missing`. */
  missing: string | null
  format: string | null
  timeZone: string | null
  valueType: ValueTypeName | null
  /** Whether `value_type` names integers. */
  isWhole: boolean
  script: ScriptRequest | null
}

/** Keys of none. */
export function newValueKeys(): ValueKeys {
  return {
    field: null,
    missing: null,
    format: null,
    timeZone: null,
    valueType: null,
    isWhole: false,
    script: null,
  }
}

/** Readers of the keys that an aggregation has. */
export function valueReaders(keys: ValueKeys, has: { readonly zone?: boolean } = {}): FieldReaders {
  const readers: { [key: string]: (value: JsonNode) => void } = {
    field: (value: JsonNode): void => {
      keys.field = readText(value)
    },
    missing: (value: JsonNode): void => {
      keys.missing = readText(value)
    },
    format: (value: JsonNode): void => {
      keys.format = readText(value)
    },
    value_type: (value: JsonNode): void => {
      const name = readText(value)
      const type = Object.hasOwn(VALUE_TYPE_NAMES, name) ? VALUE_TYPE_NAMES[name]! : null
      if (type === null) throw new IllegalArgumentError(`No enum constant for value type [${name}]`)
      keys.valueType = type
      keys.isWhole = WHOLE_TYPES.has(name)
    },
    script: (value: JsonNode): void => {
      keys.script = parseScript(value)
    },
  }
  if (has.zone === true)
    readers['time_zone'] = value => {
      const zone = zoneText(value)
      timeZone(zone)
      keys.timeZone = zone
    }
  return readers
}

/** A zone may be given as hours ahead of UTC. */
function zoneText(value: JsonNode): string {
  if (value.kind !== 'number') return readText(value)
  const hours = String(Math.abs(value.value)).padStart(2, '0')
  return `${value.value < 0 ? '-' : '+'}${hours}:00`
}

/** @throws {IllegalArgumentError} neither a field nor a script is named */
export function checkFieldGiven({ field, script }: ValueKeys): void {
  if (field === null && script === null)
    throw new IllegalArgumentError(
      'Required one of fields [field, script], but none were specified. ',
    )
}
