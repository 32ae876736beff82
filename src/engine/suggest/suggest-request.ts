/** The key `suggest` of a search body. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { isScalar, readText } from '../dsl/json-scalars.ts'
import { parsingError, tokenName, unknownObject } from '../dsl/parse-error.ts'
import type { SuggestionPlan } from './suggester.ts'
import { isSuggesterName, SUGGESTERS, type SuggesterName } from './suggesters.ts'

/** One suggestion of a request. */
export interface Suggestion {
  readonly name: string
  readonly kind: SuggesterName
  /** Null: the request's text. */
  readonly text: string | null
  readonly prefix: string | null
  readonly regex: string | null
  readonly plan: SuggestionPlan
}

/** The suggestions of a request. */
export interface SuggestRequest {
  /** For those that have no text of their own; null: none. */
  readonly text: string | null
  readonly suggestions: readonly Suggestion[]
}

/**
 * Reads the suggestions of a search.
 * @throws {EngineError} 400
 */
export function parseSuggest(node: JsonNode): SuggestRequest {
  if (node.kind !== 'object')
    throw parsingError(node, `Unknown key for a ${tokenName(node.kind)} in [suggest].`)
  let text: string | null = null
  const suggestions: Suggestion[] = []
  for (const { key, value, line, col } of node.entries) {
    if (value.kind === 'object') {
      if (suggestions.some(({ name }) => name === key))
        throw new IllegalArgumentError(`already added another suggestion with name [${key}]`)
      suggestions.push(parseSuggestion(key, value))
    } else if (!isScalar(value))
      throw parsingError(
        { line, col },
        `unexpected token [${tokenName(value.kind)}] after [${key}]`,
      )
    else if (key === 'text') text = readText(value)
    else throw new IllegalArgumentError(`[suggest] does not support [${key}]`)
  }
  return { text, suggestions }
}

function parseSuggestion(name: string, node: JsonObjectNode): Suggestion {
  const texts: Record<'text' | 'prefix' | 'regex', string | null> = {
    text: null,
    prefix: null,
    regex: null,
  }
  let found: { readonly kind: SuggesterName; readonly plan: SuggestionPlan } | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (value.kind === 'object') found = parseKind(entry, value)
    else if (!isScalar(value)) throw notSupportedBy(entry)
    else if (key === 'text' || key === 'prefix' || key === 'regex') texts[key] = readText(value)
    else throw notSupportedBy(entry)
  }
  if (found === null)
    throw new EngineError({ type: 'parse_exception', reason: 'missing suggestion object' })
  return { name, ...found, ...texts }
}

function notSupportedBy(entry: JsonEntry): EngineError {
  return parsingError(entry, `suggestion does not support [${entry.key}]`)
}

function parseKind(
  entry: JsonEntry,
  options: JsonObjectNode,
): { kind: SuggesterName; plan: SuggestionPlan } {
  const { key } = entry
  if (!isSuggesterName(key)) throw unknownObject(entry)
  return { kind: key, plan: SUGGESTERS[key].parse(options) }
}
