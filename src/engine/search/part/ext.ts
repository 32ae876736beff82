import { EngineError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'
import { type MmrRequest, readMmr } from '../mmr/mmr-request.ts'
import type { SearchExtensions } from '../search-extensions.ts'
import type { SearchPart } from '../search-part.ts'

/** `ext`: of its sections `mmr` is known. */
export const extPart: SearchPart<SearchExtensions> = {
  unasked: { mmr: null },
  keys: { ext: readExt },
  check() {},
  print() {},
}

function readExt(node: JsonNode): SearchExtensions {
  if (node.kind !== 'object')
    throw parsingError(node, `Unknown key for a ${tokenName(node.kind)} in [ext].`)
  let mmr: MmrRequest | null = null
  for (const { key, value } of node.entries) {
    if (key !== 'mmr')
      throw new EngineError({
        type: 'x_content_parse_exception',
        reason: 'unknown named object category [org.opensearch.search.SearchExtBuilder]',
      })
    mmr = readMmr(value)
  }
  return { mmr }
}
