/**
 * `completion`: texts that typed beginnings are completed to. Inputs are kept as terms; their weights
 * and contexts are checked and stand in the source.
 */
import { EngineError, type ErrorRecord, IllegalArgumentError } from '../../util/errors.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import { type JsonEntry, type JsonNode, jsonEntry } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { describeNode, nodeToJson } from '../json-conversion.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { AnalysisNames, FieldKind } from './field-kind.ts'
import { type FieldParameter, parameter, parseBoolean, parseInteger } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import { meta } from './shared-parameters.ts'

/** A field of completions. */
export interface CompletionField extends MappedField {
  readonly type: 'completion'
  /** Longest input in UTF-16 units; what is longer is cut. */
  readonly maxInputLength: number
  readonly hasContexts: boolean
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
const contexts: FieldParameter = parameter('contexts', null, node => {
  const items = node.kind === 'array' ? node.items : [node]
  return items.map(parseContext)
})

function flag(name: string): FieldParameter {
  return parameter(name, true, node => parseBoolean(node, name), PRINTED)
}

function parseContext(node: JsonNode): JsonValue {
  if (node.kind !== 'object') throw mapperParsingError('context mapping must be an object')
  const text = (key: string): string => {
    const entry = jsonEntry(node, key)
    if (entry === null)
      throw new EngineError({
        type: 'parse_exception',
        reason: `missing [${key}] in context mapping`,
      })
    return describeNode(entry.value)
  }
  text('name')
  const type = text('type')
  if (type !== 'category' && type !== 'geo')
    throw new EngineError({ type: 'parse_exception', reason: `unknown context type[${type}]` })
  const keys = type === 'geo' ? ['name', 'type', 'path', 'precision'] : ['name', 'type', 'path']
  const unknown = node.entries.filter(({ key }) => !keys.includes(key))
  if (unknown.length > 0)
    throw mapperParsingError(
      `Mapping definition for [${text('name')}] has unsupported parameters:  ` +
        unknown.map(({ key, value }) => `[${key} : ${describeNode(value)}]`).join(' '),
    )
  return nodeToJson(node)
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
    maxInputLength: values.number('max_input_length', 50),
    hasContexts: values.value('contexts') !== null,
  }),
  storage: () => ({
    kind: 'terms',
    indexOptions: 'docs',
    hasNorms: false,
    docValues: 'none',
    normalizer: null,
  }),
  addValue(field, ordinal, token, values) {
    if (token === JSON_TOKENS.null) return
    const refuse = (problem: ErrorRecord): never => {
      throw values.valueError(field, token, problem)
    }
    const text = values.reader.text()
    if (token === JSON_TOKENS.string) addInput(field, ordinal, text, values, refuse)
    else
      refuse({
        type: 'parsing_exception',
        reason:
          `failed to parse [${field.name}]: expected text or object, but got ` +
          (token === JSON_TOKENS.number ? 'VALUE_NUMBER' : `VALUE_${text.toUpperCase()}`),
      })
  },
  addObject(field, ordinal, values) {
    const tree = values.takeTree()
    const refuse = (problem: ErrorRecord): never => {
      throw values.nodeError(field, tree, problem)
    }
    const inputs: string[] = []
    for (const entry of tree.kind === 'object' ? tree.entries : [])
      readEntry(field, entry, inputs, reason => refuse(refused(reason)))
    for (const input of inputs) addInput(field, ordinal, input, values, refuse)
  },
}

/** Reads one key of a value; inputs go to a list. */
function readEntry(
  field: CompletionField,
  { key, value }: JsonEntry,
  inputs: string[],
  refuse: (reason: string) => never,
): void {
  if (!INPUT_KEYS.includes(key))
    refuse(`unknown field name [${key}], must be one of [${INPUT_KEYS.join(', ')}]`)
  if (key === 'contexts') {
    if (!field.hasContexts) refuse(`contexts field is not supported for field: [${field.name}]`)
    if (value.kind !== 'object')
      refuse(`contexts must be an object or an array , but was [${kindOf(value)}]`)
  } else if (key === 'weight') checkWeight(value, refuse)
  else if (value.kind === 'string') inputs.push(value.value)
  else if (value.kind === 'array')
    for (const item of value.items) {
      if (item.kind === 'string') inputs.push(item.value)
      else refuse(`input must be a string or array, but was [${kindOf(item)}]`)
    }
  else refuse(`input must be a string or array, but was [${kindOf(value)}]`)
}

function checkWeight(node: JsonNode, refuse: (reason: string) => never): void {
  const text = describeNode(node)
  const isScalar = node.kind === 'string' || node.kind === 'number'
  if (!isScalar || !/^[+-]?\d{1,19}$/.test(text))
    refuse(`weight must be an integer, but was [${text}]`)
  const weight = Number(text)
  if (weight < 0 || weight > MAX_WEIGHT)
    refuse(`weight must be in the interval [0..2147483647], but was [${text}]`)
}

function addInput(
  field: CompletionField,
  ordinal: number,
  input: string,
  values: LeafValues,
  refuse: (problem: ErrorRecord) => never,
): void {
  if (input.trim() === '') refuse(refused('value must have a length > 0'))
  let end = Math.min(input.length, field.maxInputLength)
  // A pair of surrogates stays whole.
  if (end < input.length && (input.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
  values.addKeyword(ordinal, input.slice(0, end))
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

function kindOf(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'START_OBJECT'
    case 'array':
      return 'START_ARRAY'
    case 'boolean':
      return 'VALUE_BOOLEAN'
    case 'number':
      return 'VALUE_NUMBER'
    case 'string':
      return 'VALUE_STRING'
    case 'null':
      return 'VALUE_NULL'
  }
}
