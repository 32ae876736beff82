/** Capabilities of a field: whether it can be searched and aggregated, as `_field_caps` tells. */
import { storageOf } from '../../../schema/field-type/field-types.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import type { QueryContext } from '../query-context.ts'
import { metadataField } from './metadata/metadata-field.ts'

/** Capabilities of a field in one index. */
export interface Capabilities {
  /** Its type, `object` or `nested`. */
  readonly type: string
  readonly searchable: boolean
  readonly aggregatable: boolean
  /** The `meta` of the mapping. */
  readonly meta: ReadonlyMap<string, string>
}

const NO_META: ReadonlyMap<string, string> = new Map()

/** Of a field of the mapping. */
export function capabilitiesOf(field: FieldType): Capabilities {
  const meta = field.parameters.get('meta')
  const aggregatable =
    storageOf(field).docValues !== 'none' ||
    field.type === 'constant_keyword' ||
    field.parameters.get('fielddata') === true
  return {
    type: field.type,
    searchable: field.indexed,
    aggregatable,
    meta: meta instanceof Map ? (meta as ReadonlyMap<string, string>) : NO_META,
  }
}

/** Of an object, which only groups fields. */
export function objectCapabilities(isNested: boolean): Capabilities {
  return {
    type: isNested ? 'nested' : 'object',
    searchable: false,
    aggregatable: false,
    meta: NO_META,
  }
}

/** Of a metadata field; null where there is none of that name. */
export function metadataCapabilities(name: string, context: QueryContext): Capabilities | null {
  const field = metadataField(name, context)
  if (field === null) return null
  const { type, searchable, aggregatable } = field
  return { type, searchable, aggregatable, meta: NO_META }
}
