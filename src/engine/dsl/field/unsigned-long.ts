import {
  flipSign,
  MAX_UNSIGNED,
  type UnsignedLongField,
  unflipSign,
} from '../../../schema/field-type/unsigned-long.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import type { FieldSearch } from './field-search.ts'
import { afterUnsigned } from './number-after.ts'
import { numberSort, printLong } from './number-sort.ts'
import { wholeNumberSearch } from './whole-number-search.ts'

/** Searches in unsigned numbers: those of a request are flipped as the field's values are. */
export const unsignedLong: FieldSearch<UnsignedLongField> = wholeNumberSearch({
  min: 0n,
  max: MAX_UNSIGNED,
  lowest: MIN_LONG,
  highest: MAX_LONG,
  named: 'an unsigned long',
  encode: flipSign,
  print: encoded => String(unflipSign(encoded)),
  sort: (field, level, sortable) =>
    numberSort(field, level, {
      encoding: 'unsignedLong',
      numericType: 'long',
      scale: 1,
      lowest: MIN_LONG,
      highest: MAX_LONG,
      missing: ({ missing }) => sortable(missing),
      read: text => afterUnsigned(text, sortable),
      print: encoded => printLong(unflipSign(encoded)),
    }),
})
