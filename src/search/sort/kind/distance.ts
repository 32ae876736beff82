import { PlaceValues } from '../../scorer/place-values.ts'
import { DistanceNumbers } from '../distance-numbers.ts'
import { compareIntegers, LongComparator } from '../long-comparator.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

/** By the distance of a field's places from others. */
export const distanceSort: SortKind<SortKeyOf<'distance'>> = {
  open: (key, capacity, after) =>
    new LongComparator(key, capacity, after, leaf => {
      const stored = leaf.numericValues(key.field)
      return stored === null ? null : new DistanceNumbers(new PlaceValues(stored), key)
    }),
  compare: compareIntegers,
  valueType: () => 'DOUBLE',
}
