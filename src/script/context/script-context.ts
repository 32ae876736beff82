/** Where a script stands: which variables it sees, what it gives back, which languages may serve it. */

/** A variable that a script sees, in the form of its type (`painless/library/class-type.ts`). */
export interface ContextVariable {
  readonly name: string
  readonly type: string
  /** Whether the real server passes it to `execute`, and so shows no getter of it. */
  readonly argument?: true
}

/** A context of `_script_context`. */
export interface ScriptContext {
  readonly name: string
  readonly languages: readonly ('expression' | 'mustache' | 'painless')[]
  /** In the order in which an execution passes them. */
  readonly variables: readonly ContextVariable[]
  /** The type of the result; `void`: the script changes its variables. */
  readonly returns: string
  /** Functions beside those of the allow-list, by the name of their table. */
  readonly functions: 'score' | 'derived_field' | null
  readonly cache: { readonly maxSize: number; readonly maxCompilationsRate: string }
}
