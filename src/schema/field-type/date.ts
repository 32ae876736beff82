/** `date` and `date_nanos`: instants, kept as milliseconds or nanoseconds since 1970. */

import { parseLocale } from '../../util/date/date-names.ts'
import type { ParsedInstant } from '../../util/date/resolve-date.ts'
import { UTC } from '../../util/date/time-zone.ts'
import { EngineError } from '../../util/errors.ts'
import { compileDateFormat, type DateFormat, DEFAULT_DATE_PATTERN } from '../date-format.ts'
import { describeNode } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { nanoProblem, nanosOf } from '../nano-instant.ts'
import type { FieldKind } from './field-kind.ts'
import { type FieldParameter, parameter } from './field-parameter.ts'
import { longStorage, pushLong } from './long-values.ts'
import { numberText } from './number-text.ts'
import {
  addNumber,
  type NumberReader,
  type NumericField,
  numericProperties,
  refuseNumberObject,
} from './numeric-field.ts'
import type { ParameterValues } from './parameter-values.ts'
import { ParsedNumber } from './parsed-number.ts'
import {
  boost,
  docValues,
  ignoreMalformed,
  index,
  meta,
  nullValue,
  skipList,
  store,
} from './shared-parameters.ts'

/** The names of the types of instants. */
export type DateTypeName = 'date' | 'date_nanos'

/** A field of instants. */
export interface DateField<T extends DateTypeName = DateTypeName> extends NumericField {
  readonly type: T
  readonly format: DateFormat
  /** Factor of the scores of whole values. */
  readonly boost: number
}

/** A field type of instants. */
export function dateType<T extends DateTypeName>(type: T): FieldKind<DateField<T>> {
  const reader = type === 'date' ? MILLIS_READER : NANOS_READER
  return {
    parameters: [
      index,
      docValues,
      store,
      skipList,
      formatParameter('format', DEFAULT_DATE_PATTERN),
      formatParameter('print_format', null),
      locale,
      nullValue,
      ignoreMalformed,
      boost,
      meta,
    ],
    rules: [],
    build(name, values) {
      const field: DateField<T> = {
        ...numericProperties(name, values),
        type,
        format: formatOf(values),
        boost: values.number('boost', 1),
      }
      // One that is no date is passed over, as in the real server.
      const isDate =
        field.nullValue === null || reader.text(field, field.nullValue, true, new ParsedNumber())
      return isDate ? field : { ...field, nullValue: null }
    },
    storage: longStorage,
    addValue: (field, ordinal, token, values) => addNumber(reader, field, ordinal, token, values),
    refuseObject: refuseNumberObject,
  }
}

function formatParameter(name: string, value: string | null): FieldParameter {
  return parameter(name, value, (node, field) => {
    const pattern = describeNode(node)
    try {
      compileDateFormat(pattern)
    } catch (error) {
      const reason = error instanceof EngineError ? error.message : String(error)
      throw mapperParsingError(`Error parsing [${name}] on field [${field}]: ${reason}`)
    }
    return pattern
  })
}

const locale: FieldParameter = parameter('locale', '', node => parseLocale(describeNode(node)))

function formatOf(values: ParameterValues): DateFormat {
  return compileDateFormat(
    values.text('format') ?? DEFAULT_DATE_PATTERN,
    values.text('locale') ?? '',
  )
}

/** @param take takes the instant, or says why it cannot */
function instantReader(
  take: (instant: Readonly<ParsedInstant>, into: ParsedNumber) => boolean,
): NumberReader<DateField> {
  const instant: ParsedInstant = { millis: 0, nanos: 0 }
  const readText = ({ format }: DateField, text: string, into: ParsedNumber): boolean => {
    if (format.read(text, false, UTC, instant)) return take(instant, into)
    return into.fail(
      text.trim() === ''
        ? 'cannot parse empty date'
        : `failed to parse date field [${text}] with format [${format.pattern}]`,
    )
  }
  return {
    number: (field, bytes, start, end, _isInteger, into) =>
      readText(field, numberText(bytes, start, end), into),
    text: (field, text, _isNullValue, into) => readText(field, text, into),
    boolean: (field, value, into) => readText(field, String(value), into),
    push: pushLong,
  }
}

const MILLIS_READER = instantReader(({ millis }, into) => {
  into.setInteger(millis)
  return true
})

const NANOS_READER = instantReader((instant, into) => {
  const problem = nanoProblem(instant)
  if (problem !== null) return into.fail(problem)
  into.setLong(nanosOf(instant))
  return true
})
