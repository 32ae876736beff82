/** The values of `terms` as a bitmap. */
import type { FieldType } from '../../../schema/field-type.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { decodeBase64 } from '../../../util/base64.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { SearchedField } from '../field/field-searches.ts'
import { checkSearchable } from '../field/searchable.ts'
import { bitmapRuns } from '../roaring-bitmap.ts'

/**
 * Documents that have an integer of a bitmap.
 * @param texts what stands in place of the terms
 * @throws {IllegalArgumentError} that is no bitmap, or the field is of another type
 */
export function bitmapQuery(field: SearchedField, texts: readonly string[]): Query {
  const bytes = texts.length === 1 ? decodeBase64(texts[0]!) : null
  if (bytes === null)
    throw new IllegalArgumentError(
      'Invalid value for bitmap type: Expected a single-element array with a base64 encoded ' +
        'serialized bitmap.',
    )
  if (field.type !== 'integer' && field.type !== 'long')
    throw new IllegalArgumentError(`Field type [${field.type}] does not support bitmap queries`)
  const number = field as Extract<FieldType, { type: 'integer' | 'long' }>
  checkSearchable(number)
  const { name, indexed, docValues } = number
  const runs = bitmapRuns(bytes, field.type === 'integer' ? 32 : 64)
  if (runs.length === 0) return matchNone('Matching no documents because no terms present')
  return { kind: 'integerRuns', field: name, runs, indexed, docValues }
}
