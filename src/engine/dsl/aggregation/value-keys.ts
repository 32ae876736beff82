/** The keys that say which values an aggregation reads: field, missing, format, time zone, type. */
import type { Aggregation } from '../../../aggregation/aggregation.ts'
import { sortableOf } from '../../../aggregation/sortable-of.ts'
import type { Unmapped } from '../../../aggregation/unmapped/unmapped.ts'
import type {
  AnyValueSource,
  CountedSource,
  NumberSource,
  RangeSource,
  TextSource,
  ValueFormat,
  ValueSource,
} from '../../../aggregation/value-source.ts'
import { compileDateFormat, DEFAULT_DATE_PATTERN } from '../../../schema/date-format.ts'
import { parseDateMath } from '../../../schema/date-math.ts'
import { compileDecimalFormat } from '../../../schema/decimal-format.ts'
import type { ScriptRequest } from '../../../script/script-request.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { findTimeZone, timeZone, UTC } from '../../../util/date/time-zone.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { parseAddress, printAddress } from '../../../util/ip-address.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { derivedField, derivedValues, type NamedDerivedField } from '../derived/derived-field.ts'
import { mappedField } from '../field/field-searches.ts'
import { type MaskedField, maskedField } from '../field/masked-field.ts'
import { readText } from '../json-scalars.ts'
import { parseScript } from '../parse-script.ts'
import type { QueryContext } from '../query-context.ts'
import { scriptFieldOf } from '../script-field.ts'
import { scriptPlan } from '../script-plan.ts'
import { type AggregatedField, fieldValues, unsupportedField } from './field-values.ts'
import type { FieldReaders } from './object-fields.ts'

/** Types of values that `value_type` names, and that aggregations read by default. */
export type ValueTypeName = 'string' | 'number' | 'date' | 'ip' | 'boolean' | 'unsigned_long'

const VALUE_TYPE_NAMES: { readonly [name: string]: ValueTypeName } = {
  string: 'string',
  long: 'number',
  integer: 'number',
  short: 'number',
  byte: 'number',
  double: 'number',
  float: 'number',
  number: 'number',
  numeric: 'number',
  date: 'date',
  date_nanos: 'date',
  ip: 'ip',
  boolean: 'boolean',
  unsigned_long: 'unsigned_long',
}

const WHOLE_TYPES: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte'])

/** The keys as a request gives them. */
export interface ValueKeys {
  field: string | null
  /** The scalar of `missing`. */
  missing: string | null
  format: string | null
  timeZone: string | null
  valueType: ValueTypeName | null
  /** Whether `value_type` names integers. */
  isWhole: boolean
  script: ScriptRequest | null
}

/** Keys of none. */
export function newValueKeys(): ValueKeys {
  return {
    field: null,
    missing: null,
    format: null,
    timeZone: null,
    valueType: null,
    isWhole: false,
    script: null,
  }
}

/** Readers of the keys that an aggregation has. */
export function valueReaders(keys: ValueKeys, has: { readonly zone?: boolean } = {}): FieldReaders {
  const readers: { [key: string]: (value: JsonNode) => void } = {
    field: (value: JsonNode): void => {
      keys.field = readText(value)
    },
    missing: (value: JsonNode): void => {
      keys.missing = readText(value)
    },
    format: (value: JsonNode): void => {
      keys.format = readText(value)
    },
    value_type: (value: JsonNode): void => {
      const name = readText(value)
      const type = Object.hasOwn(VALUE_TYPE_NAMES, name) ? VALUE_TYPE_NAMES[name]! : null
      if (type === null) throw new IllegalArgumentError(`No enum constant for value type [${name}]`)
      keys.valueType = type
      keys.isWhole = WHOLE_TYPES.has(name)
    },
    script: (value: JsonNode): void => {
      keys.script = parseScript(value)
    },
  }
  if (has.zone === true)
    readers['time_zone'] = value => {
      const zone = zoneText(value)
      timeZone(zone)
      keys.timeZone = zone
    }
  return readers
}

/** A zone may be given as hours ahead of UTC. */
function zoneText(value: JsonNode): string {
  if (value.kind !== 'number') return readText(value)
  const hours = String(Math.abs(value.value)).padStart(2, '0')
  return `${value.value < 0 ? '-' : '+'}${hours}:00`
}

/** @throws {IllegalArgumentError} neither a field nor a script is named */
export function checkFieldGiven({ field, script }: ValueKeys): void {
  if (field === null && script === null)
    throw new IllegalArgumentError(
      'Required one of fields [field, script], but none were specified. ',
    )
}

/** The values that an aggregation accepts. */
export interface TakenValues {
  /** Name of the aggregation's type, for errors. */
  readonly aggregation: string
  /** The type of a field that the index lacks. */
  readonly byDefault: ValueTypeName
  /** Whether it takes terms beside numbers. */
  readonly takesTerms: boolean
}

/**
 * The values of an aggregation in an index; null: it has none.
 * @throws {EngineError} it does not take the field, or texts of a script
 */
export function bindValues(
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): ValueSource | null {
  return withoutTexts(bindAnyValues(keys, taken, context), keys, taken)
}

/** The same, where addresses of derived fields are taken too. */
export function bindAddresses(
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): AnyValueSource | null {
  const source = bindAnyValues(keys, taken, context)
  const isAddress = source?.kind === 'texts' && source.format.kind === 'ip' && 'script' in source
  return isAddress ? source : withoutTexts(source, keys, taken)
}

/** @throws {EngineError} the values are texts of no dictionary */
function withoutTexts(
  source: AnyValueSource | null,
  keys: ValueKeys,
  taken: TakenValues,
): ValueSource | null {
  if (source?.kind !== 'texts') return source
  if ('masked' in source)
    throw new IllegalArgumentError(
      `aggregation [${taken.aggregation}] of the masked field [${keys.field}] is not supported yet`,
    )
  throw new EngineError({
    type: 'aggregation_execution_exception',
    reason: `value source of type [bytes] is not supported by scripts of [${taken.aggregation}]`,
    status: 400,
  })
}

/** The same, where texts of scripts are taken too. */
export function bindAnyValues(
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): AnyValueSource | null {
  const { script } = keys
  if (script === null) {
    const derived = derivedField(keys.field ?? '', context)
    return derived === null
      ? bindField(keys, taken, context)
      : bindDerived(derived, keys, taken, context)
  }
  const source =
    keys.field === null
      ? sourceOfType('', keys.valueType ?? taken.byDefault)
      : bindField({ ...keys, missing: null }, taken, context)
  if (source === null) return null
  const plan = scriptPlan(script, 'aggs', context)
  const of = keys.field === null ? null : scriptFieldOf(keys.field, context)
  // The field's sections are read as those that the script names.
  const fields = of === null ? plan.fields : [...plan.fields, { name: keys.field!, field: of }]
  const made = { plan: { ...plan, fields }, of }
  if (source.kind !== 'numbers') {
    const format = withFormat({ kind: 'raw' }, keys)
    return { kind: 'texts', script: made, missing: keys.missing, format }
  }
  // A script makes doubles of numbers of any field; dates stay milliseconds.
  const isDate = source.format.kind === 'date'
  const own: NumberSource = isDate
    ? { ...source, scale: 1, isNanos: false }
    : keys.field === null
      ? wholeWhere(keys.isWhole, source)
      : { ...source, encoding: 'double', scale: 1, type: 'double' }
  const numbers = { ...own, script: made, format: withFormat(own.format, keys) }
  return keys.missing === null ? numbers : withMissing(numbers, keys.missing, context)
}

/** Types of derived values that aggregations read as texts. */
const DERIVED_TEXTS: ReadonlySet<string> = new Set(['keyword', 'text', 'ip', 'object'])

/** The error of places that a script gives, which no aggregation takes. */
export function placesOfScript(): EngineError {
  return new EngineError({
    type: 'aggregation_execution_exception',
    reason: 'value source of type [geopoint] is not supported by scripts',
  })
}

/**
 * The values of a derived field, emitted ahead of the search.
 * @throws {EngineError} the aggregation does not take them
 */
function bindDerived(
  field: NamedDerivedField,
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): AnyValueSource {
  const { name, type, valueType } = field
  if (context.nested.path !== null)
    throw new IllegalArgumentError(
      `the derived field [${name}] below a nested aggregation is not supported yet`,
    )
  if (valueType === 'geo_point') throw placesOfScript()
  const isText = DERIVED_TEXTS.has(valueType)
  if (isText && !taken.takesTerms) throw unsupportedField({ name, type }, taken.aggregation)
  const values = derivedValues(field, context)
  const script = { plan: values.script, of: null, derived: { values, found: null } }
  if (isText) {
    const own = { kind: valueType === 'ip' ? 'ip' : 'raw' } as const
    if (valueType === 'ip')
      checkForm({ name, type: valueType }, { kind: 'texts', format: own }, keys)
    const missing = keys.missing === null ? null : missingText(own, keys.missing)
    return { kind: 'texts', script, missing, format: withFormat(own, keys) }
  }
  const known = valueType === 'date' || valueType === 'boolean' ? valueType : 'number'
  const source = wholeWhere(valueType === 'long', sourceOfType('', known) as NumberSource)
  const numbers = { ...source, script, format: withFormat(source.format, keys) }
  return keys.missing === null
    ? numbers
    : (withMissing(numbers, keys.missing, context) as NumberSource)
}

/** Numbers of a script without a field: doubles, unless a request says otherwise. */
function wholeWhere(isWhole: boolean, source: NumberSource): NumberSource {
  return isWhole ? { ...source, encoding: 'long', type: 'long' } : source
}

function bindField(
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): AnyValueSource | null {
  const name = keys.field ?? ''
  const masked = maskedField(name, context)
  if (masked !== null) return maskedValues(masked, keys, taken)
  const field = mappedField(name, context)
  const source =
    field === null
      ? keys.missing === null
        ? null
        : sourceOfType(context.absentName(name), keys.valueType ?? taken.byDefault)
      : fieldValues(field, taken.aggregation)
  if (source === null) return null
  if (source.kind !== 'numbers' && !taken.takesTerms)
    throw unsupportedField({ name, type: field?.type ?? 'keyword' }, taken.aggregation)
  if (field !== null) checkForm(field, source, keys)
  const formatted = { ...source, format: withFormat(source.format, keys) }
  return keys.missing === null ? formatted : withMissing(formatted, keys.missing, context)
}

/**
 * The masks of a field's terms, which stand by document in place of them.
 * @throws {IllegalArgumentError} the aggregation does not take the field
 */
function maskedValues(
  { field, mask }: MaskedField,
  keys: ValueKeys,
  { aggregation, takesTerms }: TakenValues,
): TextSource {
  const source = fieldValues(field, aggregation)
  if (source.kind !== 'terms' || !takesTerms) throw unsupportedField(field, aggregation)
  checkForm(field, source, keys)
  const masked = { field: source.field, fieldData: source.fieldData, mask: mask.plan }
  return { kind: 'texts', masked, missing: keys.missing, format: source.format }
}

/** The values of an aggregation of numbers; null: the index has none. */
export function bindNumbers(
  keys: ValueKeys,
  taken: Omit<TakenValues, 'takesTerms'>,
  context: QueryContext,
): NumberSource | null {
  const source = bindValues(keys, { ...taken, takesTerms: false }, context)
  return source?.kind === 'numbers' ? source : null
}

/** The plan over values that an index has or has not. */
export function overValues<S extends CountedSource | RangeSource>(
  source: S | null,
  model: S,
  plan: (source: S) => Exclude<Aggregation, Unmapped>,
): Aggregation {
  if (source !== null) return plan(source)
  const made = plan(model)
  return { kind: 'unmapped', name: made.name, children: [], model: made }
}

/** Numbers that no document has. */
export function noNumbers(
  { field, format, timeZone: zone }: ValueKeys,
  type: ValueTypeName,
): NumberSource {
  const source = sourceOfType(field ?? '', type) as NumberSource
  // The format may be one for another type, that of a field which the index has.
  return { ...source, format: formatOf(source.format, format, zone) }
}

/** Values of a field that the index lacks. */
export function sourceOfType(field: string, type: ValueTypeName): ValueSource {
  if (type === 'string' || type === 'ip')
    return {
      kind: 'terms',
      field,
      fieldData: null,
      missing: null,
      format: { kind: type === 'ip' ? 'ip' : 'raw' },
    }
  const isLong = type === 'date' || type === 'boolean'
  return {
    kind: 'numbers',
    field,
    encoding: type === 'unsigned_long' ? 'unsignedLong' : isLong ? 'long' : 'double',
    scale: 1,
    type: type === 'unsigned_long' ? 'unsignedLong' : isLong ? 'long' : 'double',
    isNanos: false,
    missing: null,
    format:
      type === 'date'
        ? { kind: 'date', pattern: DEFAULT_DATE_PATTERN, locale: '', zone: null }
        : { kind: type === 'boolean' ? 'boolean' : 'raw' },
  }
}

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

function formatOf(own: ValueFormat, format: string | null, zone: string | null): ValueFormat {
  if (own.kind === 'date') return { ...own, pattern: format ?? own.pattern, zone }
  return format === null || own.kind !== 'raw' ? own : { kind: 'decimal', pattern: format }
}

/** A source whose documents without a value have one. */
function withMissing(source: ValueSource, text: string, context: QueryContext): ValueSource {
  switch (source.kind) {
    case 'constant':
      return source
    case 'terms':
      return { ...source, missing: missingTerm(source.format, text) }
    case 'numbers':
      return { ...source, missing: sortableOf(source, numberOf(source, text, context)) }
  }
}

/** The text that documents without one have; addresses have one text each. */
function missingText(format: ValueFormat, text: string): string {
  return format.kind === 'ip' ? printAddress(missingTerm(format, text)) : text
}

function missingTerm(format: ValueFormat, text: string): Uint8Array {
  if (format.kind !== 'ip') return encodeUtf8(text)
  const address = parseAddress(text)
  if (address === null) throw new IllegalArgumentError(`'${text}' is not an IP string literal.`)
  return address
}

/**
 * A value of a request as a number of the source.
 * @throws {EngineError} it is none
 */
export function numberOf(
  { format }: Pick<NumberSource, 'format'>,
  text: string,
  context: QueryContext,
): number {
  if (format.kind === 'boolean') {
    if (text === 'true') return 1
    if (text === 'false') return 0
  }
  if (format.kind === 'date') {
    const zone = format.zone === null ? UTC : (findTimeZone(format.zone) ?? UTC)
    const { nowInMillis } = context
    const compiled = compileDateFormat(format.pattern, format.locale)
    return parseDateMath(text, { format: compiled, nowInMillis, roundUp: false, zone }).millis
  }
  return plainNumber(text)
}

/**
 * A decimal number.
 * @throws {EngineError} `number_format_exception`: it is none
 */
export function plainNumber(text: string): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new EngineError({
    type: 'number_format_exception',
    reason: `For input string: "${text}"`,
  })
}
