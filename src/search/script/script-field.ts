import type { VectorElement } from '../../schema/knn-vector/vector-space.ts'
import type { TermFrequencyFilter } from '../../segment/uninvert.ts'
import type { TextMask } from '../../util/text-mask.ts'
import type { NumberColumn } from '../scorer/number-values.ts'

/** A field as scripts read it: where its values lie, and what they are to a script. Plain data. */
export type ScriptField =
  | {
      readonly kind: 'long' | 'double' | 'boolean' | 'unsignedLong' | 'millis' | 'nanos'
      readonly column: NumberColumn
    }
  | {
      readonly kind: 'text' | 'address'
      readonly column: string
      /** The terms of an analysed text, uninverted; null: a column of values. */
      readonly fieldData: TermFrequencyFilter | null
      /** Stands in place of the texts for the caller; absent: he may read them. */
      readonly mask?: TextMask
    }
  | { readonly kind: 'place' | 'bytes'; readonly column: string }
  | {
      readonly kind: 'vector'
      readonly column: string
      readonly element: VectorElement
      /** Numbers that a vector is given as. */
      readonly length: number
    }
  | { readonly kind: 'constant'; readonly value: string }
  /** `_id`. */
  | { readonly kind: 'id' }
  /** Scripts that read it fail. */
  | { readonly kind: 'unreadable'; readonly reason: string }
