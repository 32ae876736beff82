/** `completion`: texts that typed beginnings are completed to, with weights and contexts. */
import { EngineError, type ErrorRecord, IllegalArgumentError } from '../../util/errors.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { checkContexts, contextsOf, tokenOf } from '../completion-context.ts'
import { encodeInput } from '../completion-input.ts'
import {
  type InputMetadata,
  PLAIN_INPUT,
  type Refuse,
  readInputs,
  reservedCharacter,
} from '../completion-value.ts'
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
    const refuse: Refuse = problem => {
      throw values.valueError(field, token, problem)
    }
    const text = values.reader.text()
    if (token === JSON_TOKENS.string) addInput(field, ordinal, text, PLAIN_INPUT, values, refuse)
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
  textsOf: inputsOf,
  handsOnWhole: true,
}

/** Adds a value that was read already: a text, or an object of inputs. */
function addNode(
  field: CompletionField,
  ordinal: number,
  node: JsonNode,
  values: LeafValues,
): void {
  const refuse: Refuse = problem => {
    throw values.nodeError(field, node, problem)
  }
  if (node.kind === 'string') {
    addInput(field, ordinal, node.value, PLAIN_INPUT, values, refuse)
    return
  }
  if (node.kind !== 'object') refuse(unreadable(field, tokenOf(node)))
  const { inputs, metadata } = readInputs(field, node, refuse)
  for (const input of inputs) addInput(field, ordinal, input, metadata, values, refuse)
}

/** The inputs of a value that was taken, each once and uncut. */
function inputsOf(field: CompletionField, node: JsonNode): readonly string[] {
  if (node.kind === 'string') return [node.value]
  if (node.kind !== 'object') return []
  const refuse: Refuse = problem => {
    throw new EngineError(problem)
  }
  return [...new Set(readInputs(field, node, refuse).inputs)]
}

function addInput(
  field: CompletionField,
  ordinal: number,
  input: string,
  { weight, contexts }: InputMetadata,
  values: LeafValues,
  refuse: Refuse,
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

function unreadable(field: CompletionField, token: string): ErrorRecord {
  return {
    type: 'parsing_exception',
    reason: `failed to parse [${field.name}]: expected text or object, but got ${token}`,
  }
}
