import type { JsonObjectNode } from '../util/json/json-tree.ts'

/** A script as a request names it: inline, or stored under an id. */
export type ScriptRequest = {
  readonly params: JsonObjectNode | null
  readonly options: ReadonlyMap<string, string>
} & (
  | { readonly source: string; readonly id: null; readonly lang: string }
  | { readonly source: null; readonly id: string; readonly lang: null }
)
