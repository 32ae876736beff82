/** Aliases: other names of indices. */
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import type { Target } from './target.ts'

/** One change of a batch; `indices` may hold patterns. */
export type AliasAction =
  | {
      readonly kind: 'add'
      readonly indices: readonly string[]
      readonly aliases: readonly string[]
      /** Its object: filter, routing and flags. */
      readonly alias: JsonNode
    }
  | {
      readonly kind: 'remove'
      readonly indices: readonly string[]
      /** May hold patterns too. */
      readonly aliases: readonly string[]
      /** True refuses a missing alias, false passes it; null refuses a batch that finds nothing to do. */
      readonly mustExist: boolean | null
    }
  | { readonly kind: 'removeIndex'; readonly indices: readonly string[] }

/** The aliases of an index, as they print. */
export interface ShownAliases {
  readonly index: string
  readonly aliases: JsonMap
}

/** How a name stands to others. */
export interface NameRelations {
  /** Of an index: its aliases, and the data stream that it is of. */
  readonly others: readonly string[]
  /** Of an alias or a data stream: its indices. */
  readonly indices: readonly string[]
}

/** Calls on aliases. */
export interface AliasesApi {
  /** All changes of a batch or none. */
  update(actions: readonly AliasAction[], context: CallContext): Promise<void>
  /** In order of name of the index. */
  show(target: Target, context: CallContext): Promise<readonly ShownAliases[]>
  /** Of a name that there may be or not. */
  relations(name: string): NameRelations
}
