import type { Leaf } from '../../../segment/leaf.ts'
import { ConvertedNumbers } from '../converted-numbers.ts'
import { compareIntegers, LongComparator } from '../long-comparator.ts'
import type { DocNumbers } from '../nested-numbers.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

type NumberKey = SortKeyOf<'number'>

/** By a field's numbers. */
export const numberSort: SortKind<NumberKey> = {
  open: (key, capacity, after) =>
    new LongComparator(key, capacity, after, leaf => numbersOf(key, leaf)),
  compare: compareIntegers,
  valueType: ({ encoding, scale }) => (encoding === 'long' && scale === 1 ? 'LONG' : 'DOUBLE'),
}

function numbersOf({ field, conversion }: NumberKey, leaf: Leaf): DocNumbers | null {
  const stored = leaf.numericValues(field)
  if (stored === null || conversion === undefined) return stored
  return new ConvertedNumbers(stored, conversion)
}
