import { notSupported } from '../../../../schema/mapping-errors.ts'
import { type EngineError, IllegalArgumentError } from '../../../../util/errors.ts'
import { shardError } from '../../query-context.ts'
import type { FieldSearch } from '../field-search.ts'
import { unmappedNumberSort } from '../number-sort.ts'
import {
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  refuseRange,
} from '../whole-value.ts'
import type { MetadataField, PlainMetadataField } from './metadata-field.ts'

/** `_version`: found by its presence alone. */
export const version: FieldSearch<PlainMetadataField<'_version'>> = unsearchable(
  ({ name }) => shardError(`The ${name} field is not searchable`),
  existsByDocValues,
)

/** `_doc_count`: found by its presence alone. */
export const docCount: FieldSearch<PlainMetadataField<'_doc_count'>> = unsearchable(
  ({ name, type }) => shardError(`Field [${name}] of type [${type}] is not searchable`),
  existsByDocValues,
)

/** `_source`: stored, and not indexed. */
export const source: FieldSearch<PlainMetadataField<'_source'>> = unsearchable(
  ({ name }) => shardError(`The ${name} field is not searchable`),
  null,
)

/** `_field_names`: it lists only fields that nothing else tells of. */
export const fieldNames: FieldSearch<PlainMetadataField<'_field_names'>> = unsearchable(
  ({ name }) => notSupported(name),
  null,
)

/** @param exists null: refused like a term */
function unsearchable<F extends MetadataField>(
  refusal: (field: F) => EngineError,
  exists: FieldSearch<F>['exists'] | null,
): FieldSearch<F> {
  const refuse = (field: F): never => {
    throw refusal(field)
  }
  return {
    isNumber: false,
    term: refuse,
    terms: refuse,
    range: refuseRange,
    exists: exists ?? refuse,
    prefix: refusePrefix,
    pattern: refusePattern,
    fuzzy: refuseFuzzy,
    match(field, match) {
      refusePhrasePrefix(field, match)
      return refuse(field)
    },
    sort: refuseFielddata,
    unmappedSort: unmappedNumberSort,
  }
}

/** Refuses sorts: nothing keeps the field's values by document. */
export function refuseFielddata({ name, type }: MetadataField): never {
  throw new IllegalArgumentError(`Fielddata is not supported on field [${name}] of type [${type}]`)
}
