/** Sort keys and sort values of hits: plain data. */

import type { TermFrequencyFilter } from '../../segment/uninvert.ts'
import type { Place } from '../../util/geo-distance.ts'
import type { Query } from '../query/query.ts'
import type { PointEncoding } from '../scorer/point-encoding.ts'
import type { ScriptPlan } from '../script/script-plan.ts'

/** Which of a document's several values is used. */
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median'

/** Where a level's values are those of a hit's nested documents. */
export interface NestedValues {
  /** Nested documents alone: those that count. */
  readonly query: Query
  /** How many with a value are read of each hit; Infinity: all. */
  readonly maxChildren: number
}

/** How a field's numbers become those that a level compares. */
export interface NumberConversion {
  /** Nanoseconds of milliseconds and the other way round, or numbers without their fraction, or with one. */
  readonly to: 'nanos' | 'millis' | 'long' | 'float' | 'double'
  /** Encoding and divisor of the field's own. */
  readonly from: PointEncoding
  readonly scale: number
}

/** One level of a sort; documents equal on all levels are ordered by doc ID. */
export type SortKey =
  | { readonly kind: 'score'; readonly descending: boolean }
  | {
      readonly kind: 'doc'
      readonly descending: boolean
      /**
       * Added to the global doc IDs of the shard, so that those of several shards stand apart: the shard's
       * ord times 2³². Absent: 0 in every shard.
       */
      readonly base?: number
    }
  | {
      readonly kind: 'number'
      readonly field: string
      readonly encoding: PointEncoding
      /** Divisor of a value when compared with another field's; 1 except for scaled floats. */
      readonly scale: number
      readonly descending: boolean
      /** The sortable value of documents without one. */
      readonly missing: bigint
      readonly mode: SortMode
      /** Absent: the field's integers are compared as they are. */
      readonly conversion?: NumberConversion
      readonly nested?: NestedValues
    }
  | {
      /** By the distance of the field's places from others; they are doubles, infinite without a place. */
      readonly kind: 'distance'
      readonly field: string
      readonly places: readonly Place[]
      readonly metersPerUnit: number
      /** Measured on a plane; false: along the arc. */
      readonly isPlane: boolean
      readonly descending: boolean
      readonly encoding: 'double'
      readonly missing: bigint
      readonly mode: SortMode
      readonly nested?: NestedValues
    }
  | {
      readonly kind: 'keyword'
      readonly field: string
      readonly descending: boolean
      /** The rank of documents without a value, or the term that replaces it. */
      readonly missing: 'first' | 'last' | Uint8Array
      readonly mode: 'min' | 'max'
      /** The values are those of the field's terms that begin so; sort values begin so as well. */
      readonly prefix?: Uint8Array
      /** The values are the field's terms uninverted, those that the filter lets through. */
      readonly fieldData?: TermFrequencyFilter
      readonly nested?: NestedValues
    }
  | {
      /** All documents of the index have one value, which counts where indices are merged. */
      readonly kind: 'constant'
      readonly field: string
      readonly value: Uint8Array
      readonly descending: boolean
    }
  | {
      /** By the double that a script gives; hits without nested documents come last. */
      readonly kind: 'scriptNumber'
      readonly script: ScriptPlan
      readonly descending: boolean
      readonly encoding: 'double'
      readonly missing: bigint
      readonly mode: SortMode
      readonly nested?: NestedValues
    }
  | {
      /** By the text that a script gives, in the order of its bytes. */
      readonly kind: 'scriptText'
      readonly script: ScriptPlan
      readonly descending: boolean
      readonly mode: 'min' | 'max'
      readonly nested?: NestedValues
    }
  /** By `_id`, in the order of its bytes. */
  | { readonly kind: 'id'; readonly descending: boolean }

/** The script of a level; null: it has none. */
export function scriptOf(key: SortKey): ScriptPlan | null {
  return key.kind === 'scriptNumber' || key.kind === 'scriptText' ? key.script : null
}

/** Whether a level reads the scores of hits. */
export function readsScore(key: SortKey): boolean {
  return key.kind === 'score' || scriptOf(key)?.readsScore === true
}

/** The nested documents whose values a level reads; null: its values are the hit's own. */
export function nestedOf(key: SortKey): NestedValues | null {
  return ('nested' in key ? key.nested : null) ?? null
}

/** A level with another query for the nested documents that it reads; the same where it reads none. */
export function mapNested(key: SortKey, change: (query: Query) => Query): SortKey {
  if (!('nested' in key) || key.nested === undefined) return key
  return { ...key, nested: { ...key.nested, query: change(key.nested.query) } }
}

/**
 * A hit's value on one level: score, global doc ID with its base, a number's sortable integer, the bytes of a
 * keyword, an id or a script's text, or null for a keyword field without a value and a script without a document.
 */
export type SortValue = number | bigint | Uint8Array | null

/** A place next to an integer of a level by numbers, with no other integer between them. */
export interface Beside {
  /** A sortable integer of 64 bits. */
  readonly near: bigint
  /** 1: just above `near`; −1: just below. */
  readonly side: -1 | 1
}

/** Where a search goes on, on one level: behind a value, or behind a place that no value of the level has. */
export type AfterValue = SortValue | Beside

/** Whether `search_after` names a place that no value of the level has. */
export function isBeside(after: AfterValue | undefined): after is Beside {
  return typeof after === 'object' && after !== null && 'near' in after
}
