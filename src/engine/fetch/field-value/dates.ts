import type { DateFormat } from '../../../schema/date-format.ts'
import type { DateField } from '../../../schema/field-type/date.ts'
import type { ParsedInstant } from '../../../util/date/resolve-date.ts'
import { UTC } from '../../../util/date/time-zone.ts'
import { checkDocValues } from '../../dsl/field/number-sort.ts'
import { requestFormat } from '../../dsl/request-format.ts'
import { longsOf } from './columns.ts'
import type { FieldValue } from './field-value.ts'
import { textOf } from './source-text.ts'

const NANOS_PER_MILLI = 1_000_000n

/** Values of dates, as the first alternative of a format writes them. */
export const dates: FieldValue<DateField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    const { print } = formatOf(field, format)
    if (field.type === 'date') return longsOf(field, millis => print(Number(millis)))
    return longsOf(field, nanos => {
      const millis = nanos / NANOS_PER_MILLI
      return print(Number(millis), Number(nanos - millis * NANOS_PER_MILLI))
    })
  },
  source(field, format) {
    const { print } = formatOf(field, format)
    const instant: ParsedInstant = { millis: 0, nanos: 0 }
    return value => {
      const text = textOf(field, value)
      if (text === null || !field.format.read(text, false, UTC, instant)) return undefined
      return print(instant.millis, field.type === 'date' ? 0 : instant.nanos)
    }
  },
}

/** A format with the names of the field's locale. */
export function formatOf(
  { format, parameters }: Pick<DateField, 'format' | 'parameters'>,
  pattern: string | null,
): DateFormat {
  return pattern === null ? format : requestFormat({ parameters }, pattern)
}
