/** `scaled_float`: decimal numbers, kept as whole multiples of one over their factor. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import { describeNode } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { type FieldParameter, parameter } from './field-parameter.ts'
import { longStorage, pushLong } from './long-values.ts'
import { clampToLong, decimal, javaDecimal, javaText } from './number-text.ts'
import {
  addNumber,
  mayBeText,
  type NumberReader,
  type NumericField,
  numericProperties,
  refuseBoolean,
  refuseNumberObject,
  withCheckedNull,
} from './numeric-field.ts'
import type { ParsedNumber } from './parsed-number.ts'
import {
  coerce,
  docValues,
  ignoreMalformed,
  index,
  meta,
  nullValue,
  skipList,
  store,
} from './shared-parameters.ts'

/** A field of scaled numbers. */
export interface ScaledFloatField extends NumericField {
  readonly type: 'scaled_float'
  /** Whether texts stand for numbers. */
  readonly coerce: boolean
  /** Positive and finite: values are kept times this, rounded. */
  readonly scalingFactor: number
}

const scalingFactor: FieldParameter = parameter('scaling_factor', null, node => {
  const text = describeNode(node)
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value))
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  if (!(value > 0) || !Number.isFinite(value))
    throw new IllegalArgumentError(
      `[scaling_factor] must be a positive number, got [${javaDouble(value)}]`,
    )
  return new Float64(value)
})

/** The field type `scaled_float`. */
export const scaledFloat: FieldKind<ScaledFloatField> = {
  parameters: [
    index,
    docValues,
    store,
    skipList,
    ignoreMalformed,
    meta,
    scalingFactor,
    coerce,
    nullValue,
  ],
  rules: [checkFactor],
  build: (name, values) =>
    withCheckedNull<ScaledFloatField>(READER, {
      ...numericProperties(name, values),
      type: 'scaled_float',
      coerce: values.coerce,
      scalingFactor: values.number('scaling_factor', 1),
    }),
  storage: longStorage,
  addValue: (field, ordinal, token, values) => addNumber(READER, field, ordinal, token, values),
  refuseObject: refuseNumberObject,
}

/** The sortable integer of a finite number; Java's `Math.round`, half up, past the range its end. */
export function scaledLong(field: ScaledFloatField, value: number): bigint {
  return clampToLong(Math.floor(value * field.scalingFactor + 0.5))
}

const READER: NumberReader<ScaledFloatField> = {
  number: (field, bytes, start, end, isInteger, into) =>
    setScaled(field, decimal(bytes, start, end, isInteger), into),
  text(field, text, isNullValue, into) {
    if (!mayBeText(isNullValue || field.coerce, 'Float', text, into)) return false
    const value = javaDecimal(text)
    if (value === null) return into.fail(`For input string: "${text}"`, 'number_format_exception')
    return setScaled(field, value, into)
  },
  boolean: (_field, value, into) => refuseBoolean(value, into),
  push: pushLong,
}

function setScaled(field: ScaledFloatField, value: number, into: ParsedNumber): boolean {
  if (!Number.isFinite(value))
    return into.fail(`[scaled_float] only supports finite values, but got [${javaText(value)}]`)
  const scaled = Math.floor(value * field.scalingFactor + 0.5)
  if (Math.abs(scaled) <= Number.MAX_SAFE_INTEGER) into.setInteger(scaled)
  else into.setLong(clampToLong(scaled))
  return true
}

function checkFactor(_name: string, given: ReadonlyMap<string, JsonValue>): void {
  if (!given.has('scaling_factor')) throw mapperParsingError('Field [scaling_factor] is required')
}

/** A double as Java prints it in messages. */
function javaDouble(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
