/** Errors of request bodies, with the place at which they stand. */

import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { EngineError, type ErrorRecord, toErrorRecord } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'

/** Where something stands in a body; both count from 1. */
export interface Place {
  readonly line: number
  readonly col: number
}

/** The error of a hand-written parser: 400 `parsing_exception`. */
export function parsingError(at: Place, reason: string): EngineError {
  return new EngineError({
    type: 'parsing_exception',
    reason,
    extra: { line: at.line, col: at.col },
  })
}

/** The error of a declarative parser: 400 `x_content_parse_exception`, with line and column. */
export function contentError(at: Place, reason: string): EngineError {
  return new EngineError({
    type: 'x_content_parse_exception',
    reason: `[${at.line}:${at.col}] ${reason}`,
  })
}

/**
 * A key that a declarative parser does not know, with those that are alike.
 * @param known every name that the parser declares, older ones too
 */
export function unknownField(
  entry: JsonEntry,
  parser: string,
  known: Iterable<string>,
): EngineError {
  const advice = didYouMean(findAlike(entry.key, known))
  return contentError(entry, `[${parser}] unknown field [${entry.key}]${advice}`)
}

/** The error of a name under which nothing is registered; nothing alike is offered. */
export function unknownObject({ key, line, col }: JsonEntry): EngineError {
  return new EngineError({
    type: 'named_object_not_found_exception',
    reason: `[${line}:${col}] unknown field [${key}]`,
  })
}

/** An error inside a field of a declarative parser: wrapped, a parser's innermost as root cause. */
export function fieldError(at: Place, parser: string, field: string, cause: unknown): EngineError {
  const causedBy = toErrorRecord(cause)
  const rootCause = causedBy.rootCause ?? rootBelow(causedBy)
  return new EngineError({
    type: 'x_content_parse_exception',
    reason: `[${at.line}:${at.col}] [${parser}] failed to parse field [${field}]`,
    causedBy,
    ...(rootCause === null ? {} : { rootCause }),
  })
}

/** The error for parts of the real API that this build does not have yet. */
export function notSupportedYet(key: string): EngineError {
  return new EngineError({
    type: 'illegal_argument_exception',
    reason: `[${key}] is not supported yet`,
  })
}

/**
 * The innermost parser's error of a chain; null when none is one, and what wraps it is the root. That of an
 * unknown name counts where a declarative parser met it: hand-written ones tell it in words of their own.
 */
function rootBelow(record: ErrorRecord): readonly ErrorRecord[] | null {
  let root: ErrorRecord | null = null
  let isDeclared = true
  for (let at: ErrorRecord | undefined = record; at !== undefined; at = at.causedBy) {
    const isUnknownName = isDeclared && at.type === 'named_object_not_found_exception'
    isDeclared = at.type === 'x_content_parse_exception'
    if (isDeclared || isUnknownName || at.type === 'parsing_exception') root = at
  }
  return root === null ? null : [root]
}

/** The name of a value's token, as parsers name it. */
export function tokenName(kind: JsonNode['kind']): string {
  switch (kind) {
    case 'object':
      return 'START_OBJECT'
    case 'array':
      return 'START_ARRAY'
    case 'string':
      return 'VALUE_STRING'
    case 'number':
      return 'VALUE_NUMBER'
    case 'boolean':
      return 'VALUE_BOOLEAN'
    case 'null':
      return 'VALUE_NULL'
  }
}
