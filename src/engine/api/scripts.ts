/** Scripts as requests name them, and those that are stored. */
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'

/** A script as a request names it: inline, or stored under an id. */
export type ScriptRequest = {
  readonly params: JsonObjectNode | null
  readonly options: ReadonlyMap<string, string>
} & (
  | { readonly source: string; readonly id: null; readonly lang: string }
  | { readonly source: null; readonly id: string; readonly lang: null }
)

/** A script that is stored. */
export interface StoredScript {
  readonly lang: string
  readonly source: string
  readonly options: ReadonlyMap<string, string>
}

/** Puts one script. */
export interface PutScript {
  readonly id: string
  /** Compiled for it before it is stored; null: as it is. */
  readonly context: string | null
  readonly body: JsonNode
}

/** A context, as it prints. */
export interface ShownContext {
  readonly name: string
  readonly methods: readonly JsonRecord[]
}

/** Languages and where each may stand, as they print. */
export interface ShownLanguages {
  readonly typesAllowed: readonly string[]
  readonly languages: readonly { readonly language: string; readonly contexts: readonly string[] }[]
}

/** Renders a template without searching. */
export interface RenderTemplate {
  /** Of a stored template, from the path; null: the body says. */
  readonly id: string | null
  readonly body: JsonNode
}

/** Calls on scripts. */
export interface ScriptsApi {
  put(call: PutScript, context: CallContext): Promise<void>
  get(id: string): StoredScript | null
  /** @throws {EngineError} `resource_not_found_exception` */
  delete(id: string, context: CallContext): Promise<void>
  contexts(): readonly ShownContext[]
  languages(): ShownLanguages
  /** The text of a template with its parameters, as JSON. */
  render(call: RenderTemplate): JsonValue
}
