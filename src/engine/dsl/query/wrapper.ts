import { decodeBase64 } from '../../../util/base64.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseJsonTree } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { QueryParser } from './query-parser.ts'

/** `wrapper`: a query as Base64 of its JSON. */
export const wrapperParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const [entry] = node.entries
    if (entry === undefined) throw parsingError(node, '[wrapper] query malformed')
    if (entry.key !== 'query')
      throw parsingError(
        entry,
        `[wrapper] query malformed, expected \`query\` but was ${entry.key}`,
      )
    if (entry.value.kind === 'null')
      throw parsingError(entry.value, 'wrapper query has no [query] specified')
    const bytes = decodeBase64(readText(entry.value))
    if (bytes === null) throw parsingError(entry.value, '[wrapper] query is not Base64')
    if (bytes.length === 0)
      throw new IllegalArgumentError('query source text cannot be null or empty')
    const { field, build, buildOnTop } = read.wrapped(parseJsonTree(bytes))
    return { field, build, buildOnTop }
  },
}
