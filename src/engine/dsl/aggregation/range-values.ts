/** The values of fields of ranges, which histograms take beside numbers. */
import type { RangeSource } from '../../../aggregation/value-source.ts'
import type { RangeField } from '../../../schema/field-type/range.ts'
import type { RangeTypeName } from '../../../schema/field-type/range-ends.ts'

import type { PointEncoding } from '../../../search/scorer/point-encoding.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { derivedField } from '../derived/derived-field.ts'
import { gatheredField } from '../field/masked-field.ts'
import { checkDocValues } from '../field/number-sort.ts'
import type { QueryContext } from '../query-context.ts'
import { type AggregatedField, dateFormatOf } from './field-values.ts'
import { withFormat } from './value-form.ts'
import type { ValueKeys } from './value-keys.ts'

/** How ends are encoded; null: they are no numbers. */
const ENCODINGS: { readonly [T in RangeTypeName]: PointEncoding | null } = {
  integer_range: 'long',
  long_range: 'long',
  float_range: 'float',
  double_range: 'double',
  date_range: 'long',
  ip_range: null,
}

/**
 * The ranges of an aggregation in an index; null: its field has none.
 * @param takesNumbers whether it takes ranges of numbers, and not of dates alone
 * @throws {IllegalArgumentError} it does not take ranges of the field's type
 */
export function bindRanges(
  keys: ValueKeys,
  takesNumbers: boolean,
  context: QueryContext,
): RangeSource | null {
  const name = keys.field ?? ''
  // Scripts emit no ranges.
  if (derivedField(name, context) !== null) return null
  const field = gatheredField(name, context)
  if (field === null || !isRange(field)) return null
  const { type } = field
  checkDocValues(field)
  if (keys.missing !== null) throw missingRange()
  const encoding = ENCODINGS[type]
  if (!takesNumbers && type !== 'date_range')
    throw new IllegalArgumentError(`Expected date range type but found range type [${type}]`)
  if (encoding === null)
    throw new IllegalArgumentError(
      `Expected numeric range type but found non-numeric range [${type}]`,
    )
  const own = field.format === null ? ({ kind: 'raw' } as const) : dateFormatOf(field, field.format)
  return { kind: 'ranges', field: field.name, encoding, format: withFormat(own, keys) }
}

/** The error of a range that documents without one shall have. */
export function missingRange(): IllegalArgumentError {
  return new IllegalArgumentError(
    "Can't apply missing values on a class " +
      'org.opensearch.search.aggregations.support.ValuesSource$Range',
  )
}

/** Whether a field has ranges. */
export function isRange(field: AggregatedField): field is Extract<AggregatedField, RangeField> {
  return Object.hasOwn(ENCODINGS, field.type)
}
