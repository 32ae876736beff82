import { EngineError } from '../util/errors.ts'
import { type JsonObjectNode, jsonEntry } from '../util/json/json-tree.ts'
import { defineDynamicField, type NewValue } from './dynamic-mapping.ts'
import type { Dynamic } from './field-type.ts'
import type { Mapping } from './mapping.ts'
import { mapperParsingError } from './mapping-errors.ts'
import type { FieldProposal } from './mapping-growth.ts'
import type { ObjectPlan } from './parse-plan.ts'

/** Max fields proposed in one round. */
const MAX_PROPOSALS = 10_000

/** The fields that one document brings and its mapping does not have. */
export class FieldProposals {
  list: FieldProposal[] = []
  /** Whether the document brings any. */
  isNeeded = false
  readonly #mapping: Mapping
  readonly #proposed = new Set<string>()

  constructor(mapping: Mapping) {
    this.#mapping = mapping
  }

  /** Starts over, for the next document. */
  clear(): void {
    if (!this.isNeeded) return
    this.isNeeded = false
    this.#proposed.clear()
    this.list = []
  }

  /**
   * Proposes a field, once.
   * @returns null when it is not to be mapped; `plain` for an object without parameters of its own
   */
  propose(around: ObjectPlan, path: string, value: NewValue): 'plain' | 'defined' | null {
    const { dynamic } = around
    const templatesOnly =
      dynamic === 'strict_allow_templates' || dynamic === 'false_allow_templates'
    if (dynamic === 'strict') throw strictError(dynamic, around, path)
    if (dynamic === 'false') return null
    if (!around.isFlat && !this.#proposeObjectsAround(around, path, templatesOnly)) {
      if (dynamic === 'strict_allow_templates') throw strictError(dynamic, around, path)
      return null
    }
    const definition = defineDynamicField(this.#mapping, path, value, templatesOnly)
    if (definition === null) {
      if (dynamic === 'strict_allow_templates') throw strictError(dynamic, around, path)
      return null
    }
    this.#add(path, definition)
    return value.kind === 'object' && definition.entries.length === 1 ? 'plain' : 'defined'
  }

  /**
   * Proposes the objects that dots or copies put between a mapped object and a new field.
   * @returns false when one of them is not to be mapped
   * @throws {EngineError} a template makes one of them nested
   */
  #proposeObjectsAround(around: ObjectPlan, path: string, templatesOnly: boolean): boolean {
    let dot = path.indexOf('.', around.path === '' ? 0 : around.path.length + 1)
    for (; dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const object = path.slice(0, dot)
      if (this.#proposed.has(object)) continue
      const definition = defineDynamicField(
        this.#mapping,
        object,
        { kind: 'object' },
        templatesOnly,
      )
      if (definition === null) return false
      if (isNested(definition))
        throw mapperParsingError(
          `It is forbidden to create dynamic nested objects ([${object}]) through \`copy_to\` ` +
            'or dots in field names',
        )
      this.#add(object, definition)
    }
    return true
  }

  #add(path: string, definition: JsonObjectNode): void {
    this.isNeeded = true
    // Fields that are left out here are proposed in the next round, if there is one.
    if (this.#proposed.has(path) || this.list.length >= MAX_PROPOSALS) return
    this.#proposed.add(path)
    this.list.push({ path, definition })
  }
}

function isNested(definition: JsonObjectNode): boolean {
  const type = jsonEntry(definition, 'type')?.value
  return type?.kind === 'string' && type.value === 'nested'
}

/** The error of a field that a strict object does not know. */
export function strictError(dynamic: Dynamic, around: ObjectPlan, path: string): EngineError {
  const within = around.path === '' ? '_doc' : around.path
  const below = around.path === '' ? path : path.slice(around.path.length + 1)
  const dot = below.indexOf('.')
  return new EngineError({
    type: 'strict_dynamic_mapping_exception',
    reason:
      `mapping set to ${dynamic}, dynamic introduction of ` +
      `[${dot < 0 ? below : below.slice(0, dot)}] within [${within}] is not allowed`,
  })
}
