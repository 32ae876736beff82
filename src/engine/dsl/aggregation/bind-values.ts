/** The values that keys name, in one index: those of a field, a derived field, masks of terms, ids, or a script. */
import type { Aggregation } from '../../../aggregation/aggregation.ts'
import type { Unmapped } from '../../../aggregation/unmapped/unmapped.ts'
import type {
  AnyValueSource,
  CountedSource,
  NumberSource,
  RangeSource,
  TextSource,
  ValueSource,
} from '../../../aggregation/value-source.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { derivedField, derivedValues, type NamedDerivedField } from '../derived/derived-field.ts'
import { mappedField } from '../field/field-searches.ts'
import { type MaskedField, maskedField } from '../field/masked-field.ts'
import { ID_IS_CLOSED } from '../field/metadata/id.ts'
import type { IdField } from '../field/metadata/metadata-field.ts'
import type { QueryContext } from '../query-context.ts'
import { scriptFieldOf } from '../script-field.ts'
import { scriptPlan } from '../script-plan.ts'
import { fieldValues, unsupportedField } from './field-values.ts'
import { missingText, withMissing } from './missing-value.ts'
import { sourceOfType } from './typed-source.ts'
import { checkForm, withFormat } from './value-form.ts'
import type { ValueKeys, ValueTypeName } from './value-keys.ts'

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
  if ('ids' in source)
    throw new IllegalArgumentError(
      `aggregation [${taken.aggregation}] of the field [${keys.field}] is not supported yet`,
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
  if (field?.type === '_id') return idValues(field, keys, taken)
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
 * The ids of documents.
 * @throws {IllegalArgumentError} the aggregation takes none, or the cluster lets nobody load them
 */
function idValues(
  field: IdField,
  keys: ValueKeys,
  { aggregation, takesTerms }: TakenValues,
): TextSource {
  if (!takesTerms) throw unsupportedField(field, aggregation)
  if (!field.isLoadable) throw new IllegalArgumentError(ID_IS_CLOSED)
  const source = {
    kind: 'texts',
    ids: true,
    missing: keys.missing,
    format: { kind: 'raw' },
  } as const
  checkForm(field, source, keys)
  return source
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
