import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { ParsedQuery } from '../query-context.ts'

/**
 * Reads the body of `_count`, which has a query alone.
 * @returns null: match_all
 * @throws {EngineError} 400: any other key, or no query
 */
export function parseCountBody(body: JsonNode | null): ParsedQuery | null {
  if (body === null) return null
  if (body.kind !== 'object')
    throw parsingError(body, `Expected [START_OBJECT] but found [${tokenName(body.kind)}]`)
  let query: ParsedQuery | null = null
  for (const entry of body.entries) {
    if (entry.key !== 'query') throw parsingError(entry, `request does not support [${entry.key}]`)
    query = parseQuery(entry.value)
  }
  return query
}
