import type { NumberSource, ValueSource } from '../../../aggregation/value-source.ts'
import { DEFAULT_DATE_PATTERN } from '../../../schema/date-format.ts'
import { formatOf } from './value-form.ts'
import type { ValueKeys, ValueTypeName } from './value-keys.ts'

/** Numbers that no document has. */
export function noNumbers(
  { field, format, timeZone: zone }: ValueKeys,
  type: ValueTypeName,
): NumberSource {
  const source = sourceOfType(field ?? '', type) as NumberSource
  // The format may be one for another type, that of a field which the index has.
  return { ...source, format: formatOf(source.format, format, zone) }
}

/** Values of a field that the index lacks. */
export function sourceOfType(field: string, type: ValueTypeName): ValueSource {
  if (type === 'string' || type === 'ip')
    return {
      kind: 'terms',
      field,
      fieldData: null,
      missing: null,
      format: { kind: type === 'ip' ? 'ip' : 'raw' },
    }
  const isLong = type === 'date' || type === 'boolean'
  return {
    kind: 'numbers',
    field,
    encoding: type === 'unsigned_long' ? 'unsignedLong' : isLong ? 'long' : 'double',
    scale: 1,
    type: type === 'unsigned_long' ? 'unsignedLong' : isLong ? 'long' : 'double',
    isNanos: false,
    missing: null,
    format:
      type === 'date'
        ? { kind: 'date', pattern: DEFAULT_DATE_PATTERN, locale: '', zone: null }
        : { kind: type === 'boolean' ? 'boolean' : 'raw' },
  }
}
