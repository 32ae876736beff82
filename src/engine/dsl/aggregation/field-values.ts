/** The values of fields as aggregations read them: the table by field type. */
import type { ValueFormat, ValueSource } from '../../../aggregation/value-source.ts'
import type { DateFormat } from '../../../schema/date-format.ts'
import type { FlatObjectField } from '../../../schema/field-type/flat-object.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import { type EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { MetadataField } from '../field/metadata/metadata-field.ts'
import { valuesKey } from '../number-column.ts'

/** A field that an aggregation names. */
export type AggregatedField = FieldType | MetadataField

/** Categories of the values of field types. */
type ValueType = 'number' | 'unsigned' | 'date' | 'nanos' | 'boolean' | 'text' | 'ip' | 'none'

const VALUE_TYPES: { readonly [T in AggregatedField['type']]: ValueType } = {
  text: 'text',
  match_only_text: 'text',
  search_as_you_type: 'text',
  keyword: 'text',
  wildcard: 'text',
  constant_keyword: 'text',
  flat_object: 'text',
  completion: 'none',
  token_count: 'number',
  rank_feature: 'none',
  rank_features: 'none',
  long: 'number',
  integer: 'number',
  short: 'number',
  byte: 'number',
  unsigned_long: 'unsigned',
  double: 'number',
  float: 'number',
  half_float: 'number',
  scaled_float: 'number',
  boolean: 'boolean',
  date: 'date',
  date_nanos: 'nanos',
  ip: 'ip',
  binary: 'none',
  geo_point: 'none',
  geo_shape: 'none',
  knn_vector: 'none',
  integer_range: 'none',
  long_range: 'none',
  float_range: 'none',
  double_range: 'none',
  date_range: 'none',
  ip_range: 'none',
  join: 'text',
  _id: 'text',
  _index: 'text',
  _routing: 'text',
  _ignored: 'text',
  _seq_no: 'number',
  _version: 'number',
  _doc_count: 'number',
  _source: 'none',
  _field_names: 'none',
}

/** The values of a field without a format or missing value of the request. */
export function fieldValues(field: AggregatedField, aggregation: string): ValueSource {
  const values = valuesOf(field)
  if (values === null) throw unsupportedField(field, aggregation)
  return values
}

/** The same; null for a type without such values. */
export function valuesOf(field: AggregatedField): ValueSource | null {
  const type = VALUE_TYPES[field.type]
  if (type === 'none' || isPath(field)) return null
  const key = valuesKey(field)
  switch (key.kind) {
    case 'number':
      return {
        kind: 'numbers',
        field: key.field,
        encoding: key.encoding,
        scale: key.scale,
        type:
          type === 'unsigned'
            ? 'unsignedLong'
            : key.encoding === 'long' && key.scale === 1
              ? 'long'
              : 'double',
        isNanos: type === 'nanos',
        missing: null,
        format: formatOf(field, type),
      }
    case 'keyword':
      return {
        kind: 'terms',
        field: key.field,
        fieldData: key.fieldData ?? null,
        missing: null,
        format: formatOf(field, type),
      }
    case 'constant':
      return { kind: 'constant', value: key.value, format: { kind: 'raw' } }
    case 'id':
    case 'score':
    case 'doc':
    case 'distance':
    case 'scriptNumber':
    case 'scriptText':
      return null
  }
}

/** The error of an aggregation that does not take a type of field. */
export function unsupportedField(
  field: { readonly name: string; readonly type: AggregatedField['type'] | 'derived' },
  aggregation: string,
): EngineError {
  const { type } = field
  const name = isPath(field) ? `${field.name}.${field.path}` : field.name
  return new IllegalArgumentError(
    `Field [${name}] of type [${type}] is not supported for aggregation [${aggregation}]`,
  )
}

/** Whether it is a path below a flat object, which only searches and sorts know. */
function isPath(field: {
  readonly name: string
  readonly type: string
}): field is FlatObjectField & { readonly path: string } {
  return field.type === 'flat_object' && 'path' in field && field.path !== null
}

function formatOf(field: AggregatedField, type: ValueType): ValueFormat {
  if (type === 'ip' || type === 'boolean') return { kind: type }
  if (field.type !== 'date' && field.type !== 'date_nanos') return { kind: 'raw' }
  return dateFormatOf(field, field.format)
}

/** The format of a field of dates. */
export function dateFormatOf(
  { parameters }: Pick<FieldType, 'parameters'>,
  { pattern }: DateFormat,
): ValueFormat {
  const locale = parameters.get('locale')
  return { kind: 'date', pattern, locale: typeof locale === 'string' ? locale : '', zone: null }
}
