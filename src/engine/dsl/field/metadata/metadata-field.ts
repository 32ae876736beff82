/** The metadata fields that queries and sorts name: no mapping holds them, and every index has them. */
import type { MappedField } from '../../../../schema/field-type/mapped-field.ts'
import { matchesWildcard } from '../../../../util/wildcard.ts'
import type { QueryContext } from '../../query-context.ts'

/** A metadata field without properties of its own; its type is its name. */
export interface PlainMetadataField<N extends string> extends MappedField {
  readonly name: N
  readonly type: N
  readonly docValues: boolean
  /** Whether queries take it, and whether documents can be grouped by it, as `_field_caps` tells. */
  readonly searchable: boolean
  readonly aggregatable: boolean
}

/** `_index`: the same for all documents of an index. */
export interface IndexNameField extends PlainMetadataField<'_index'> {
  /** The index's name. */
  readonly value: string
  /** Whether a name, or a pattern with `*`, matches the index or an alias of it. */
  matches(pattern: string, ignoresCase: boolean): boolean
}

/** `_id`. */
export interface IdField extends PlainMetadataField<'_id'> {
  /** `indices.id_field_data.enabled`: whether hits may be sorted by it. */
  readonly isLoadable: boolean
}

/** `_routing` or `_ignored`, whose values are terms. */
export interface MetadataTermsField<N extends '_routing' | '_ignored'>
  extends PlainMetadataField<N> {
  readonly normalizer: null
  readonly boost: 1
  readonly termBoost: 1
  readonly scoresConstant: true
  readonly similarity: null
  readonly splitsQueries: false
}

/** A metadata field, by its name. */
export type MetadataField =
  | IdField
  | IndexNameField
  | MetadataTermsField<'_routing'>
  | MetadataTermsField<'_ignored'>
  | PlainMetadataField<'_seq_no'>
  | PlainMetadataField<'_version'>
  | PlainMetadataField<'_doc_count'>
  | PlainMetadataField<'_source'>
  | PlainMetadataField<'_field_names'>

/** The names of the metadata fields that queries and sorts know. */
export type MetadataFieldName = MetadataField['type']

const NO_PARAMETERS: MappedField['parameters'] = new Map()

/** How each field is made for an index. */
const METADATA_FIELDS: {
  readonly [N in MetadataFieldName]: (context: QueryContext) => Extract<MetadataField, { type: N }>
} = {
  _id: ({ loadsIds }) => ({
    ...plain('_id', true, false, 'searchable'),
    aggregatable: loadsIds,
    isLoadable: loadsIds,
  }),
  _index: ({ index, aliases }) => ({
    ...plain('_index', true, false, 'both'),
    value: index,
    matches: (pattern, ignoresCase) =>
      [index, ...aliases].some(name =>
        matchesWildcard(
          ignoresCase ? pattern.toLowerCase() : pattern,
          ignoresCase ? name.toLowerCase() : name,
        ),
      ),
  }),
  _routing: () => terms('_routing', 'searchable'),
  _ignored: () => terms('_ignored', 'both'),
  _seq_no: () => plain('_seq_no', false, true, 'both'),
  _version: () => plain('_version', false, true, 'aggregatable'),
  _doc_count: () => plain('_doc_count', false, true, 'neither'),
  _source: () => plain('_source', false, false, 'neither'),
  _field_names: () => plain('_field_names', true, false, 'searchable'),
}

/** The metadata field of that name; null: there is none that queries and sorts know. */
export function metadataField(name: string, context: QueryContext): MetadataField | null {
  if (!Object.hasOwn(METADATA_FIELDS, name)) return null
  return METADATA_FIELDS[name as MetadataFieldName](context)
}

/** The names of the metadata fields that every index has. */
export const METADATA_FIELD_NAMES: readonly MetadataFieldName[] = Object.keys(
  METADATA_FIELDS,
) as MetadataFieldName[]

type Uses = 'searchable' | 'aggregatable' | 'both' | 'neither'

function plain<N extends MetadataFieldName>(
  name: N,
  indexed: boolean,
  docValues: boolean,
  uses: Uses,
): PlainMetadataField<N> {
  return {
    name,
    type: name,
    indexed,
    docValues,
    parameters: NO_PARAMETERS,
    searchable: uses === 'searchable' || uses === 'both',
    aggregatable: uses === 'aggregatable' || uses === 'both',
  }
}

function terms<N extends '_routing' | '_ignored'>(name: N, uses: Uses): MetadataTermsField<N> {
  return {
    ...plain(name, true, true, uses),
    normalizer: null,
    boost: 1,
    termBoost: 1,
    scoresConstant: true,
    similarity: null,
    splitsQueries: false,
  }
}
