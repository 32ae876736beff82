import { readBoolean, readTexts } from '../../dsl/json-scalars.ts'
import type { SearchPart } from '../search-part.ts'

/**
 * Keys that change no answer of this engine: statistics are not grouped by labels, and no query has a
 * name whose score a hit could show. They are checked all the same.
 */
export const unusedPart: SearchPart<null> = {
  unasked: null,
  keys: {
    include_named_queries_score: value => {
      readBoolean(value)
      return null
    },
    stats: value => {
      readTexts(value)
      return null
    },
  },
  check() {},
  print() {},
}
