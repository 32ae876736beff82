/** Templates of new indices: component, index and legacy ones. */
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'

/** Puts one template. */
export interface PutTemplate {
  readonly name: string
  readonly body: JsonNode
  /** True refuses one that is there already. */
  readonly create: boolean
  /** As the caller gave it; shown while the change waits. */
  readonly cause: string
}

/** Composes a template without storing anything. */
export interface SimulateTemplate {
  /** Of a stored template, or of the body; null for an index alone. */
  readonly name: string | null
  /** The index to be; null leaves `{index}` as it is. */
  readonly index: string | null
  /** A definition to be considered as if it were stored; null: none. */
  readonly body: JsonNode | null
  readonly create: boolean
  /** How settings print. */
  readonly isFlat: boolean
}

/** A template after composition, as it prints. */
export interface SimulatedTemplate {
  readonly settings: JsonValue
  readonly mappings: JsonValue
  readonly aliases: JsonMap
  readonly overlapping: readonly {
    readonly name: string
    readonly indexPatterns: readonly string[]
  }[]
}

/** A template under its name, as it prints. */
export interface ShownTemplate {
  readonly name: string
  readonly template: JsonMap
}

/** Chooses templates: by names, which may hold `*`; all without. */
export interface ShowTemplates {
  readonly names: readonly string[]
  /** How settings print. */
  readonly isFlat: boolean
}

/** Calls on templates. Shown ones are in order of name. */
export interface TemplatesApi {
  putComponent(call: PutTemplate, context: CallContext): Promise<void>
  /** @throws {EngineError} `resource_not_found_exception`: a name without `*` is missing */
  showComponents(call: ShowTemplates): readonly ShownTemplate[]
  deleteComponents(names: readonly string[], context: CallContext): Promise<void>
  /** @returns warnings */
  putIndex(call: PutTemplate, context: CallContext): Promise<readonly string[]>
  /** @throws {EngineError} `resource_not_found_exception`: a name without `*` is missing */
  showIndex(call: ShowTemplates): readonly ShownTemplate[]
  deleteIndex(names: readonly string[], context: CallContext): Promise<void>
  /** Null where no template matches. */
  simulate(call: SimulateTemplate): Promise<SimulatedTemplate | null>
  putLegacy(
    call: PutTemplate & {
      /** Null: as the body says. */
      readonly order: number | null
    },
    context: CallContext,
  ): Promise<void>
  /** Missing names are left out. */
  showLegacy(call: ShowTemplates): readonly ShownTemplate[]
  /** @param name may hold `*` */
  deleteLegacy(name: string, context: CallContext): Promise<void>
}
