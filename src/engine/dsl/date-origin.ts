import { parseDateMath } from '../../schema/date-math.ts'
import type { FieldType } from '../../schema/field-type.ts'
import { UTC } from '../../schema/time-zone.ts'
import type { NumberColumn } from '../../search/scorer/number-values.ts'
import { parseDuration } from '../../util/units.ts'
import { numberColumn } from './number-column.ts'
import type { QueryContext } from './query-context.ts'

/** A field of dates. */
export type AnyDateField = Extract<FieldType, { readonly type: 'date' | 'date_nanos' }>

/**
 * A date with maths, in milliseconds.
 * @throws {EngineError} it is none
 */
export function dateOrigin({ format }: AnyDateField, text: string, context: QueryContext): number {
  const { nowInMillis } = context
  const instant = parseDateMath(text, { format, nowInMillis, roundUp: false, zone: UTC })
  return instant.millis + instant.nanos / 1e6
}

/** A field's dates in milliseconds; nanoseconds are fractions of them. */
export function dateColumn(field: AnyDateField): NumberColumn {
  const column = numberColumn(field)
  return field.type === 'date' ? column : { ...column, scale: 1e6 }
}

/**
 * A duration in milliseconds, cut to whole ones.
 * @throws {EngineError} it is none
 */
export function durationInMillis(text: string, name: string): number {
  return Math.trunc(parseDuration(text, name) / 1e6)
}
