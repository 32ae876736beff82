import type { IndexSort } from '../../schema/index-sort.ts'
import { encodePoint, MAX_LONG, MIN_LONG } from '../query/point-value.ts'
import type { SortKey } from '../sort/sort-key.ts'

/**
 * Whether documents that are sorted like this are in the order of a search's sort, equal ones by their
 * doc IDs.
 * @param leafSort what the documents of a leaf are sorted by
 */
export function isInOrder(sort: readonly SortKey[], leafSort: IndexSort): boolean {
  if (sort.length > leafSort.length) return false
  return sort.every((key, i) => {
    const sorted = leafSort[i]!
    if (key.kind !== 'number' && key.kind !== 'keyword') return false
    if (key.nested !== undefined) return false
    if (key.kind === 'number' && key.conversion !== undefined) return false
    if (key.field !== sorted.field || key.mode !== sorted.mode) return false
    if (key.descending !== sorted.isDescending) return false
    if (key.kind === 'keyword') return key.missing === (sorted.isMissingFirst ? 'first' : 'last')
    // The stand-in for no value may be a value too: the search then goes on to its next level, but
    // the leaf has all those without one behind, or ahead.
    if (i < sort.length - 1) return false
    return key.missing === endOf(key, sorted.isMissingFirst === key.descending)
  })
}

/** The sortable integer ahead of all numbers of a field, or behind them. */
function endOf({ encoding }: Extract<SortKey, { kind: 'number' }>, isHighest: boolean): bigint {
  if (encoding === 'long' || encoding === 'unsignedLong') return isHighest ? MAX_LONG : MIN_LONG
  return encodePoint(isHighest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, encoding)
}
