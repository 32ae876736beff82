import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { SortKey } from '../../../search/collector/sort-key.ts'
import { assert } from '../../../util/assert.ts'
import { decodeUtf8, encodeUtf8 } from '../../../util/bytes.ts'
import { shardError } from '../query-context.ts'
import { checkDocValues } from './number-sort.ts'
import type { ParsedSort, ResolvedSort } from './sort-level.ts'

/**
 * A level of a sort by the terms of a field.
 * @throws {EngineError} the field keeps none by document, or the level is one for numbers
 */
export function termSort(
  field: MappedField & { readonly docValues: boolean },
  level: ParsedSort,
): ResolvedSort {
  checkDocValues(field)
  const { mode, missing } = level
  if (level.numericType !== null)
    throw shardError(
      `[numeric_type] option cannot be set on a non-numeric field, got ${field.type}`,
    )
  if (mode !== null && mode !== 'min' && mode !== 'max')
    throw shardError('we only support AVG, MEDIAN and SUM on number based fields')
  const descending = level.order === 'desc'
  return byTerms({
    kind: 'keyword',
    field: field.name,
    descending,
    missing: missing === '_first' ? 'first' : missing === '_last' ? 'last' : encodeUtf8(missing),
    mode: mode ?? (descending ? 'max' : 'min'),
  })
}

/** The same by a field that the index lacks. */
export function unmappedTermSort(level: ParsedSort): ResolvedSort {
  return byTerms({
    kind: 'keyword',
    field: level.field,
    descending: level.order === 'desc',
    missing: level.missing === '_first' ? 'first' : 'last',
    mode: 'min',
  })
}

function byTerms(key: SortKey): ResolvedSort {
  return {
    key,
    read: encodeUtf8,
    print(value) {
      assert(value instanceof Uint8Array, 'a level by terms has terms')
      return decodeUtf8(value)
    },
  }
}
