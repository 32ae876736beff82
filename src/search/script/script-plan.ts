/**
 * A script of a search as plain data, which crosses threads within weights and plans: each thread compiles
 * it anew (`script-engine.ts`).
 */
import type { PainlessSettings } from '../../script/painless/painless-settings.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import type { AskedTerms } from './asked-terms.ts'
import type { ScriptField } from './script-field.ts'

/** Context, source and fields of a script. */
export interface ScriptPlan {
  readonly lang: 'expression' | 'painless'
  /** A name of `script/context/script-contexts.ts`. */
  readonly context: string
  readonly source: string
  /** The id of a stored script, by which errors name it; null: they show its source. */
  readonly name: string | null
  readonly params: JsonObjectNode | null
  readonly regex: Pick<PainlessSettings, 'regex' | 'regexLimitFactor'>
  /** Fields that it may read: those that it names, or all of the mapping. */
  readonly fields: readonly PlannedField[]
  /** Terms whose frequencies it asks for; null: none. */
  readonly terms: AskedTerms | null
  /** Whether it reads `_score`. */
  readonly readsScore: boolean
  /** Mixed into seeds of `randomScore`; differs by index. */
  readonly salt: number
  /** As the reference server prints it in descriptions and explanations. */
  readonly text: string
}

/** A field that a script may read. */
export interface PlannedField {
  readonly name: string
  /** Null: the mapping has none of the name. */
  readonly field: ScriptField | null
}
