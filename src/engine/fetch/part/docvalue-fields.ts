import { indexSettings } from '../../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { derivedField } from '../../dsl/derived/derived-field.ts'
import { mappedField } from '../../dsl/field/field-searches.ts'
import { type MaskedField, maskedField } from '../../dsl/field/masked-field.ts'
import {
  type FieldAndFormat,
  readFieldsAndFormats,
} from '../../dsl/search-body/field-and-format.ts'
import type { FetchPart, FetchSubject } from '../fetch-part.ts'
import type { ColumnPrinter } from '../field-value/field-value.ts'
import { fieldValue } from '../field-value/field-values.ts'
import { addValues } from '../hit-fields.ts'

/** A format that once asked for the mapping's, which is the default now. */
const OWN_FORMAT = 'use_field_mapping'

/** `docvalue_fields`: values of columns. */
export const docvalueFieldsPart: FetchPart<readonly FieldAndFormat[]> = {
  unasked: [],
  keys: { docvalue_fields: value => readFieldsAndFormats(value, 'docvalue_fields') },
  subPhase: 'FetchDocValuesPhase',
  ofOptions: ({ docvalueFields }) => docvalueFields?.map(field => ({ field, format: null })),
  make(asked, subject) {
    if (asked.length === 0) return null
    const columns = columnsOf(asked, subject)
    return () => ({
      readsSource: false,
      extraUnits: columns.length,
      read({ leaf, docId, rootDoc }, to) {
        for (const [name, print] of columns) {
          // Metadata is the whole document's.
          const values = print(leaf, name.startsWith('_') ? rootDoc : docId)
          if (values.length > 0) addValues(to, name, values)
        }
      },
    })
  },
}

/** @throws {EngineError} a field without columns, a format that is none of its, or too many of them */
function columnsOf(
  asked: readonly FieldAndFormat[],
  { context, settings }: FetchSubject,
): readonly (readonly [string, ColumnPrinter])[] {
  const named = asked.flatMap(({ field, format }) =>
    namesOf(field, context).map(name => ({ name, format: format === OWN_FORMAT ? null : format })),
  )
  const most = indexSettings.number(settings, 'index.max_docvalue_fields_search') ?? 100
  if (named.length > most)
    throw new IllegalArgumentError(
      `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${most}] but ` +
        `was [${named.length}]. This limit can be set by changing the ` +
        '[index.max_docvalue_fields_search] index level setting.',
    )
  return named.flatMap(({ name, format }) => {
    const derived = derivedField(name, context)
    if (derived !== null) {
      // It has no column, so that hits have no value of it; what its type has none for is refused.
      fieldValue(derived.inner.type).column(derived.inner, format, context)
      return []
    }
    const field = mappedField(name, context)
    if (field !== null) return [[name, fieldValue(field.type).column(field, format, context)]]
    const masked = maskedField(name, context)
    return masked === null ? [] : [[name, maskedColumn(masked, format, context)]]
  })
}

/** @throws {EngineError} as the field's own column */
function maskedColumn(
  { field, mask }: MaskedField,
  format: string | null,
  context: FetchSubject['context'],
): ColumnPrinter {
  const print = fieldValue(field.type).column(field, format, context)
  return (leaf, docId) => print(leaf, docId).map(value => mask.apply(String(value)))
}

/** A name means itself, whether or not there is such a field. */
function namesOf(pattern: string, { shown }: FetchSubject['context']): readonly string[] {
  return pattern.includes('*') ? shown.namesLike(pattern) : [pattern]
}
