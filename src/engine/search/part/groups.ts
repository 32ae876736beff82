import { readTexts } from '../../dsl/json-scalars.ts'
import type { SearchPart } from '../search-part.ts'

/** `stats`: names of the groups of statistics that the search is counted in, beside those of its shards. */
export const groupsPart: SearchPart<readonly string[]> = {
  unasked: [],
  keys: { stats: readTexts },
  check() {},
  print() {},
}
