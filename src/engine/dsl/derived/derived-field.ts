/** Derived fields as queries and answers name them. */
import type { DerivedField, DerivedType } from '../../../schema/derived-field.ts'
import { buildField } from '../../../schema/field-builder.ts'
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { FieldType, FieldTypeName } from '../../../schema/field-type.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../../schema/mapping.ts'
import type { DerivedValues } from '../../../search/script/derived-values.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { expensive } from '../expensive.ts'
import { parseScript } from '../parse-script.ts'
import type { QueryContext } from '../query-context.ts'

/** A derived field, or the field of a member of one that emits objects. */
export interface NamedDerivedField extends MappedField {
  readonly type: 'derived'
  readonly definition: DerivedField
  readonly valueType: DerivedType
  /** Where in the emitted objects the values stand; null: they are emitted themselves. */
  readonly path: string | null
  /** The field that a mapping would have for such values. */
  readonly inner: FieldType
}

const NO_PARAMETERS: MappedField['parameters'] = new Map()

/**
 * The derived field of a name; null: there is none.
 * @throws {EngineError} settings forbid derived fields, or a member's type is not known
 */
export function derivedField(name: string, context: QueryContext): NamedDerivedField | null {
  const { derived } = context
  if (derived.size === 0) return null
  const dot = name.indexOf('.')
  const whole = derived.get(name)
  const definition = whole ?? (dot < 0 ? undefined : derived.get(name.slice(0, dot)))
  if (definition === undefined || (whole === undefined && definition.type !== 'object')) return null
  checkAllowed(context)
  const path = dot < 0 ? null : name.slice(dot + 1)
  const valueType = whole?.type ?? definition.properties.get(path!)
  if (valueType === undefined)
    throw new IllegalArgumentError(
      `inferring the type of the derived field [${name}] is not supported yet: ` +
        `[properties] of [${definition.name}] must name it`,
    )
  return {
    name,
    type: 'derived',
    indexed: false,
    parameters: NO_PARAMETERS,
    definition,
    valueType,
    path,
    inner: derivedInner(name, valueType),
  }
}

/**
 * A field of the mapping, for what takes no derived ones; null: there is none.
 * @param asker as errors name it
 * @throws {IllegalArgumentError} the name is a derived field's
 */
export function plainField(name: string, asker: string, context: QueryContext): FieldType | null {
  if (derivedField(name, context) !== null)
    throw new IllegalArgumentError(`[${asker}] on the derived field [${name}] is not supported yet`)
  return context.mapping.field(name)
}

/** The derived fields whose names match a pattern, members of objects apart. */
export function derivedNamesLike(
  matches: (name: string) => boolean,
  { derived }: Pick<QueryContext, 'derived'>,
): readonly string[] {
  return [...derived.keys()].filter(matches)
}

/**
 * The field that a mapping would have for the values of a type; an object has its text.
 * @param ignoresMalformed whether documents go without a value that is none of the type
 */
export function derivedInner(
  name: string,
  type: string,
  ignoresMalformed: boolean = false,
): FieldType {
  const mapped: FieldTypeName = type === 'object' ? 'keyword' : (type as FieldTypeName)
  const limits = { ...DEFAULT_MAPPING_LIMITS, ignoreMalformed: ignoresMalformed }
  return buildField(name, mapped, NO_PARAMETERS, [], [], limits)
}

/**
 * The values of a derived field for the documents of an index.
 * @throws {EngineError} the script does not compile, or the index keeps no sources
 */
export function derivedValues(
  { name, definition, valueType, path }: NamedDerivedField,
  context: QueryContext,
): DerivedValues {
  if (context.mapping.options.source?.enabled === false)
    throw new IllegalArgumentError(
      'DerivedFieldQuery error: unable to fetch fields from _source field: _source is disabled in ' +
        `the mappings for index [${context.index}]`,
    )
  const script = context.planScript(parseScript(definition.script), 'derived_field', context)
  return {
    name,
    type: valueType,
    script,
    readsSource: script.source.includes('_source'),
    path,
    ignoresMalformed: definition.ignoresMalformed,
  }
}

function checkAllowed({ allowsDerived, allowsExpensive }: QueryContext): void {
  if (!allowsDerived)
    throw expensive(
      "[derived field] queries cannot be executed when 'index.query.derived_field.enabled' or " +
        "'search.derived_field.enabled' is set to false.",
    )
  if (!allowsExpensive)
    throw expensive(
      "[derived field] queries cannot be executed when 'search.allow_expensive_queries' is set to " +
        'false.',
    )
}
