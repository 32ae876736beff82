import { EngineError } from '../util/errors.ts'
import { defineDynamicField, type NewValue } from './dynamic-mapping.ts'
import type { Dynamic } from './field-type.ts'
import type { Mapping } from './mapping.ts'
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
    const definition = defineDynamicField(this.#mapping, path, value, templatesOnly)
    if (definition === null) {
      if (dynamic === 'strict_allow_templates') throw strictError(dynamic, around, path)
      return null
    }
    this.isNeeded = true
    // What is left out is proposed in the next round, if there is one.
    if (!this.#proposed.has(path) && this.list.length < MAX_PROPOSALS) {
      this.#proposed.add(path)
      this.list.push({ path, definition })
    }
    return value.kind === 'object' && definition.entries.length === 1 ? 'plain' : 'defined'
  }
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
