/** Objects of policies, read key by key; a key that none of the readers takes is refused. */
import { readText } from '../../../engine/dsl/json-scalars.ts'
import { parsingError, tokenName } from '../../../engine/dsl/parse-error.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration, parseSize } from '../../../util/units.ts'

/** Reads the value of one key. */
export type FieldReaders = Readonly<Record<string, (value: JsonNode) => void>>

/** A duration or a size as it was given, with its value. */
export interface Measure {
  readonly text: string
  /** Milliseconds, or bytes. */
  readonly value: number
}

/**
 * Reads the keys of an object, in their order.
 * @param name of the object, for the error
 * @throws {EngineError} `parsing_exception`: no object; `illegal_argument_exception`: a key without a reader
 */
export function readFields(node: JsonNode, name: string, readers: FieldReaders): void {
  for (const { key, value } of entriesOf(node)) {
    if (!Object.hasOwn(readers, key))
      throw new IllegalArgumentError(`Invalid field: [${key}] found in ${name}.`)
    readers[key]!(value)
  }
}

/** @throws {EngineError} `parsing_exception`: no object */
export function entriesOf(node: JsonNode): readonly JsonEntry[] {
  if (node.kind === 'object') return node.entries
  throw wrongToken(node, 'START_OBJECT')
}

/** @throws {EngineError} `parsing_exception`: no list */
export function itemsOf(node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'array') return node.items
  throw wrongToken(node, 'START_ARRAY')
}

/** @throws {EngineError} `parsing_exception`: anything but `{}` */
export function readEmpty(node: JsonNode): void {
  const [entry] = entriesOf(node)
  if (entry === undefined) return
  throw parsingError(
    entry,
    'Failed to parse object: expecting token of type [END_OBJECT] but found [FIELD_NAME]',
  )
}

/** The error of a value that is not of the form that its place has. */
export function wrongToken(node: JsonNode, expected: string): Error {
  return parsingError(
    node,
    `Failed to parse object: expecting token of type [${expected}] but found [${tokenName(node.kind)}]`,
  )
}

/** A duration, in milliseconds. */
export function readDuration(node: JsonNode, name: string): Measure {
  const text = readText(node)
  return { text, value: parseDuration(text, name) / 1e6 }
}

/** A size, in bytes. */
export function readSize(node: JsonNode, name: string): Measure {
  const text = readText(node)
  return { text, value: parseSize(text, name) }
}

/**
 * A value that must have been given.
 * @param reason of the refusal
 * @throws {EngineError} `illegal_argument_exception`: it was not
 */
export function given<T>(value: T | null, reason: string): T {
  if (value === null) throw new IllegalArgumentError(reason)
  return value
}

/** @throws {EngineError} `illegal_argument_exception`: the rule does not hold */
export function require(holds: boolean, reason: string): void {
  if (!holds) throw new IllegalArgumentError(reason)
}
