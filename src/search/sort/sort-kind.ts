import type { ScriptRun } from '../../script/script-run.ts'
import type { SortComparator } from './sort-comparator.ts'
import type { AfterValue, SortKey, SortValue } from './sort-key.ts'

/** The key of a kind. */
export type SortKeyOf<K extends SortKey['kind']> = Extract<SortKey, { readonly kind: K }>

/** A kind of sort level. */
export interface SortKind<Key extends SortKey> {
  /**
   * A comparator of one slice.
   * @param capacity slots
   * @param after    the level's value of `searchAfter`; undefined: there is none
   * @param run      limits of the executions of scripts
   */
  open(key: Key, capacity: number, after: AfterValue | undefined, run: ScriptRun): SortComparator
  /** Compares two values in sort order, for merging slices and shards. */
  compare(key: Key, a: SortValue, b: SortValue): number
  /** Type of the values, as errors name it where indices have no order in common. */
  valueType(key: Key): string
}
