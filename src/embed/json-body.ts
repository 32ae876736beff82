import { encodeUtf8 } from '../util/bytes.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../util/json/json-tree.ts'
import { vectorJson } from './vector-text.ts'

/** A JSON object as a program writes it; bytes are JSON already and are taken as they stand. */
export type JsonInput = object | Uint8Array

/**
 * The JSON bytes of a value; vectors as typed arrays become lists of numbers.
 * @param what names the value in the error
 * @throws {IllegalArgumentError} a value that JSON cannot say: bigint, a cycle, too deep, no object
 */
export function jsonBytes(value: JsonInput, what: string): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'object' || value === null)
    throw new IllegalArgumentError(
      `${what} must be an object or its JSON bytes, found [${value === null ? 'null' : typeof value}]`,
    )
  let text: string | undefined
  try {
    text = vectorJson(value)
  } catch (error) {
    // TypeError: a cycle or a bigint; RangeError: nested past the call stack.
    throw new IllegalArgumentError(`${what} cannot be written as JSON: ${(error as Error).message}`)
  }
  // An object's own toJSON may give undefined.
  if (text === undefined) throw new IllegalArgumentError(`${what} cannot be written as JSON`)
  return encodeUtf8(text)
}

/**
 * The positioned tree of a value, as the engine reads bodies.
 * @throws {EngineError} bytes that are no JSON, or a value that JSON cannot say
 */
export function jsonTree(value: JsonInput, what: string): JsonNode {
  return parseJsonTree(jsonBytes(value, what))
}
