import type { ClassType, Member } from './library/class-type.ts'

/** A function that a context offers beside the allow-list. */
export interface ContextFunction {
  readonly member: Member
  /** The variable whose value is the receiver; null: it has none. */
  readonly receiver: string | null
}

/** Settings of a compilation, from the node and the context. */
export interface PainlessSettings {
  /** `script.painless.regex.enabled`. */
  readonly regex: 'true' | 'limited' | 'false'
  /** `script.painless.regex.limit-factor`: characters a pattern may look at, times the text's length. */
  readonly regexLimitFactor: number
  /** Functions of the context, by `name/arity`. */
  readonly functions: ReadonlyMap<string, ContextFunction>
  /** Classes of the context beside the allow-list, `Processors` for example: the same array each time. */
  readonly classes?: readonly ClassType[]
}
