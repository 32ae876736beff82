/**
 * Values of requests as the fields of an index hold them: terms, and intervals of sortable
 * integers.
 */
import { compileDateFormat, type DateFormat } from '../../schema/date-format.ts'
import { parseDateMath } from '../../schema/date-math.ts'
import type { FieldType } from '../../schema/field-type.ts'
import {
  decodePoint,
  encodePoint,
  highHalf,
  lowHalf,
  MAX_LONG,
  MIN_LONG,
  type PointEncoding,
} from '../../search/query/point-value.ts'
import { matchNone, type Query } from '../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { QueryContext } from './query-context.ts'

/** One end of a range as the request gives it. */
export interface RangeEnd {
  readonly text: string
  readonly isIncluded: boolean
}

/** What a range says besides its ends; for dates. */
export interface RangeOptions {
  readonly format: string | null
  readonly timeZone: string | null
}

const NO_OPTIONS: RangeOptions = { format: null, timeZone: null }

/** How a field's numbers are held; null for fields of terms. */
export function encodingOf(field: FieldType): PointEncoding | null {
  switch (field.type) {
    case 'text':
    case 'keyword':
      return null
    case 'double':
    case 'float':
      return field.type
    case 'half_float':
      return 'halfFloat'
    default:
      return 'long'
  }
}

/** Whether a field is of a number type; dates and booleans are not. */
export function isNumber(field: FieldType): boolean {
  return !['text', 'keyword', 'boolean', 'date'].includes(field.type)
}

/** Refuses a field that neither terms nor doc values can be searched in. */
export function checkSearchable(field: FieldType): void {
  if (field.type === 'text') {
    if (!field.indexed)
      throw new IllegalArgumentError(
        `Cannot search on field [${field.name}] since it is not indexed.`,
      )
  } else if (!field.indexed && !field.docValues)
    throw new IllegalArgumentError(
      `Cannot search on field [${field.name}] since it is both not indexed, and does not have ` +
        'doc_values enabled.',
    )
}

/** Documents whose field has exactly this value, by the rules of `term`. */
export function termQuery(field: FieldType, text: string, context: QueryContext): Query {
  checkSearchable(field)
  const { name } = field
  switch (field.type) {
    case 'text':
      return { kind: 'term', field: name, term: text }
    case 'keyword': {
      const term = context.normalize(field, text)
      if (!field.indexed) return termBetween(name, { text: term, isIncluded: true }, null, term)
      const query: Query = { kind: 'term', field: name, term }
      return field.useSimilarity ? query : { kind: 'constantScore', query }
    }
    case 'boolean': {
      const value = booleanOf(text)
      if (field.indexed) return { kind: 'term', field: name, term: value ? 'T' : 'F' }
      return pointBetween(field, value ? 1n : 0n, value ? 1n : 0n)
    }
    case 'date': {
      const end = { text, isIncluded: true }
      return dateSpan(field, end, end, NO_OPTIONS, context)
    }
    default: {
      const value = exactValue(field, text)
      if (value === null) return matchNone(`Value [${text}] has a decimal part`)
      return pointBetween(field, value, value)
    }
  }
}

/**
 * A single value of a numeric field as its sortable integer; a date may be formatted or have maths.
 * @throws {EngineError} not a value of the field
 */
export function pointValue(field: FieldType, text: string): bigint {
  if (field.type === 'boolean') return booleanOf(text) ? 1n : 0n
  if (field.type === 'date') {
    const millis = field.format?.parse(text) ?? null
    if (millis !== null) return BigInt(millis)
    throw new EngineError({
      type: 'parse_exception',
      reason: `failed to parse date field [${text}] with format [${field.format?.pattern}]`,
    })
  }
  const value = exactValue(field, text)
  if (value === null) throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
  return value
}

/** Documents whose field has one of these values; `texts` is not empty. */
export function termsQuery(
  field: FieldType,
  texts: readonly string[],
  context: QueryContext,
): Query {
  checkSearchable(field)
  const { name, indexed, docValues } = field
  if (field.type === 'text' || (field.type === 'keyword' && indexed)) {
    const normalize = field.type === 'keyword'
    const terms = new Set(texts.map(text => (normalize ? context.normalize(field, text) : text)))
    return { kind: 'termsInSet', field: name, terms: [...terms].sort(byCodePoints) }
  }
  if (isNumber(field)) {
    const values = new Set(texts.flatMap(text => exactValue(field, text) ?? []))
    if (values.size === 0) return matchNone('Matching no documents because no terms present')
    const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const printed = sorted.map(value => pointText(field, value))
    return { kind: 'pointInSet', field: name, values: sorted, texts: printed, indexed, docValues }
  }
  const clauses = [...new Set(texts)].map(text => ({
    occur: 'should' as const,
    query: termQuery(field, text, context),
  }))
  const query: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  return { kind: 'constantScore', query }
}

/** Documents whose field has a value between two ends; null is open. */
export function rangeQuery(
  field: FieldType,
  lower: RangeEnd | null,
  upper: RangeEnd | null,
  options: RangeOptions,
  context: QueryContext,
): Query {
  checkSearchable(field)
  switch (field.type) {
    case 'text':
      return termBetween(field.name, lower, upper)
    case 'keyword':
      return termBetween(
        field.name,
        normalized(field, lower, context),
        normalized(field, upper, context),
      )
    case 'boolean': {
      const from = booleanEnd(lower, 0n, 1n)
      const to = booleanEnd(upper, 1n, -1n)
      if (field.docValues) return pointBetween({ ...field, indexed: false }, from, to)
      return termBetween(field.name, termEnd(lower), termEnd(upper))
    }
    case 'date': {
      const query = dateSpan(field, lower, upper, options, context)
      return query.kind === 'pointRange' ? { ...query, isDateRange: true } : query
    }
    case 'scaled_float':
      return scaledRange(field, lower, upper)
    case 'double':
    case 'float':
    case 'half_float': {
      const encoding = encodingOf(field) ?? 'double'
      const from = lower === null ? null : encodePoint(floatOf(field, lower.text), encoding)
      const to = upper === null ? null : encodePoint(floatOf(field, upper.text), encoding)
      const infinity = encodePoint(Number.POSITIVE_INFINITY, encoding)
      return pointBetween(
        field,
        from === null ? encodePoint(Number.NEGATIVE_INFINITY, encoding) : next(from, lower, 1n),
        to === null ? infinity : next(to, upper, -1n),
      )
    }
    default: {
      const from = lower === null ? MIN_LONG : integerEnd(field, lower, true)
      const to = upper === null ? MAX_LONG : integerEnd(field, upper, false)
      return pointBetween(field, from, to)
    }
  }
}

/** A value as responses and descriptions print it: longs plain, dates in epoch milliseconds. */
export function pointText(field: FieldType, value: bigint): string {
  const encoding = encodingOf(field)
  if (field.type === 'scaled_float') return String(Number(value) / field.scalingFactor)
  if (encoding === 'long' || encoding === null) return String(value)
  return javaNumber(decodePoint(highHalf(value), lowHalf(value), encoding))
}

// ---- terms --------------------------------------------------------------------------------------

function termBetween(
  field: string,
  lower: RangeEnd | null,
  upper: RangeEnd | null,
  exact?: string,
): Query {
  return {
    kind: 'termRange',
    field,
    lower: lower?.text ?? null,
    upper: exact ?? upper?.text ?? null,
    includeLower: lower?.isIncluded ?? true,
    includeUpper: upper?.isIncluded ?? true,
  }
}

function normalized(
  field: FieldType,
  end: RangeEnd | null,
  context: QueryContext,
): RangeEnd | null {
  return end === null ? null : { ...end, text: context.normalize(field, end.text) }
}

/** UTF-8 order is that of code points, which differs from the order of UTF-16 units. */
export function byCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x === y) continue
    const [xHigh, yHigh] = [(x & 0xf800) === 0xd800, (y & 0xf800) === 0xd800]
    if (xHigh !== yHigh) return xHigh ? 1 : -1
    return x - y
  }
  return a.length - b.length
}

// ---- numbers ------------------------------------------------------------------------------------

function pointBetween(field: FieldType, lower: bigint, upper: bigint): Query {
  if (lower > upper) return matchNone('no value lies in the range')
  return {
    kind: 'pointRange',
    field: field.name,
    lower,
    upper,
    lowerText: pointText(field, lower),
    upperText: pointText(field, upper),
    indexed: field.indexed && field.type !== 'boolean',
    docValues: field.docValues,
  }
}

function next(value: bigint, end: RangeEnd | null, step: bigint): bigint {
  return end?.isIncluded === false ? value + step : value
}

/** The value of `term`: null for an integer field and a fraction. */
function exactValue(field: FieldType, text: string): bigint | null {
  switch (field.type) {
    case 'double':
    case 'float':
    case 'half_float':
      return encodePoint(floatOf(field, text), encodingOf(field) ?? 'double')
    case 'scaled_float':
      return longOf(Math.floor(floatOf(field, text) * field.scalingFactor + 0.5))
    default: {
      const { whole, rest } = decimalOf(text)
      if (rest !== 0) return null
      return checkRange(field, whole, text)
    }
  }
}

/** An end of an integer field's range: fractions move inward. */
function integerEnd(field: FieldType, end: RangeEnd, isLower: boolean): bigint {
  const { whole, rest } = decimalOf(end.text)
  checkRange(field, whole, end.text)
  if (rest === 0) return end.isIncluded ? whole : whole + (isLower ? 1n : -1n)
  if (isLower) return rest > 0 ? whole + 1n : whole
  return rest > 0 ? whole : whole - 1n
}

const INTEGER_BITS: Readonly<Record<string, bigint>> = { byte: 8n, short: 16n, integer: 32n }

function checkRange(field: FieldType, value: bigint, text: string): bigint {
  const bits = INTEGER_BITS[field.type] ?? 64n
  const limit = 2n ** (bits - 1n)
  if (value >= -limit && value < limit) return value
  const article = field.type === 'integer' ? 'an' : 'a'
  throw new IllegalArgumentError(`Value [${text}] is out of range for ${article} ${field.type}`)
}

/** Digits ahead of the point, and the sign of what is behind it. */
function decimalOf(text: string): { whole: bigint; rest: -1 | 0 | 1 } {
  const shape = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text.trim())
  const [, sign = '', digits = '', fraction = '', power = '0'] = shape ?? []
  const exponent = Number(power)
  if (shape === null || digits + fraction === '' || Math.abs(exponent) > 400)
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  const all = digits + fraction
  const point = digits.length + exponent
  const whole = point <= 0 ? '0' : all.slice(0, point).padEnd(point, '0')
  const behind = point < 0 ? all : all.slice(point)
  const value = BigInt(whole === '' ? '0' : whole)
  const hasRest = /[1-9]/.test(behind)
  if (sign === '-') return { whole: -value, rest: hasRest ? -1 : 0 }
  return { whole: value, rest: hasRest ? 1 : 0 }
}

function floatOf(field: FieldType, text: string): number {
  const trimmed = text.trim()
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/.test(trimmed)
  const special = /^[+-]?(NaN|Infinity)$/.test(trimmed)
  if (!isNumber && !special)
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  const value = Number(trimmed.replace(/[dDfF]$/, ''))
  const held = field.type === 'float' || field.type === 'half_float' ? Math.fround(value) : value
  if (!Number.isFinite(held) || (field.type === 'half_float' && Math.abs(held) >= 65520)) {
    if (field.type === 'scaled_float')
      throw new IllegalArgumentError(
        `[scaled_float] only supports finite values, but got [${javaNumber(value)}]`,
      )
    throw new IllegalArgumentError(
      `[${field.type}] supports only finite values, but got [${javaNumber(value)}]`,
    )
  }
  return held
}

function scaledRange(field: FieldType, lower: RangeEnd | null, upper: RangeEnd | null): Query {
  let from = MIN_LONG
  let to = MAX_LONG
  if (lower !== null) {
    const scaled = floatOf(field, lower.text) * field.scalingFactor
    from = longOf(Math.ceil(scaled))
    if (!lower.isIncluded && Number(from) === scaled) from += 1n
  }
  if (upper !== null) {
    const scaled = floatOf(field, upper.text) * field.scalingFactor
    to = longOf(Math.floor(scaled))
    if (!upper.isIncluded && Number(to) === scaled) to -= 1n
  }
  return pointBetween(field, from, to)
}

function longOf(value: number): bigint {
  if (value >= 2 ** 63) return MAX_LONG
  return value < -(2 ** 63) ? MIN_LONG : BigInt(value)
}

function javaNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e7 ? `${value}.0` : String(value)
}

// ---- booleans and dates -------------------------------------------------------------------------

function booleanOf(text: string): boolean {
  if (text === 'true' || text === 'T') return true
  if (text === 'false' || text === 'F' || text === '') return false
  throw new IllegalArgumentError(`Can't parse boolean value [${text}], expected [true] or [false]`)
}

function booleanEnd(end: RangeEnd | null, open: bigint, step: bigint): bigint {
  if (end === null) return open
  const value = booleanOf(end.text) ? 1n : 0n
  return end.isIncluded ? value : value + step
}

function termEnd(end: RangeEnd | null): RangeEnd | null {
  return end === null ? null : { ...end, text: booleanOf(end.text) ? 'T' : 'F' }
}

/** Missing parts are filled downward for gte and lt, upward for gt and lte. */
function dateSpan(
  field: FieldType,
  lower: RangeEnd | null,
  upper: RangeEnd | null,
  options: RangeOptions,
  context: QueryContext,
): Query {
  const format = options.format === null ? field.format : compileDateFormat(options.format)
  const offset = options.timeZone === null ? 0 : zoneOffset(options.timeZone)
  const millis = (end: RangeEnd, roundUp: boolean): bigint =>
    BigInt(
      parseDateMath(end.text, {
        format: format as DateFormat,
        nowInMillis: context.nowInMillis,
        roundUp,
        offsetInMillis: offset,
      }),
    )
  let from = MIN_LONG
  let to = MAX_LONG
  if (lower !== null) from = lower.isIncluded ? millis(lower, false) : millis(lower, true) + 1n
  if (upper !== null) to = upper.isIncluded ? millis(upper, true) : millis(upper, false) - 1n
  return pointBetween(field, from, to)
}

/** An offset such as `+01:00` in milliseconds; region names are not known. */
function zoneOffset(zone: string): number {
  if (zone === 'Z' || zone === 'UTC' || zone === 'GMT') return 0
  const shape = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  if (shape === null)
    throw new IllegalArgumentError(`The time-zone ID [${zone}] is not supported, use an offset`)
  const minutes = Number(shape[2]) * 60 + Number(shape[3] ?? 0)
  return (shape[1] === '-' ? -1 : 1) * minutes * 60_000
}
