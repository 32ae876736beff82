import { EngineError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'
import type { SearchPart } from '../search-part.ts'

/** `ext`: sections that plugins of the real server read; without such it may be empty alone. */
export const extPart: SearchPart<null> = {
  unasked: null,
  keys: { ext: readExt },
  check() {},
  print() {},
}

function readExt(node: JsonNode): null {
  if (node.kind !== 'object')
    throw parsingError(node, `Unknown key for a ${tokenName(node.kind)} in [ext].`)
  if (node.entries.length > 0)
    throw new EngineError({
      type: 'x_content_parse_exception',
      reason: 'unknown named object category [org.opensearch.search.SearchExtBuilder]',
    })
  return null
}
