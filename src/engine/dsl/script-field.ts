import type { FieldType } from '../../schema/field-type.ts'
import type { ScriptField } from '../../search/script/script-field.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { searchedField } from './field/field-searches.ts'
import type { MetadataField } from './field/metadata/metadata-field.ts'
import { valuesKey } from './number-column.ts'
import type { QueryContext } from './query-context.ts'

/** The kind of a type's values to scripts; `none`: they cannot be read. */
const KINDS: {
  readonly [T in (FieldType | MetadataField)['type']]:
    | 'number'
    | 'boolean'
    | 'unsignedLong'
    | 'millis'
    | 'nanos'
    | 'text'
    | 'address'
    | 'place'
    | 'bytes'
    | 'none'
} = {
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
  unsigned_long: 'unsignedLong',
  double: 'number',
  float: 'number',
  half_float: 'number',
  scaled_float: 'number',
  boolean: 'boolean',
  date: 'millis',
  date_nanos: 'nanos',
  ip: 'address',
  binary: 'bytes',
  geo_point: 'place',
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

/**
 * A field as scripts read it; null: the index has none of the name.
 * @throws {EngineError} it keeps no values by document, or none that scripts read
 */
export function scriptFieldOf(name: string, context: QueryContext): ScriptField | null {
  const field = searchedField(name, context)
  if (field === null) return null
  const kind = KINDS[field.type]
  switch (kind) {
    case 'place':
    case 'bytes':
      return { kind, column: field.name }
    case 'none':
      throw unreadable(name, field.type)
    default: {
      const key = valuesKey(field)
      if (key.kind === 'constant') return { kind: 'constant', value: decodeUtf8(key.value) }
      if (key.kind === 'keyword') {
        if (key.fieldData !== undefined) throw unreadable(name, field.type)
        return { kind: kind === 'address' ? kind : 'text', column: key.field }
      }
      if (key.kind !== 'number') throw unreadable(name, field.type)
      const column = { field: key.field, encoding: key.encoding, scale: key.scale }
      if (kind !== 'number')
        return { kind: kind as 'boolean' | 'unsignedLong' | 'millis' | 'nanos', column }
      return { kind: key.encoding === 'long' && key.scale === 1 ? 'long' : 'double', column }
    }
  }
}

function unreadable(name: string, type: string): IllegalArgumentError {
  return new IllegalArgumentError(
    `[script] of field [${name}] of type [${type}] is not supported yet`,
  )
}
