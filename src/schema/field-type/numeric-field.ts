/** Reading values of the types that are kept as 64-bit integers: numbers, booleans and dates. */
import { EngineError } from '../../util/errors.ts'
import { JSON_TOKENS, type JsonToken } from '../../util/json/json-reader.ts'
import type { LeafValues } from '../leaf-values.ts'
import type { ParsedDocument } from '../parsed-document.ts'
import { isKept, type MappedField } from './mapped-field.ts'
import type { ParameterValues } from './parameter-values.ts'
import { ParsedNumber } from './parsed-number.ts'

/** A field of numbers. */
export interface NumericField extends MappedField {
  readonly docValues: boolean
  readonly ignoreMalformed: boolean
  /** Stands for an explicit null, as it would be written in a document; null: nothing does. */
  readonly nullValue: string | null
}

/** How a type reads its values. Every reader answers whether there is a value; if not, see `problem`. */
export interface NumberReader<F extends NumericField> {
  /** Reads a JSON number, `bytes[start, end)`; `isInteger`: without fraction and exponent. */
  number(
    field: F,
    bytes: Uint8Array,
    start: number,
    end: number,
    isInteger: boolean,
    into: ParsedNumber,
  ): boolean
  /**
   * Reads a value that stands as text.
   * @param isNullValue the text of `null_value`, which stands for a number where others do not
   */
  text(field: F, text: string, isNullValue: boolean, into: ParsedNumber): boolean
  /** Reads `true` or `false`. */
  boolean(field: F, value: boolean, into: ParsedNumber): boolean
  /** Adds the value that was read. */
  push(document: ParsedDocument, ordinal: number, number: ParsedNumber): void
}

/**
 * Adds one scalar, or null, to the document.
 * @throws {EngineError} `mapper_parsing_exception`: no value of the type, unless such are ignored
 */
export function addNumber<F extends NumericField>(
  type: NumberReader<F>,
  field: F,
  ordinal: number,
  token: JsonToken,
  values: LeafValues,
): void {
  const { number } = values
  if (!readNumber(type, field, token, values)) {
    if (number.problem !== '') {
      if (field.ignoreMalformed) {
        values.addIgnored(field.name)
        return
      }
      throw values.valueError(field, token, { type: number.problemType, reason: number.problem })
    }
    // Null, or an empty text: the null value stands for it.
    if (field.nullValue === null) return
    if (!type.text(field, field.nullValue, true, number)) return
  }
  if (isKept(field)) type.push(values.document, ordinal, number)
}

function readNumber<F extends NumericField>(
  type: NumberReader<F>,
  field: F,
  token: JsonToken,
  { reader, number }: LeafValues,
): boolean {
  switch (token) {
    case JSON_TOKENS.number:
      return type.number(field, reader.bytes, reader.start, reader.end, reader.isInteger, number)
    case JSON_TOKENS.string:
      return type.text(field, reader.text(), false, number)
    case JSON_TOKENS.true:
      return type.boolean(field, true, number)
    case JSON_TOKENS.false:
      return type.boolean(field, false, number)
    default:
      return number.fail('')
  }
}

/**
 * Passes over an object where the field wants a number.
 * @throws {EngineError} `mapper_parsing_exception`, unless malformed values are ignored
 */
export function refuseNumberObject(field: NumericField, values: LeafValues): void {
  if (field.ignoreMalformed) {
    values.reader.skipChildren()
    values.addIgnored(field.name)
    return
  }
  throw values.skipObject(field, {
    type: 'json_parse_exception',
    reason: 'Current token (START_OBJECT) not numeric, can not use numeric value accessors',
  })
}

/** The properties that all fields of numbers have, from their parameters. */
export function numericProperties(
  name: string,
  values: ParameterValues,
): Omit<NumericField, 'type'> {
  return {
    name,
    indexed: values.flag('index'),
    parameters: values.given,
    docValues: values.flag('doc_values'),
    ignoreMalformed: values.ignoreMalformed,
    nullValue: values.nullValue,
  }
}

/**
 * The field, once its null value has been read for a trial.
 * @throws {EngineError} `mapper_parsing_exception`: it is no value of the type
 */
export function withCheckedNull<F extends NumericField>(type: NumberReader<F>, field: F): F {
  const number = new ParsedNumber()
  if (field.nullValue !== null && !type.text(field, field.nullValue, true, number))
    throw new EngineError({ type: 'mapper_parsing_exception', reason: number.problem })
  return field
}

/** Refuses `true` and `false`, which no number is. */
export function refuseBoolean(value: boolean, into: ParsedNumber): false {
  return into.fail(
    `Current token (VALUE_${String(value).toUpperCase()}) not numeric, ` +
      'can not use numeric value accessors',
    'json_parse_exception',
  )
}

/**
 * Whether text may stand for a number: only where the field coerces; an empty one is no value then.
 * @param javaName the type as Java names it
 */
export function mayBeText(
  coerce: boolean,
  javaName: string,
  text: string,
  into: ParsedNumber,
): boolean {
  if (!coerce) return into.fail(`${javaName} value passed as String`)
  return text === '' ? into.fail('') : true
}
