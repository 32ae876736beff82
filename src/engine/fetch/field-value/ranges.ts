import {
  compileDateFormat,
  type DateFormat,
  DEFAULT_DATE_PATTERN,
} from '../../../schema/date-format.ts'
import { integerPart, javaDecimal } from '../../../schema/field-type/number-text.ts'
import { type RangeField, readEnds } from '../../../schema/field-type/range.ts'
import { RANGE_ENDS } from '../../../schema/field-type/range-ends.ts'
import type { ParsedInstant } from '../../../util/date/resolve-date.ts'
import { UTC } from '../../../util/date/time-zone.ts'
import { parseAddress, printAddress } from '../../../util/ip-address.ts'
import { Float32, Float64, type JsonValue } from '../../../util/json/json-value.ts'
import { checkDocValues, printLong } from '../../dsl/field/number-sort.ts'
import { scalarText } from '../../dsl/json-scalars.ts'
import { bytesOf } from './columns.ts'
import { formatOf } from './dates.ts'
import { type FieldValue, refuseFormat, refuseSourceFormat } from './field-value.ts'

/** How an end of an interval prints; null: it is no end of the type. */
type PrintEnd = (text: string) => JsonValue | null

/**
 * Values of intervals: the objects of the source, their ends as values of their type; by document both ends
 * included, without those that are open.
 */
export const ranges: FieldValue<RangeField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    const print = columnEndPrinter(field, format)
    const { min, max } = RANGE_ENDS[field.type]
    return bytesOf(field, bytes => {
      const [from, to] = readEnds(field.type, bytes)
      return new Map([
        ...(from > min ? [['gte', print(from)] as const] : []),
        ...(to < max ? [['lte', print(to)] as const] : []),
      ])
    })
  },
  source(field, format) {
    const print = endPrinter(field, format)
    return value => {
      if (field.type === 'ip_range' && value.kind === 'string') return value.value
      if (value.kind !== 'object') return undefined
      return new Map(
        value.entries.map(({ key, value: end }) => {
          const text = scalarText(end)
          return [key, text === null ? null : print(text)]
        }),
      )
    }
  },
}

/** Prints ends as columns keep them. @throws {IllegalArgumentError} a format of other ends than dates */
function columnEndPrinter(field: RangeField, format: string | null): (end: bigint) => JsonValue {
  if (field.type === 'date_range') {
    const { print } = formatOf({ format: ownFormat(field), parameters: field.parameters }, format)
    return end => print(Number(end))
  }
  refuseFormat(field, format)
  const { print: textOf } = RANGE_ENDS[field.type]
  const print = PRINTERS[field.type]
  return end => print(textOf(end))
}

function ownFormat({ format }: RangeField): DateFormat {
  return format ?? compileDateFormat(DEFAULT_DATE_PATTERN)
}

function endPrinter(field: RangeField, format: string | null): PrintEnd {
  if (field.type === 'date_range') return datePrinter(field, format)
  refuseSourceFormat(field, format)
  return PRINTERS[field.type]
}

const whole: PrintEnd = text => {
  const value = integerPart(text.trim())?.value ?? null
  return value === null ? null : printLong(value)
}

const PRINTERS: { readonly [T in Exclude<RangeField['type'], 'date_range'>]: PrintEnd } = {
  integer_range: whole,
  long_range: whole,
  float_range: text => decimal(text, value => new Float32(value)),
  double_range: text => decimal(text, value => new Float64(value)),
  ip_range: text => {
    const address = parseAddress(text)
    return address === null ? null : printAddress(address)
  },
}

function decimal(text: string, print: (value: number) => JsonValue): JsonValue {
  const value = javaDecimal(text)
  return value === null ? null : print(value)
}

function datePrinter(field: RangeField, pattern: string | null): PrintEnd {
  const own = ownFormat(field)
  const { print } = formatOf({ format: own, parameters: field.parameters }, pattern)
  const instant: ParsedInstant = { millis: 0, nanos: 0 }
  return text => (own.read(text, false, UTC, instant) ? print(instant.millis) : null)
}
