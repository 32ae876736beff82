import { withArticle } from '../../../schema/field-type/number-text.ts'
import type { NumericField } from '../../../schema/field-type/numeric-field.ts'
import type { FieldSearch } from './field-search.ts'
import { longSort } from './number-sort.ts'
import { wholeNumberSearch } from './whole-number-search.ts'

/** Types as messages name them, by bits. */
const TYPE_NAMES = { 64: 'long', 32: 'integer', 16: 'short', 8: 'byte' } as const

/** Searches in signed whole numbers of so many bits. */
export function integerSearch(bits: keyof typeof TYPE_NAMES): FieldSearch<NumericField> {
  const limit = 2n ** BigInt(bits - 1)
  // The reference server keeps the short types as integers: what is open ends where those do.
  const openEnd = 2n ** BigInt(Math.max(bits, 32) - 1)
  return wholeNumberSearch({
    min: -limit,
    max: limit - 1n,
    lowest: -openEnd,
    highest: openEnd - 1n,
    named: withArticle(TYPE_NAMES[bits]),
    encode: value => value,
    print: String,
    sort: longSort,
  })
}
