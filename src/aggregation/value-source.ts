/** Where an aggregation reads the values of a document, bound to the fields of one index: plain data. */

import type { PointEncoding } from '../search/scorer/point-encoding.ts'
import type { ValueScript } from '../search/script/value-script.ts'
import type { TermFrequencyFilter } from '../segment/uninvert.ts'
import type { TextMask } from '../util/text-mask.ts'

/** How values print as text. */
export type ValueFormat =
  | { readonly kind: 'raw' }
  | { readonly kind: 'decimal'; readonly pattern: string }
  | {
      readonly kind: 'date'
      readonly pattern: string
      readonly locale: string
      /** ID of a time zone; null: UTC. */
      readonly zone: string | null
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'ip' }

/** Numbers by document. */
export interface NumberSource {
  readonly kind: 'numbers'
  readonly field: string
  readonly encoding: PointEncoding
  /** A value is its decoded integer over this. */
  readonly scale: number
  /** The type of values: integers (dates and booleans too), unsigned ones, floating-point numbers. */
  readonly type: 'long' | 'unsignedLong' | 'double'
  /** Whether integers are nanoseconds since 1970, which aggregations read as milliseconds. */
  readonly isNanos: boolean
  /** Whether they stand for places; absent: they do not. */
  readonly isPlace?: boolean
  /** The sortable integer that documents without a value have; null: they have none. */
  readonly missing: bigint | null
  readonly format: ValueFormat
  /** Makes the numbers, or changes those of the field; absent: they are the field's own. */
  readonly script?: ValueScript
}

/** Terms by document. */
export interface TermSource {
  readonly kind: 'terms'
  readonly field: string
  /** The terms of analysed text that count; null: all. */
  readonly fieldData: TermFrequencyFilter | null
  /** The term that documents without a value have; null: they have none. */
  readonly missing: Uint8Array | null
  readonly format: ValueFormat
}

/** One value in all documents. */
export interface ConstantSource {
  readonly kind: 'constant'
  readonly value: Uint8Array
  readonly format: ValueFormat
}

/** Texts that no dictionary holds. */
export type TextSource = ScriptedTexts | MaskedTexts | IdTexts

interface Texts {
  readonly kind: 'texts'
  /** The text that documents without one have; null: they have none. */
  readonly missing: string | null
  readonly format: ValueFormat
}

/** Texts that a script gives, or makes of those of a field. */
interface ScriptedTexts extends Texts {
  readonly script: ValueScript
}

/** Texts that stand in place of a field's terms. */
interface MaskedTexts extends Texts {
  readonly masked: MaskedTerms
}

/** Ids of documents. */
interface IdTexts extends Texts {
  readonly ids: true
}

/** Terms that the caller may not read. */
export interface MaskedTerms {
  readonly field: string
  /** The terms of analysed text that count; null: all. */
  readonly fieldData: TermFrequencyFilter | null
  readonly mask: TextMask
}

/** Shapes by document, as triangles (`schema/geo-shape/shape-triangles.ts`). */
export interface ShapeSource {
  readonly kind: 'shapes'
  readonly field: string
  /** Words of the triangles that documents without a shape have; null: they have none. */
  readonly missing: Uint32Array | null
}

/** Ranges by document, as histograms read them. */
export interface RangeSource {
  readonly kind: 'ranges'
  readonly field: string
  /** Of their ends. */
  readonly encoding: PointEncoding
  readonly format: ValueFormat
}

/** Byte strings by document, whose meaning no aggregation knows. */
export interface ByteSource {
  readonly kind: 'bytes'
  readonly field: string
  /** Whether those of a document are one value. */
  readonly isJoined: boolean
  /** The byte string that documents without one have; null: they have none. */
  readonly missing: Uint8Array | null
}

/** The values of an aggregation that only counts them. */
export type CountedSource = AnyValueSource | ByteSource | ShapeSource

/** The values of an aggregation that takes texts of scripts too. */
export type AnyValueSource = ValueSource | TextSource

/** The values of an aggregation. */
export type ValueSource = NumberSource | TermSource | ConstantSource
