import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { IntervalSource } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { fieldError, unknownField } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { IntervalCombiner, type IntervalMode } from './combine.ts'

/** Makes the intervals of a rule on a field. */
export type IntervalRule = (at: IntervalPlace) => IntervalSource

/** The field of a rule, and what makes its intervals. */
export interface IntervalPlace {
  readonly field: TextField
  readonly context: QueryContext
  readonly combine: IntervalCombiner
}

/** A place at the query's own field. */
export function intervalPlace(field: TextField, context: QueryContext): IntervalPlace {
  return { field, context, combine: new IntervalCombiner(context.maxClauseCount) }
}

/** Readers of a rule's keys. */
export type RuleKeys = { readonly [key: string]: (entry: JsonEntry) => void }

/**
 * Reads the keys of a rule.
 * @throws {EngineError} another key, or one that must be there is missing
 */
export function readKeys(
  rule: string,
  node: JsonObjectNode,
  keys: RuleKeys,
  required: readonly string[],
): void {
  for (const entry of node.entries) {
    const { key, value } = entry
    const read = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (read === undefined) throw unknownField(entry, rule, Object.keys(keys))
    try {
      read(entry)
    } catch (error) {
      throw fieldError(value, rule, key, error)
    }
  }
  const missing = required.filter(key => !node.entries.some(entry => entry.key === key))
  if (missing.length > 0) throw new IllegalArgumentError(`Required [${missing.join(', ')}]`)
}

/** Options of rules that combine others. */
export interface CombineOptions {
  maxGaps: number
  mode: IntervalMode
}

/** Reads `mode`, or the older `ordered`. */
export function readMode(options: CombineOptions, { key, value }: JsonEntry): void {
  if (key === 'ordered') {
    options.mode = readBoolean(value) ? 'ordered' : 'unordered'
    return
  }
  const text = readText(value).toLowerCase()
  if (text !== 'ordered' && text !== 'unordered' && text !== 'unordered_no_overlap')
    throw new IllegalArgumentError(
      `No enum constant org.opensearch.index.query.IntervalMode.${text.toUpperCase()}`,
    )
  options.mode = text
}
