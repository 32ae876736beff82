/** `completion`: texts that typed beginnings are completed to, with weights and contexts. */
import type { EngineError } from '../../util/errors.ts'
import { type ErrorRecord, IllegalArgumentError, toErrorRecord } from '../../util/errors.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { checkContexts, contextsOf, readContextValues, tokenOf } from '../completion-context.ts'
import { type ContextValue, encodeInput } from '../completion-input.ts'
import type { CompletionContext } from '../field-storage.ts'
import { describeNode } from '../json-conversion.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { AnalysisNames, FieldKind } from './field-kind.ts'
import { type FieldParameter, parameter, parseBoolean, parseInteger } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import { meta } from './shared-parameters.ts'

/** A field of completions. */
export interface CompletionField extends MappedField {
  readonly type: 'completion'
  readonly analyzer: string
  readonly searchAnalyzer: string
  readonly preservesSeparators: boolean
  readonly preservesIncrements: boolean
  /** Longest input in UTF-16 units; what is longer is cut. */
  readonly maxInputLength: number
  /** Empty: inputs have none. */
  readonly contexts: readonly CompletionContext[]
}

const INPUT_KEYS = ['input', 'weight', 'contexts']
const MAX_WEIGHT = 2147483647
const PRINTED = { printsDefault: true }

const analyzer: FieldParameter = parameter('analyzer', 'simple', describeNode, PRINTED)
const searchAnalyzer: FieldParameter = parameter('search_analyzer', null, describeNode, {
  updateable: true,
})
const preserveSeparators: FieldParameter = flag('preserve_separators')
const preservePositionIncrements: FieldParameter = flag('preserve_position_increments')
const maxInputLength: FieldParameter = parameter(
  'max_input_length',
  50,
  node => {
    const length = parseInteger(node)
    if (length <= 0)
      throw new IllegalArgumentError(`[max_input_length] must be > 0 but was [${length}]`)
    return length
  },
  { ...PRINTED, updateable: true },
)
const contexts: FieldParameter = parameter('contexts', null, checkContexts)

/** Max values of contexts of one input. */
const MAX_CONTEXT_VALUES = 65535
/** Max length of a value of a context, in UTF-16 units. */
const MAX_CONTEXT_LENGTH = 8192

function flag(name: string): FieldParameter {
  return parameter(name, true, node => parseBoolean(node, name), PRINTED)
}

/** Those that print even at their defaults. */
const ALWAYS_PRINTED = [analyzer, preserveSeparators, preservePositionIncrements, maxInputLength]

/** The field type `completion`. */
export const completion: FieldKind<CompletionField> = {
  parameters: [
    analyzer,
    searchAnalyzer,
    preserveSeparators,
    preservePositionIncrements,
    maxInputLength,
    contexts,
    meta,
  ],
  rules: [checkAnalyzers],
  build: (name, values) => ({
    name,
    type: 'completion',
    indexed: true,
    parameters: new Map([
      ...ALWAYS_PRINTED.map(({ name }) => [name, values.value(name)] as const),
      ...values.given,
    ]),
    analyzer: values.text('analyzer') ?? 'simple',
    searchAnalyzer: values.text('search_analyzer') ?? values.text('analyzer') ?? 'simple',
    preservesSeparators: values.flag('preserve_separators'),
    preservesIncrements: values.flag('preserve_position_increments'),
    maxInputLength: values.number('max_input_length', 50),
    contexts: contextsOf(values.value('contexts')),
  }),
  storage: ({ analyzer, preservesSeparators, preservesIncrements, contexts }) => ({
    kind: 'completions',
    indexOptions: 'none',
    hasNorms: false,
    docValues: 'none',
    analyzer,
    preservesSeparators,
    preservesIncrements,
    contexts,
  }),
  addValue(field, ordinal, token, values) {
    if (token === JSON_TOKENS.null) return
    const refuse = (problem: ErrorRecord): never => {
      throw values.valueError(field, token, problem)
    }
    const text = values.reader.text()
    if (token === JSON_TOKENS.string) addInput(field, ordinal, text, PLAIN, values, refuse)
    else
      refuse(
        unreadable(
          field,
          token === JSON_TOKENS.number ? 'VALUE_NUMBER' : `VALUE_${text.toUpperCase()}`,
        ),
      )
  },
  addObject(field, ordinal, values) {
    addNode(field, ordinal, values.takeTree(), values)
  },
  addNode,
}

/** What an input has beside its text. */
interface InputMetadata {
  readonly weight: number
  readonly contexts: readonly ContextValue[]
}

const PLAIN: InputMetadata = { weight: 1, contexts: [] }

/** Adds a value that was read already: a text, or an object of inputs. */
function addNode(
  field: CompletionField,
  ordinal: number,
  node: JsonNode,
  values: LeafValues,
): void {
  const refuse = (problem: ErrorRecord): never => {
    throw values.nodeError(field, node, problem)
  }
  if (node.kind === 'string') {
    addInput(field, ordinal, node.value, PLAIN, values, refuse)
    return
  }
  if (node.kind !== 'object') refuse(unreadable(field, tokenOf(node)))
  const inputs: string[] = []
  let given = PLAIN
  for (const entry of node.kind === 'object' ? node.entries : [])
    given = readEntry(field, entry, given, inputs, refuse)
  for (const input of inputs) addInput(field, ordinal, input, given, values, refuse)
}

/** Reads one key of a value; inputs go to a list. */
function readEntry(
  field: CompletionField,
  { key, value }: JsonEntry,
  before: InputMetadata,
  inputs: string[],
  refuse: (problem: ErrorRecord) => never,
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

function readContexts(
  field: CompletionField,
  node: JsonNode,
  refuse: (problem: ErrorRecord) => never,
): readonly ContextValue[] {
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

function valuesOf(
  context: CompletionContext,
  node: JsonNode,
  refuse: (problem: ErrorRecord) => never,
): readonly string[] {
  try {
    return readContextValues(context, node)
  } catch (error) {
    return refuse(toErrorRecord(error as EngineError))
  }
}

function readWeight(node: JsonNode, refuse: (problem: ErrorRecord) => never): number {
  const text = describeNode(node)
  if (node.kind !== 'string' && node.kind !== 'number')
    refuse(refused(`weight must be a number or string, but was [${tokenOf(node)}]`))
  if (!/^[+-]?\d{1,19}$/.test(text)) refuse(refused(`weight must be an integer, but was [${text}]`))
  const weight = Number(text)
  if (weight < 0 || weight > MAX_WEIGHT)
    refuse(refused(`weight must be in the interval [0..2147483647], but was [${text}]`))
  return weight
}

function addInput(
  field: CompletionField,
  ordinal: number,
  input: string,
  { weight, contexts }: InputMetadata,
  values: LeafValues,
  refuse: (problem: ErrorRecord) => never,
): void {
  if (input.trim() === '') {
    values.addIgnored(field.name)
    return
  }
  let end = Math.min(input.length, field.maxInputLength)
  // A pair of surrogates stays whole.
  if (end < input.length && (input.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
  const text = input.slice(0, end)
  const reserved = reservedCharacter(text, field.contexts.length > 0)
  if (reserved !== null) refuse(reserved)
  values.addByteString(ordinal, encodeInput(text, weight, contexts))
}

/** The refusal of a text with a character that keys are put together with; null without one. */
function reservedCharacter(text: string, hasContexts: boolean): ErrorRecord | null {
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

function checkAnalyzers(
  _name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
): void {
  for (const key of ['analyzer', 'search_analyzer']) {
    const used = given.get(key)
    if (typeof used === 'string' && !names.hasAnalyzer(used))
      throw mapperParsingError(`analyzer [${used}] has not been configured in mappings`)
  }
}

function refused(reason: string): ErrorRecord {
  return { type: 'illegal_argument_exception', reason }
}

function unreadable(field: CompletionField, token: string): ErrorRecord {
  return {
    type: 'parsing_exception',
    reason: `failed to parse [${field.name}]: expected text or object, but got ${token}`,
  }
}
