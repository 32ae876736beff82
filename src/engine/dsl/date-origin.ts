import { parseDateMath } from '../../schema/date-math.ts'
import type { FieldType } from '../../schema/field-type.ts'
import { nanoProblem, nanosOf } from '../../schema/nano-instant.ts'
import type { NumberColumn } from '../../search/scorer/number-values.ts'
import { UTC } from '../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parseDuration } from '../../util/units.ts'
import { numberColumn } from './number-column.ts'
import { nowIn, type QueryContext } from './query-context.ts'

/** A field of dates. */
export type AnyDateField = Extract<FieldType, { readonly type: 'date' | 'date_nanos' }>

/**
 * A date with maths, in milliseconds.
 * @throws {EngineError} it is none
 */
export function dateOrigin({ format }: AnyDateField, text: string, context: QueryContext): number {
  const nowInMillis = nowIn(text, context)
  const instant = parseDateMath(text, { format, nowInMillis, roundUp: false, zone: UTC })
  return instant.millis + instant.nanos / 1e6
}

/**
 * A date with maths in the field's own unit, parts that are missing filled upward.
 * @throws {EngineError} it is none, or nanoseconds do not reach it
 */
export function dateInstant(field: AnyDateField, text: string, context: QueryContext): bigint {
  const nowInMillis = nowIn(text, context)
  const options = { format: field.format, nowInMillis, roundUp: true, zone: UTC }
  const instant = parseDateMath(text, options)
  if (field.type === 'date') return BigInt(instant.millis)
  const problem = nanoProblem(instant)
  if (problem !== null) throw new IllegalArgumentError(problem)
  return nanosOf(instant)
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
