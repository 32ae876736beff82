import type { AnyValueSource, ValueFormat } from '../../../aggregation/value-source.ts'
import { compileDateFormat } from '../../../schema/date-format.ts'
import { compileDecimalFormat } from '../../../schema/decimal-format.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { AggregatedField } from './field-values.ts'
import type { ValueKeys } from './value-keys.ts'

/** A format with what a request says of it. @param own of the field */
export function withFormat(own: ValueFormat, { format, timeZone: zone }: ValueKeys): ValueFormat {
  const made = formatOf(own, format, zone)
  if (format !== null && made.kind === 'date') compileDateFormat(format, made.locale)
  if (made.kind === 'decimal') compileDecimalFormat(made.pattern)
  return made
}

/** @throws {IllegalArgumentError} values of the field print in one form alone */
export function checkForm(
  { name, type }: Pick<AggregatedField, 'name' | 'type'>,
  { kind, format: { kind: own } }: Pick<AnyValueSource, 'kind' | 'format'>,
  { format, timeZone: zone }: ValueKeys,
): void {
  const takesFormat = own === 'date' || (own === 'raw' && kind === 'numbers')
  const custom =
    format !== null && !takesFormat
      ? 'formats'
      : zone !== null && own !== 'date'
        ? 'time zones'
        : null
  if (custom !== null)
    throw new IllegalArgumentError(
      `Field [${name}] of type [${type}] does not support custom ${custom}`,
    )
}

export function formatOf(
  own: ValueFormat,
  format: string | null,
  zone: string | null,
): ValueFormat {
  if (own.kind === 'date') return { ...own, pattern: format ?? own.pattern, zone }
  return format === null || own.kind !== 'raw' ? own : { kind: 'decimal', pattern: format }
}
