import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { SourceFilter } from '../../api/documents.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { unknownKey } from './key-forms.ts'

/** The whole source of a document. */
export const ALL_OF_SOURCE: SourceFilter = { enabled: true, includes: [], excludes: [] }

/**
 * Reads `_source`: a boolean, a pattern, a list of them, or includes and excludes. Nothing may be excluded, as Dashboards
 * sends it, but something has to be included.
 * @throws {EngineError} 400: none of these, or a pattern that is both included and excluded
 */
export function parseSourceSelection(node: JsonNode): SourceFilter {
  if (node.kind === 'boolean') return { ...ALL_OF_SOURCE, enabled: node.value }
  if (node.kind === 'string') return { ...ALL_OF_SOURCE, includes: [node.value] }
  if (node.kind === 'array') return { ...ALL_OF_SOURCE, includes: readIncludes(node) }
  if (node.kind !== 'object')
    throw parsingError(
      node,
      'Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found ' +
        `[${tokenName(node.kind)}]`,
    )
  let includes: readonly string[] = []
  let excludes: readonly string[] = []
  for (const entry of node.entries) {
    const { key, value } = entry
    const isList = value.kind === 'array' || value.kind === 'string'
    if (isList && (key === 'includes' || key === 'include')) includes = readIncludes(value)
    else if (isList && (key === 'excludes' || key === 'exclude')) excludes = readPatterns(value)
    else throw unknownKey(entry)
  }
  if (includes.some(pattern => excludes.includes(pattern)))
    throw new IllegalArgumentError(
      'The same entry cannot be both included and excluded in _source.',
    )
  return { enabled: true, includes, excludes }
}

function readIncludes(node: JsonNode): string[] {
  const patterns = readPatterns(node)
  if (patterns.length === 0)
    throw parsingError(node, 'Expected at least one value for an array of [includes]')
  return patterns
}

function readPatterns(node: JsonNode): string[] {
  if (node.kind === 'string') return [node.value]
  const items = node.kind === 'array' ? node.items : []
  return items.map(item => {
    if (item.kind === 'string') return item.value
    // Items of a list have no name, which the real server tells so.
    throw parsingError(item, `Unknown key for a ${tokenName(item.kind)} in [null].`)
  })
}
