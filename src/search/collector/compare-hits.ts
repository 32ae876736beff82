import { IllegalArgumentError } from '../../util/errors.ts'
import { MAX_LONG, MIN_LONG } from '../query/point-value.ts'
import { compareNumbers, printedNumber } from '../sort/printed-numbers.ts'
import type { SortKey, SortValue } from '../sort/sort-key.ts'
import { compareSortValues, valueTypeOf } from '../sort/sort-kinds.ts'
import type { SliceHit } from './collect-spec.ts'

/**
 * Compares hits of two shards in sort order; 0 where documents decide.
 * @param aKeys the sort of either hit's index; null: by score
 * @throws {IllegalArgumentError} the sorts have no order in common
 */
export function compareHits(
  aKeys: readonly SortKey[] | null,
  a: SliceHit,
  bKeys: readonly SortKey[] | null,
  b: SliceHit,
): number {
  if (aKeys === null || bKeys === null || a.sort === null || b.sort === null)
    return b.score - a.score
  for (let i = 0; i < aKeys.length; i++) {
    const [aKey, bKey] = [aKeys[i], bKeys[i]]
    if (aKey === undefined || bKey === undefined) break
    const [aValue, bValue] = [a.sort[i] ?? null, b.sort[i] ?? null]
    // One index has a constant where the other's documents have terms: these may lack a value.
    const key = aKey.kind === 'constant' ? bKey : aKey
    const order = isAlike(aKey, bKey)
      ? compareSortValues(key, aValue, bValue)
      : compareAsNumbers(aKey, aValue, bKey, bValue)
    if (order !== 0) return order
  }
  return 0
}

/** Whether two indices encode a level's values alike. */
function isAlike(a: SortKey, b: SortKey): boolean {
  if (a.kind !== 'number' || b.kind !== 'number') return valueTypeOf(a) === valueTypeOf(b)
  return a.encoding === b.encoding && a.scale === b.scale
}

/** Compares numbers of different types in different indices; those of one keep its order. */
function compareAsNumbers(aKey: SortKey, a: SortValue, bKey: SortKey, b: SortValue): number {
  if (aKey.kind !== 'number' || bKey.kind !== 'number') {
    const field = 'field' in aKey ? aKey.field : `_${aKey.kind}`
    throw new IllegalArgumentError(
      `Can't sort on field [${field}]; the field has incompatible sort types: ` +
        `[${valueTypeOf(aKey)}] and [${valueTypeOf(bKey)}] across shards!`,
    )
  }
  if ((aKey.encoding === 'unsignedLong') !== (bKey.encoding === 'unsignedLong'))
    throw new IllegalArgumentError(
      "Can't do sort across indices, as a field has [unsigned_long] type in one index, and " +
        'different type in another index!',
    )
  const order = compareNumbers(numberOf(aKey, a), numberOf(bKey, b))
  return aKey.descending ? -order : order
}

function numberOf(
  { encoding, scale, missing }: Extract<SortKey, { kind: 'number' }>,
  value: SortValue,
): bigint | number {
  const bits = typeof value === 'bigint' ? value : missing
  if (encoding !== 'long') return printedNumber(bits, encoding)
  if (scale === 1) return bits
  // The ends of scaled numbers stand for what has no value.
  if (bits === MAX_LONG) return Number.POSITIVE_INFINITY
  return bits === MIN_LONG ? Number.NEGATIVE_INFINITY : Number(bits) / scale
}
