/** The `method` of a field of vectors: which engine shall find neighbours, and how. */
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import { nodeToJson } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { type VectorSpace, vectorSpace } from './vector-space.ts'

/** Engines by name; the third is known for being refused. */
export type VectorEngine = 'faiss' | 'lucene' | 'nmslib'

const ENGINES: readonly VectorEngine[] = ['nmslib', 'faiss', 'lucene']

/** A part of a method: a value, or a component with parameters of its own. */
export type MethodParameter = JsonValue | MethodComponent

/** A method or an encoder: its name and parameters as they were given. */
export class MethodComponent {
  readonly name: string
  readonly parameters: ReadonlyMap<string, MethodParameter>

  constructor(name: string, parameters: ReadonlyMap<string, MethodParameter>) {
    this.name = name
    this.parameters = parameters
  }

  /** As a mapping prints it. */
  print(): Map<string, JsonValue> {
    const parameters = [...this.parameters].map(([key, value]): [string, JsonValue] => [
      key,
      value instanceof MethodComponent ? value.print() : value,
    ])
    return new Map<string, JsonValue>([
      ['name', this.name],
      ['parameters', new Map(parameters)],
    ])
  }
}

/** A method as it was given. */
export interface GivenMethod {
  /** Null: not given. */
  readonly engine: VectorEngine | null
  readonly space: VectorSpace | null
  readonly component: MethodComponent
}

/** The engine of a name in any case; null: there is none of it. */
export function vectorEngine(name: string): VectorEngine | null {
  return ENGINES.find(engine => engine === name.toLowerCase()) ?? null
}

/**
 * Reads `method`.
 * @throws {EngineError} `mapper_parsing_exception`
 */
export function readMethod(node: JsonNode): GivenMethod {
  if (node.kind !== 'object')
    throw mapperParsingError(
      'Unable to parse mapping into KNNMethodContext. Object not of type "Map"',
    )
  let engine: VectorEngine | null = null
  let space: VectorSpace | null = null
  for (const { key, value } of node.entries) {
    if (key === 'engine') {
      const name = readName(key, value)
      engine = vectorEngine(name)
      if (engine === null && name.toLowerCase() !== 'undefined')
        throw mapperParsingError(`Invalid engine: ${name}`)
    } else if (key === 'space_type') {
      const name = readName(key, value)
      space = vectorSpace(name)
      if (space === null && name.toLowerCase() !== 'undefined')
        throw mapperParsingError(`Invalid space_type: ${name}`)
    } else if (key !== 'name' && key !== 'parameters')
      throw mapperParsingError(`Invalid parameter: ${key}`)
  }
  return { engine, space, component: readComponent(node, METHOD_WORDS) }
}

function readName(key: string, value: JsonNode): string {
  if (value.kind === 'string') return value.value
  if (value.kind === 'null') return 'undefined'
  throw mapperParsingError(`"${key}" must be a string`)
}

/** Words of the refusals of a component. */
interface ComponentWords {
  readonly name: string
  readonly parameters: string
}

const METHOD_WORDS: ComponentWords = {
  name: 'namehas to be a string',
  parameters: 'Unable to parse parameters for main method component',
}
const ENCODER_WORDS: ComponentWords = {
  name: 'Component name should be a string',
  parameters: 'Unable to parse parameters for  method component',
}

function readComponent(node: JsonObjectNode, words: ComponentWords): MethodComponent {
  let name = ''
  const parameters = new Map<string, MethodParameter>()
  for (const { key, value } of node.entries) {
    if (key === 'name') {
      if (value.kind !== 'string') throw mapperParsingError(words.name)
      name = value.value
    } else if (key === 'parameters') {
      if (value.kind === 'null') continue
      if (value.kind !== 'object') throw mapperParsingError(words.parameters)
      for (const each of value.entries)
        parameters.set(
          each.key,
          each.value.kind === 'object' ? readEncoder(each.value) : nodeToJson(each.value),
        )
    }
  }
  if (name === '') throw mapperParsingError('name needs to be set')
  return new MethodComponent(name, parameters)
}

function readEncoder(node: JsonObjectNode): MethodComponent {
  for (const { key } of node.entries)
    if (key !== 'name' && key !== 'parameters')
      throw mapperParsingError(`Invalid parameter for MethodComponentContext: ${key}`)
  return readComponent(node, ENCODER_WORDS)
}

/** A component from the form in which a mapping prints it. */
export function componentOf(printed: JsonValue): MethodComponent {
  const all = printed as ReadonlyMap<string, JsonValue>
  const parameters = (all.get('parameters') ?? new Map()) as ReadonlyMap<string, JsonValue>
  return new MethodComponent(
    String(all.get('name')),
    new Map(
      [...parameters].map(([key, value]) => [
        key,
        value instanceof Map ? componentOf(value) : value,
      ]),
    ),
  )
}

/** An integer parameter; null: it is none. */
export function integerOf(value: MethodParameter | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}

/** A parameter with a fraction, or a whole number; null: it is neither. */
export function decimalOf(value: MethodParameter | undefined): number | null {
  if (value instanceof Float64) return value.value
  return typeof value === 'number' ? value : null
}
