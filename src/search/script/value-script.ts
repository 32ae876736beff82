import type { ScriptField } from './script-field.ts'
import type { ScriptPlan } from './script-plan.ts'

/** A script that makes the values of an aggregation. Plain data. */
export interface ValueScript {
  readonly plan: ScriptPlan
  /** A field whose values it is given one by one, as `_value`, and changes; null: it makes them all. */
  readonly of: ScriptField | null
}
