/** The values of completion fields: texts with weights and contexts, as documents write them. */
import { EngineError, type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../util/json/json-tree.ts'
import { readContextValues, tokenOf } from './completion-context.ts'
import type { ContextValue } from './completion-input.ts'
import type { CompletionContext } from './field-storage.ts'
import { describeNode } from './json-conversion.ts'

/** The field that a value is of. */
export interface ValueField {
  readonly name: string
  readonly contexts: readonly CompletionContext[]
}

/** Weight and contexts of an input. */
export interface InputMetadata {
  readonly weight: number
  readonly contexts: readonly ContextValue[]
}

/** Says how a value is malformed. */
export type Refuse = (problem: ErrorRecord) => never

/** Weight and contexts of an input that is a text alone. */
export const PLAIN_INPUT: InputMetadata = { weight: 1, contexts: [] }

const INPUT_KEYS = ['input', 'weight', 'contexts']
const MAX_WEIGHT = 2147483647
/** Max values of contexts of one input. */
const MAX_CONTEXT_VALUES = 65535
/** Max length of a value of a context, in UTF-16 units. */
const MAX_CONTEXT_LENGTH = 8192

/** Reads an object of inputs with what they have in common. */
export function readInputs(
  field: ValueField,
  node: JsonObjectNode,
  refuse: Refuse,
): { readonly inputs: readonly string[]; readonly metadata: InputMetadata } {
  const inputs: string[] = []
  let metadata = PLAIN_INPUT
  for (const entry of node.entries) metadata = readEntry(field, entry, metadata, inputs, refuse)
  return { inputs, metadata }
}

/** Reads one key of a value; inputs go to a list. */
function readEntry(
  field: ValueField,
  { key, value }: JsonEntry,
  before: InputMetadata,
  inputs: string[],
  refuse: Refuse,
): InputMetadata {
  if (!INPUT_KEYS.includes(key))
    refuse(refused(`unknown field name [${key}], must be one of [${INPUT_KEYS.join(', ')}]`))
  if (key === 'contexts') return { ...before, contexts: readContexts(field, value, refuse) }
  if (key === 'weight') return { ...before, weight: readWeight(value, refuse) }
  if (value.kind === 'string') inputs.push(value.value)
  else if (value.kind === 'array')
    for (const item of value.items) {
      if (item.kind === 'string') inputs.push(item.value)
      else refuse(refused(`input array must have string values, but was [${tokenOf(item)}]`))
    }
  else refuse(refused(`input must be a string or array, but was [${tokenOf(value)}]`))
  return before
}

function readContexts(field: ValueField, node: JsonNode, refuse: Refuse): readonly ContextValue[] {
  if (field.contexts.length === 0)
    refuse(refused(`contexts field is not supported for field: [${field.name}]`))
  if (node.kind !== 'object')
    return refuse(refused(`contexts must be an object or an array , but was [${tokenOf(node)}]`))
  const found: ContextValue[] = []
  for (const { key, value } of node.entries) {
    const context = field.contexts.findIndex(({ name }) => name === key)
    if (context < 0) {
      const names = field.contexts.map(({ name }) => name).sort()
      refuse(refused(`Unknown context name [${key}], must be one of [${names.join(', ')}]`))
    }
    for (const each of valuesOf(field.contexts[context]!, value, refuse)) {
      if (each.length > MAX_CONTEXT_LENGTH)
        refuse(refused(`a context may have ${MAX_CONTEXT_LENGTH} characters, not ${each.length}`))
      found.push({ context, value: each })
    }
  }
  if (found.length > MAX_CONTEXT_VALUES)
    refuse(refused(`an input may have ${MAX_CONTEXT_VALUES} contexts, not ${found.length}`))
  return found
}

function valuesOf(context: CompletionContext, node: JsonNode, refuse: Refuse): readonly string[] {
  try {
    return readContextValues(context, node)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return refuse(toErrorRecord(error))
  }
}

function readWeight(node: JsonNode, refuse: Refuse): number {
  const text = describeNode(node)
  if (node.kind !== 'string' && node.kind !== 'number')
    refuse(refused(`weight must be a number or string, but was [${tokenOf(node)}]`))
  if (!/^[+-]?\d{1,19}$/.test(text)) refuse(refused(`weight must be an integer, but was [${text}]`))
  const weight = Number(text)
  if (weight < 0 || weight > MAX_WEIGHT)
    refuse(refused(`weight must be in the interval [0..2147483647], but was [${text}]`))
  return weight
}

/** The refusal of a text with a character that keys are put together with; null without one. */
export function reservedCharacter(text: string, hasContexts: boolean): ErrorRecord | null {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const isKept = unit === 0 || unit === 0x1e || unit === 0x1f
    if (!isKept && !(hasContexts && unit === 0x1d)) continue
    return refused(
      `Illegal ${isKept ? 'input' : 'value'} [${text}] UTF-16 codepoint [0x${unit.toString(16)}] at ` +
        `position ${i} is a reserved character`,
    )
  }
  return null
}

function refused(reason: string): ErrorRecord {
  return { type: 'illegal_argument_exception', reason }
}
