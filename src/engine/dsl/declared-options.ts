import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { contentError, fieldError, tokenName, unknownField } from './parse-error.ts'

/** The kinds of values that an option takes, and what takes them. */
export interface DeclaredOption {
  readonly takes: readonly JsonNode['kind'][]
  /** @throws {EngineError} told as the cause of the option's error */
  readonly read: (value: JsonNode) => unknown
}

/** Kinds of numbers, also as text. */
export const INTEGER: readonly JsonNode['kind'][] = ['number', 'string']
/** Kinds of texts. */
export const TEXT: readonly JsonNode['kind'][] = ['string', 'number', 'boolean']
/** Kinds of flags, also as text. */
export const FLAG: readonly JsonNode['kind'][] = ['boolean', 'string']

/**
 * Reads the options of an object as the real server's object parsers do.
 * @param parser its name, which errors tell
 * @throws {EngineError} `x_content_parse_exception`
 */
export function readDeclared(
  parser: string,
  node: JsonObjectNode,
  options: ReadonlyMap<string, DeclaredOption>,
): void {
  for (const entry of node.entries) {
    const { key, value } = entry
    const option = options.get(key)
    if (option === undefined) throw unknownField(entry, parser, [...options.keys()])
    if (!option.takes.includes(value.kind))
      throw contentError(
        value,
        `[${parser}] ${key} doesn't support values of type: ${tokenName(value.kind)}`,
      )
    try {
      option.read(value)
    } catch (error) {
      throw fieldError(value, parser, key, error)
    }
  }
}
