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
