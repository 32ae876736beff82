/** Scripts as requests name them, and those that are stored. */
import type { ScriptRequest } from '../../script/script-request.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'

/** A script as a request names it, for layers that see scripts through the engine alone. */
export type RequestedScript = ScriptRequest

/** A script that is stored. */
export interface StoredScript {
  readonly lang: string
  readonly source: string
  readonly options: ReadonlyMap<string, string>
}

/** A script of a search that compiles: the thread that runs it compiles it anew. */
export interface CheckedScript {
  readonly lang: 'expression' | 'painless'
  readonly source: string
  /** Of a stored script; null: it is inline. */
  readonly id: string | null
  readonly params: JsonObjectNode | null
  /** Settings of its regular expressions, as `PainlessSettings` has them. */
  readonly regex: {
    readonly regex: 'true' | 'limited' | 'false'
    readonly regexLimitFactor: number
  }
  /** `PainlessScript.uses`; null for an expression, which tells no names. */
  readonly uses: ReadonlySet<string> | null
}

/** Checks the scripts of a search. */
export interface SearchScripts {
  /**
   * @param context a name of `_script_context`
   * @throws {EngineError} it does not compile, is not stored, or settings forbid it
   */
  forSearch(script: ScriptRequest, context: string): CheckedScript
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
  /** Runs a script once: a text, a boolean or a double. */
  execute(body: JsonNode, context: CallContext): Promise<JsonValue>
  /** The text of a template with its parameters, as JSON. */
  render(call: RenderTemplate): JsonValue
  /**
   * The text of an inline template, whatever it is.
   * @param params its parameters, an object
   * @throws {EngineError} it does not compile, or settings forbid it
   */
  renderText(source: string, params: JsonNode): string
}
