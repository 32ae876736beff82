/** `date`: instants, kept as milliseconds since 1970. */
import { EngineError } from '../../util/errors.ts'
import { compileDateFormat, type DateFormat, DEFAULT_DATE_PATTERN } from '../date-format.ts'
import { describeNode } from '../json-conversion.ts'
import { mapperParsingError, notSupported } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { type FieldParameter, notYet, parameter } from './field-parameter.ts'
import { longStorage, pushLong } from './long-values.ts'
import { numberText } from './number-text.ts'
import {
  addNumber,
  type NumberReader,
  type NumericField,
  refuseNumberObject,
} from './numeric-field.ts'
import type { ParsedNumber } from './parsed-number.ts'
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

/** A field of instants. */
export interface DateField extends NumericField {
  readonly type: 'date'
  readonly format: DateFormat
}

const format: FieldParameter = parameter('format', DEFAULT_DATE_PATTERN, (node, field) => {
  const pattern = describeNode(node)
  try {
    compileDateFormat(pattern)
  } catch (error) {
    const reason = error instanceof EngineError ? error.message : String(error)
    throw mapperParsingError(`Error parsing [format] on field [${field}]: ${reason}`)
  }
  return pattern
})

const locale: FieldParameter = parameter('locale', null, node => {
  const name = describeNode(node)
  if (/^(root|en([_-]US)?)?$/i.test(name)) return name
  throw notSupported(`locale: ${name}`)
})

/** The field type `date`. */
export const date: FieldKind<DateField> = {
  parameters: [
    index,
    docValues,
    store,
    skipList,
    format,
    notYet('print_format'),
    locale,
    nullValue,
    ignoreMalformed,
    boost,
    meta,
  ],
  rules: [],
  build(name, values) {
    const compiled = compileDateFormat(values.text('format') ?? DEFAULT_DATE_PATTERN)
    const given = values.nullValue
    return {
      name,
      type: 'date',
      indexed: values.flag('index'),
      parameters: values.given,
      docValues: values.flag('doc_values'),
      ignoreMalformed: values.ignoreMalformed,
      // One that is no date is passed over, as in the real server.
      nullValue: given === null || compiled.parse(given) === null ? null : given,
      format: compiled,
    }
  },
  storage: longStorage,
  addValue: (field, ordinal, token, values) => addNumber(READER, field, ordinal, token, values),
  refuseObject: refuseNumberObject,
}

const READER: NumberReader<DateField> = {
  number: (field, bytes, start, end, _isInteger, into) =>
    readText(field, numberText(bytes, start, end), into),
  text: (field, text, _isNullValue, into) => readText(field, text, into),
  boolean: (field, value, into) => readText(field, String(value), into),
  push: pushLong,
}

function readText({ format }: DateField, text: string, into: ParsedNumber): boolean {
  const millis = format.parse(text)
  if (millis !== null) {
    into.setInteger(millis)
    return true
  }
  return into.fail(
    text.trim() === ''
      ? 'cannot parse empty date'
      : `failed to parse date field [${text}] with format [${format.pattern}]`,
  )
}
