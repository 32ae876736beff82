import type { EmittedSource } from './derived-values.ts'
import type { ScriptField } from './script-field.ts'
import type { ScriptPlan } from './script-plan.ts'

/** A script that makes the values of an aggregation. Plain data. */
export interface ValueScript {
  readonly plan: ScriptPlan
  /** A field whose values it is given one by one, as `_value`, and changes; null: it makes them all. */
  readonly of: ScriptField | null
  /** A derived field's values, which are emitted ahead of the search; absent: the script runs as they are read. */
  readonly derived?: EmittedSource
}
