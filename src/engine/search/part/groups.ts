import { assert } from '../../../util/assert.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'
import type { SearchPart } from '../search-part.ts'

/** `stats`: names of the groups of statistics that the search is counted in, beside those of its shards. */
export const groupsPart: SearchPart<readonly string[]> = {
  unasked: [],
  keys: { stats: readNames },
  check() {},
  print() {},
}

function readNames(value: JsonNode): string[] {
  assert(value.kind === 'array', 'the form of the value was checked')
  return value.items.map(readName)
}

function readName(item: JsonNode): string {
  if (item.kind === 'string') return item.value
  const found = tokenName(item.kind)
  throw parsingError(item, `Expected [VALUE_STRING] in [stats] but found [${found}]`)
}
