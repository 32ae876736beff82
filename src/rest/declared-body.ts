/** Errors of bodies whose fields are declared, as the real server's object parsers tell them. */
import { contentError, fieldError, tokenName, unknownField } from '../engine/dsl/parse-error.ts'
import { EngineError } from '../util/errors.ts'
import type { JsonEntry, JsonNode } from '../util/json/json-tree.ts'
import { objectBody } from './endpoint.ts'

/** A field whose value is of a kind that it does not take. */
export function wrongKind(entry: JsonEntry, parser: string): Error {
  const { key, value } = entry
  return contentError(
    entry,
    `[${parser}] ${key} doesn't support values of type: ${tokenName(value.kind)}`,
  )
}

/** Reads the items of `actions`, the one key of the body of a batch. */
export function batchActions<T>(
  body: JsonNode,
  parser: string,
  read: (item: JsonNode) => T,
): readonly T[] {
  return objectBody(body).entries.flatMap(entry => {
    if (entry.key !== 'actions') throw unknownField(entry, parser, ['actions'])
    if (entry.value.kind !== 'array') throw wrongKind(entry, parser)
    return entry.value.items.map(item => parseField(entry, parser, () => read(item)))
  })
}

/** Reads a field; a parser's error in it is told as its cause, what is asked wrongly stands by itself. */
export function parseField<T>(entry: JsonEntry, parser: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const isParsers = error instanceof EngineError && error.type === 'x_content_parse_exception'
    throw isParsers ? fieldError(entry.value, parser, entry.key, error) : error
  }
}

/** Reads a field; an error in it is told as its cause. */
export function readField<T>(entry: JsonEntry, parser: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw fieldError(entry, parser, entry.key, error)
  }
}
