import { readBoolean } from '../../dsl/json-scalars.ts'
import type { SearchPart } from '../search-part.ts'

/**
 * A key that changes no answer of this engine: no query has a name whose score a hit could show. It is
 * checked all the same.
 */
export const unusedPart: SearchPart<null> = {
  unasked: null,
  keys: {
    include_named_queries_score: value => {
      readBoolean(value)
      return null
    },
  },
  check() {},
  print() {},
}
