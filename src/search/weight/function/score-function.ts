/** Functions that give documents scores, as plain data; `score-functions.ts` has the table of kinds. */

import type { VectorSpace } from '../../../schema/knn-vector/vector-space.ts'
import type { Place } from '../../../util/geo-distance.ts'
import type { NumberColumn } from '../../scorer/number-values.ts'
import type { ScriptPlan } from '../../script/script-plan.ts'
import type { QueryVector } from '../../vector/comparison.ts'

/** 1 for every document; its weight alone counts. */
export interface OneFunction {
  readonly kind: 'one'
}

/** How a value is changed before it is a score; logarithms to the base 10, and natural ones. */
export type ValueModifier =
  | 'none'
  | 'log'
  | 'log1p'
  | 'log2p'
  | 'ln'
  | 'ln1p'
  | 'ln2p'
  | 'square'
  | 'sqrt'
  | 'reciprocal'

/** A document's number, times a factor, changed. */
export interface FieldValueFunction {
  readonly kind: 'fieldValue'
  readonly field: string
  /** Null: the index lacks the field. */
  readonly column: NumberColumn | null
  /** Float32. */
  readonly factor: number
  readonly modifier: ValueModifier
  /** In place of a value that is missing; null: that is an error. */
  readonly missing: number | null
}

/** A number in [0, 1) by seed and the document, or a value of it. */
export interface RandomFunction {
  readonly kind: 'random'
  readonly seed: number
  /** Mixed into the seed; differs by index. */
  readonly salt: number
  readonly source:
    | { readonly kind: 'documents' }
    | { readonly kind: 'ids' | 'numbers' | 'terms'; readonly field: string }
}

/** Falls with the distance of a document's values from an origin. */
export interface DecayFunction {
  readonly kind: 'decay'
  readonly shape: 'gauss' | 'exp' | 'linear'
  readonly field: string
  readonly origin:
    | { readonly kind: 'number'; readonly column: NumberColumn; readonly value: number }
    | { readonly kind: 'place'; readonly place: Place }
  /** In units of the values, meters for places. */
  readonly scale: number
  readonly offset: number
  /** The score at a distance of `scale`, in (0, 1). */
  readonly decay: number
  /** Which of several distances counts. */
  readonly mode: 'min' | 'max' | 'avg' | 'sum'
}

/** The value of a script. */
export interface ScriptFunction {
  readonly kind: 'script'
  readonly script: ScriptPlan
}

/** How near a document's vector is to one, as scripts of vectors score it. */
export interface VectorFunction {
  readonly kind: 'vector'
  readonly field: string
  readonly space: VectorSpace
  readonly vector: QueryVector
  /** The script as it prints. */
  readonly text: string
}

/** Any function; `score-functions.ts` has the table of its kinds. */
export type ScoreFunction =
  | OneFunction
  | FieldValueFunction
  | RandomFunction
  | DecayFunction
  | ScriptFunction
  | VectorFunction

/** Names that a request gives the parts of a `function_score`, for explanations; null: no name. */
export interface FunctionNames {
  readonly query: string | null
  /** By function. */
  readonly functions: readonly (string | null)[]
  /** Those of the functions' filters, by function. */
  readonly filters: readonly (string | null)[]
}
