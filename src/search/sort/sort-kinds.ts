/** The total table of sort kinds: a kind without an entry does not compile. */
import type { ScriptRun } from '../../script/script-run.ts'
import { constantSort } from './kind/constant.ts'
import { distanceSort } from './kind/distance.ts'
import { docSort } from './kind/doc.ts'
import { idSort } from './kind/id.ts'
import { keywordSort } from './kind/keyword.ts'
import { numberSort } from './kind/number.ts'
import { scoreSort } from './kind/score.ts'
import { scriptNumberSort } from './kind/script-number.ts'
import { scriptTextSort } from './kind/script-text.ts'
import type { SortComparator } from './sort-comparator.ts'
import type { AfterValue, SortKey, SortValue } from './sort-key.ts'
import type { SortKeyOf, SortKind } from './sort-kind.ts'

const SORT_KINDS: { readonly [K in SortKey['kind']]: SortKind<SortKeyOf<K>> } = {
  score: scoreSort,
  doc: docSort,
  number: numberSort,
  distance: distanceSort,
  keyword: keywordSort,
  constant: constantSort,
  scriptNumber: scriptNumberSort,
  scriptText: scriptTextSort,
  id: idSort,
}

function kindOf(key: SortKey): SortKind<SortKey> {
  return SORT_KINDS[key.kind] as SortKind<SortKey>
}

/**
 * A comparator for a level.
 * @param capacity slots
 * @param after    this level's value of `searchAfter`; undefined: there is none
 * @param run      limits of the executions of scripts
 */
export function sortComparator(
  key: SortKey,
  capacity: number,
  after: AfterValue | undefined,
  run: ScriptRun,
): SortComparator {
  return kindOf(key).open(key, capacity, after, run)
}

/**
 * Compares two values of one level in sort order; for merging slices and shards.
 * @param key of either value: constants of several indices differ
 */
export function compareSortValues(key: SortKey, a: SortValue, b: SortValue): number {
  return kindOf(key).compare(key, a, b)
}

/** Type of a level's values, as errors name it where indices have no order in common. */
export function valueTypeOf(key: SortKey): string {
  return kindOf(key).valueType(key)
}
