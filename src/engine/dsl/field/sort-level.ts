import type { ScriptRequest } from '../../../script/script-request.ts'
import type { AfterValue, SortKey, SortMode, SortValue } from '../../../search/sort/sort-key.ts'
import type { Place } from '../../../util/geo-distance.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { ParsedQuery } from '../query-context.ts'

/** Nested objects by whose values hits are sorted. */
export interface ParsedNestedSort {
  readonly path: string
  /** Null: all objects of the path count. */
  readonly filter: ParsedQuery | null
  /** Infinity: all. */
  readonly maxChildren: number
  /** Objects within those of the path, whose values count in their place. */
  readonly inner: ParsedNestedSort | null
}

/** Distances as a request asks for them. */
export interface ParsedDistance {
  readonly field: string
  /** Where from; at least one, not yet held against the limits of degrees. */
  readonly places: readonly Place[]
  readonly metersPerUnit: number
  /** Measured on a plane; false: along the arc. */
  readonly isPlane: boolean
  /** How places outside the degrees of the Earth are taken. */
  readonly validation: 'STRICT' | 'COERCE' | 'IGNORE_MALFORMED'
  readonly ignoresUnmapped: boolean
}

/** A script as a request sorts by it. */
export interface ParsedScriptSort {
  readonly script: ScriptRequest
  /** Of what the script gives. */
  readonly type: 'number' | 'string'
}

/** One level of a sort as the request gives it. */
export interface ParsedSort {
  readonly field: string
  readonly order: 'asc' | 'desc'
  /** `_first`, `_last` or a value. */
  readonly missing: string
  /** Whether `missing` is written as a number. */
  readonly isMissingNumber: boolean
  readonly mode: SortMode | null
  readonly unmappedType: string | null
  readonly numericType: string | null
  /** Distances that the level sorts by, under the name in `field`; null: it sorts by the values of `field`. */
  readonly distance: ParsedDistance | null
  /** A script that the level sorts by; null: it does not. */
  readonly script: ParsedScriptSort | null
  /** Null: the hit's own values count. */
  readonly nested: ParsedNestedSort | null
}

/** One level of a sort for an index: what is collected, and how its values stand in JSON. */
export interface ResolvedSort {
  readonly key: SortKey
  /**
   * A value of `search_after`.
   * @param isNumber whether it is written as a number
   * @throws the text is no value of the level
   */
  read(text: string, isNumber: boolean): AfterValue
  /** A hit's value as it prints. */
  print(value: NonNullable<SortValue>): JsonValue
}
