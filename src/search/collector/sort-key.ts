/** What hits are sorted by, and the values they are sorted by: plain data. */
import type { PointEncoding } from '../query/point-value.ts'

/** Which of a document's several values counts. */
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median'

/** One level of a sort; documents that are equal on all stand in order of their ids. */
export type SortKey =
  | { readonly kind: 'score'; readonly descending: boolean }
  | { readonly kind: 'doc'; readonly descending: boolean }
  | {
      readonly kind: 'number'
      readonly field: string
      readonly encoding: PointEncoding
      /** What a value is divided by where it stands beside another field's; 1 but for scaled floats. */
      readonly scale: number
      readonly descending: boolean
      /** The sortable value of a document without one. */
      readonly missing: bigint
      readonly mode: SortMode
    }
  | {
      readonly kind: 'keyword'
      readonly field: string
      readonly descending: boolean
      /** Where documents without a value stand, or the term that stands in for it. */
      readonly missing: 'first' | 'last' | Uint8Array
      readonly mode: 'min' | 'max'
    }

/**
 * A hit's value on one level: the score, the global document, the sortable integer of a number, a
 * keyword's bytes or null where it has none.
 */
export type SortValue = number | bigint | Uint8Array | null
