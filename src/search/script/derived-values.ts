import type { ScriptPlan } from './script-plan.ts'

/** The values that a script emits for documents, as one field of theirs. Plain data. */
export interface DerivedValues {
  /** Of the field. */
  readonly name: string
  /** Of its values, which is one that mappings have. */
  readonly type: string
  readonly script: ScriptPlan
  /** Whether the script reads `params._source`. */
  readonly readsSource: boolean
  /** Where in the emitted objects the values stand; null: they are emitted themselves. */
  readonly path: string | null
  /** Whether documents for which the script emits other values have none; else they fail the search. */
  readonly ignoresMalformed: boolean
}

/** The values of a leaf's documents: those of `docs[i]` stand at `starts[i]` up to `starts[i + 1]`. */
export interface EmittedDocs {
  /** Documents with values, ascending. */
  readonly docs: Int32Array
  /** One more than there are documents. */
  readonly starts: Int32Array
  /** Ascending for each document; empty where the values are texts. */
  readonly numbers: Float64Array
  /** Empty where the values are numbers. */
  readonly texts: readonly string[]
}

/** A derived field's values; null before a shard is known. */
export interface EmittedSource {
  readonly values: DerivedValues
  /** By ord of the leaf. */
  readonly found: readonly EmittedDocs[] | null
}
