/** Reads keys of an object of a body; unknown ones are passed over, as the reference server does. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'

/** An object of a body. */
export class BodyReader {
  readonly #values = new Map<string, JsonNode>()

  /**
   * @param name of the object, for errors
   * @throws {EngineError} `illegal_argument_exception`: no object
   */
  constructor(node: JsonNode, name: string) {
    if (node.kind !== 'object') throw new IllegalArgumentError(`[${name}] must be an object`)
    for (const { key, value } of node.entries)
      if (value.kind !== 'null') this.#values.set(key, value)
  }

  /** The value of the first of some keys that is there; undefined: of none. */
  value(...keys: readonly string[]): JsonNode | undefined {
    const key = keys.find(name => this.#values.has(name))
    return key === undefined ? undefined : this.#values.get(key)
  }

  /** @throws {EngineError} `illegal_argument_exception`: absent */
  required(key: string): JsonNode {
    const value = this.#values.get(key)
    if (value === undefined) throw new IllegalArgumentError(`${key} field absent`)
    return value
  }

  /** @throws {EngineError} `illegal_argument_exception`: absent, or no text */
  text(key: string): string {
    return textOf(this.required(key), key)
  }

  /** @throws {EngineError} `illegal_argument_exception`: no text */
  optionalText(key: string): string | undefined {
    const value = this.#values.get(key)
    return value === undefined ? undefined : textOf(value, key)
  }

  /** @throws {EngineError} `illegal_argument_exception`: absent, or no whole number */
  integer(key: string): number {
    const text = this.text(key)
    const number = Number(text)
    if (text.trim() !== '' && Number.isInteger(number)) return number
    throw new IllegalArgumentError(`For input string: "${text}"`)
  }

  /** @throws {EngineError} `illegal_argument_exception`: neither true nor false */
  boolean(key: string, otherwise: boolean): boolean {
    const value = this.#values.get(key)
    if (value === undefined) return otherwise
    const text = textOf(value, key)
    if (text === 'true' || text === 'false') return text === 'true'
    throw new IllegalArgumentError(
      `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    )
  }

  /** @throws {EngineError} `illegal_argument_exception`: no list */
  list(key: string): readonly JsonNode[] | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    if (value.kind !== 'array') throw new IllegalArgumentError(`[${key}] must be a list`)
    return value.items
  }
}

/**
 * A value as text.
 * @throws {EngineError} `illegal_argument_exception`: an object, a list or null
 */
export function textOf(node: JsonNode, key: string): string {
  switch (node.kind) {
    case 'string':
      return node.value
    case 'number':
      return node.text
    case 'boolean':
      return String(node.value)
    case 'null':
    case 'object':
    case 'array':
      throw new IllegalArgumentError(`[${key}] must be a text`)
  }
}
