/** `knn_vector`: a vector for each document, whose neighbours are searched for. */
import { EngineError, IllegalArgumentError, toErrorRecord } from '../../util/errors.ts'
import { JSON_TOKENS, type JsonToken } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { describeNode } from '../json-conversion.ts'
import { type GraphMethod, MAX_GRAPH_CANDIDATES, MAX_GRAPH_M } from '../knn-vector/graph-method.ts'
import {
  checkComponent,
  checkLength,
  checkWhole,
  encodeVector,
  givenLength,
} from '../knn-vector/read-vector.ts'
import { resolveMethod, type VectorMethod } from '../knn-vector/resolve-method.ts'
import {
  componentOf,
  type GivenMethod,
  readMethod,
  type VectorEngine,
  vectorEngine,
} from '../knn-vector/vector-method.ts'
import {
  readVectorSpace,
  type VectorElement,
  type VectorSpace,
  vectorSpace,
} from '../knn-vector/vector-space.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter, choiceParameter, parameter, textParameter } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import { decimal, javaDecimal } from './number-text.ts'
import type { ParameterValues } from './parameter-values.ts'
import { meta, store } from './shared-parameters.ts'

/** A field of vectors. */
export interface KnnVectorField extends MappedField {
  readonly type: 'knn_vector'
  readonly docValues: boolean
  readonly element: VectorElement
  /** Components; bits of a binary vector. */
  readonly dimension: number
  /** Null in an index that finds no neighbours: each script names its own. */
  readonly space: VectorSpace | null
  /** Null in an index that finds no neighbours. */
  readonly method: VectorMethod | null
}

const ELEMENTS: readonly VectorElement[] = ['binary', 'byte', 'float']

const dimension = parameter('dimension', null, (node, field) => {
  const text = describeNode(node)
  const value = Number(text)
  const isNumber = node.kind === 'number' || node.kind === 'string'
  if (!isNumber || text.trim() === '' || !Number.isFinite(value) || Math.abs(value) > 2147483647)
    throw new IllegalArgumentError(
      `Unable to parse [dimension] from provided value [${text}] for vector [${lastPart(field)}]`,
    )
  if (Math.trunc(value) <= 0)
    throw new IllegalArgumentError(
      `Dimension value must be greater than 0 for vector: ${lastPart(field)}`,
    )
  return Math.trunc(value)
})

const dataType = parameter('data_type', 'float', node => {
  const name = describeNode(node).toLowerCase()
  const element = ELEMENTS.find(each => each === name)
  if (element !== undefined) return element
  throw new IllegalArgumentError(
    'Invalid value provided for [data_type] field. Supported values are ' +
      `[${ELEMENTS.join(',')}]`,
  )
})

const spaceType = parameter('space_type', null, node => {
  const name = describeNode(node)
  readVectorSpace(name)
  return name
})

const engine = parameter('engine', null, node => {
  const name = describeNode(node)
  if (vectorEngine(name) === null && name.toLowerCase() !== 'undefined')
    throw new IllegalArgumentError(`Invalid engine type: ${name}`)
  return name
})

const method = parameter('method', null, node => printMethod(readMethod(node)))

/** The field type `knn_vector`. */
export const knnVector: FieldKind<KnnVectorField> = {
  parameters: [
    store,
    booleanParameter('doc_values', false),
    dimension,
    dataType,
    meta,
    method,
    textParameter('model_id', false),
    choiceParameter('mode', '', ['in_memory', 'on_disk']),
    choiceParameter('compression_level', '', ['1x', '2x', '4x', '8x', '16x', '32x', '64x']),
    spaceType,
    engine,
  ],
  rules: [],
  build,
  storage: ({ element, dimension, space, method }) => ({
    kind: 'vectors',
    indexOptions: 'none',
    hasNorms: false,
    docValues: 'vectors',
    element,
    dimension,
    method: space === null || method?.name !== 'hnsw' ? null : graphMethod(space, method),
  }),
  addValue(field, ordinal, token, values) {
    if (token === JSON_TOKENS.null) return
    if (token !== JSON_TOKENS.number) throw wholeError(field, values, 0)
    addScalars(field, ordinal, token, values, false)
  },
  addObject(field, _ordinal, values) {
    values.reader.skipChildren()
    throw wholeError(field, values, 0)
  },
  addList: (field, ordinal, values) => addScalars(field, ordinal, null, values, true),
  addNode(field, ordinal, node, values) {
    if (node.kind === 'null') return
    const vector: number[] = []
    try {
      const items = node.kind === 'array' ? node.items : node.kind === 'number' ? [node] : []
      for (const item of items) vector.push(componentOfNode(item, field.element))
      push(field, ordinal, vector, values)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw values.nodeError(field, node, toErrorRecord(error))
    }
  },
  // Multi-fields get nothing of vectors.
  textsOf: () => [],
}

function graphMethod(space: VectorSpace, { m, efConstruction }: VectorMethod): GraphMethod {
  return {
    space,
    m: Math.min(m, MAX_GRAPH_M),
    efConstruction: Math.min(efConstruction, MAX_GRAPH_CANDIDATES),
  }
}

function lastPart(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

function build(name: string, values: ParameterValues): KnnVectorField {
  const given = methodOf(values.value('method'))
  const element = values.text('data_type') as VectorElement
  const level = values.text('compression_level') ?? ''
  const topEngine = values.text('engine')
  const dimension = values.value('dimension')
  const resolved = resolveMethod({
    name: lastPart(name),
    dimension: typeof dimension === 'number' ? dimension : null,
    element,
    method: given,
    modelId: values.text('model_id'),
    mode: values.text('mode') || null,
    compression: level === '' ? null : Number(level.slice(0, -1)),
    space: vectorSpace(values.text('space_type') ?? ''),
    engine: topEngine === null ? null : vectorEngine(topEngine),
    isVectorIndex: values.isVectorIndex,
  })
  const { space, method } = resolved
  const parameters = new Map(values.given)
  // A method prints with the engine and the space that hold for it.
  if (given !== null && method !== null)
    parameters.set('method', printMethod({ ...given, engine: method.engine, space }))
  return {
    name,
    type: 'knn_vector',
    indexed: true,
    parameters,
    docValues: values.flag('doc_values'),
    element,
    dimension: resolved.dimension,
    space,
    method,
  }
}

function printMethod({ engine, space, component }: GivenMethod): JsonValue {
  return new Map<string, JsonValue>([
    ['engine', engine ?? 'undefined'],
    ['space_type', space ?? 'undefined'],
    ...component.print(),
  ])
}

function methodOf(printed: JsonValue): GivenMethod | null {
  if (!(printed instanceof Map)) return null
  return {
    engine: vectorEngine(String(printed.get('engine'))) as VectorEngine | null,
    space: vectorSpace(String(printed.get('space_type'))),
    component: componentOf(printed),
  }
}

/**
 * Adds the vector at which the reader stands.
 * @param token the scalar, where there is one
 * @param isList whether it is a list, at whose start the reader stands
 */
function addScalars(
  field: KnnVectorField,
  ordinal: number,
  token: JsonToken | null,
  values: LeafValues,
  isList: boolean,
): void {
  const { reader } = values
  const { element } = field
  const vector = room(givenLength(field))
  let length = 0
  const take = (item: JsonToken): void => {
    let value: number
    try {
      value = componentOfToken(item, values)
      checkComponent(value, element)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw errorAt(field, item, values, error)
    }
    // More components than there is room for are counted alone.
    if (length < vector.length) vector[length] = value
    length++
  }
  if (token !== null) take(token)
  if (isList) {
    const outer = reader.depth - 1
    for (let item = reader.next(); reader.depth > outer; item = reader.next()) take(item)
  }
  if (length !== vector.length) throw wholeError(field, values, length)
  push(field, ordinal, vector, values)
}

/** Components of the vector being read, reused from document to document. */
let shared = new Float32Array(0)

function room(length: number): Float32Array {
  if (shared.length < length) shared = new Float32Array(length)
  return shared.subarray(0, length)
}

/** Float32. */
function componentOfToken(token: JsonToken, { reader }: LeafValues): number {
  if (token === JSON_TOKENS.number)
    return Math.fround(decimal(reader.bytes, reader.start, reader.end, reader.isInteger))
  if (token === JSON_TOKENS.string) return floatOf(reader.text())
  throw notNumeric(TOKEN_NAMES.get(token) ?? 'START_ARRAY')
}

function componentOfNode(node: JsonNode, element: VectorElement): number {
  const value = numberOfNode(node)
  checkComponent(value, element)
  return value
}

/**
 * A component that was read already, float32.
 * @throws {EngineError} no number
 */
export function numberOfNode(node: JsonNode): number {
  if (node.kind === 'number') return Math.fround(node.value)
  if (node.kind === 'string') return floatOf(node.value)
  const names = { object: 'START_OBJECT', array: 'START_ARRAY', null: 'VALUE_NULL' } as const
  throw notNumeric(node.kind === 'boolean' ? `VALUE_${node.value}`.toUpperCase() : names[node.kind])
}

function floatOf(text: string): number {
  const trimmed = text.trim()
  if (/^[+-]?NaN$/.test(trimmed)) return Number.NaN
  if (/^[+-]?Infinity$/.test(trimmed)) return Number.POSITIVE_INFINITY
  const value = javaDecimal(text)
  if (value !== null) return Math.fround(value)
  throw new EngineError({
    type: 'number_format_exception',
    reason: trimmed === '' ? 'empty String' : `For input string: "${text}"`,
  })
}

const TOKEN_NAMES: ReadonlyMap<JsonToken, string> = new Map([
  [JSON_TOKENS.objectStart, 'START_OBJECT'],
  [JSON_TOKENS.true, 'VALUE_TRUE'],
  [JSON_TOKENS.false, 'VALUE_FALSE'],
  [JSON_TOKENS.null, 'VALUE_NULL'],
])

function notNumeric(token: string): EngineError {
  return new EngineError({
    type: 'json_parse_exception',
    reason: `Current token (${token}) not numeric, can not use numeric value accessors`,
  })
}

function errorAt(
  field: KnnVectorField,
  token: JsonToken,
  values: LeafValues,
  error: EngineError,
): EngineError {
  const isTree = token === JSON_TOKENS.objectStart || token === JSON_TOKENS.arrayStart
  return isTree
    ? values.skipObject(field, toErrorRecord(error))
    : values.valueError(field, token, toErrorRecord(error))
}

/** The error of a vector of another length, or of no vector. */
function wholeError(field: KnnVectorField, values: LeafValues, length: number): EngineError {
  try {
    checkLength(length, field)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return values.valueError(field, JSON_TOKENS.null, toErrorRecord(error))
  }
  return mapperParsingError(`failed to parse field [${field.name}] of type [${field.type}]`)
}

/** @param vector of checked components */
function push(
  field: KnnVectorField,
  ordinal: number,
  vector: ArrayLike<number>,
  values: LeafValues,
): void {
  try {
    checkLength(vector.length, field)
    checkWhole(vector, field.space)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw values.valueError(field, JSON_TOKENS.null, toErrorRecord(error))
  }
  values.addByteString(ordinal, encodeVector(vector, field.element))
}
