import type { JsonNode } from '../../../util/json/json-tree.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { readBoolean, readText, scalarText } from '../json-scalars.ts'
import { notSupportedYet, parsingError, tokenName } from '../parse-error.ts'
import { readFieldClause, unknownKey, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

const CONSTANT_REWRITES = new Set(['constant_score', 'constant_score_blended'])

/** `prefix`: documents with a term that starts with a text. */
export const prefixParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const clause = readFieldClause('prefix', node, read)
    const { field } = clause
    let { value } = clause
    if (value.kind === 'object') {
      let given: JsonNode | null = null
      for (const entry of value.entries) {
        if (read.option(entry)) continue
        if (entry.key === 'value') given = entry.value
        else if (entry.key === 'rewrite') {
          if (!CONSTANT_REWRITES.has(readText(entry.value))) throw notSupportedYet('rewrite')
        } else if (entry.key === 'case_insensitive') {
          if (readBoolean(entry.value)) throw notSupportedYet('case_insensitive')
        } else throw unknownKey('prefix', entry)
      }
      if (given === null) throw parsingError(value, 'No value specified for prefix query')
      value = given
    }
    const prefix = scalarText(value)
    if (prefix === null)
      throw parsingError(
        value,
        `[prefix] unknown token [${tokenName(value.kind)}] after [${field}]`,
      )
    return {
      field,
      build: context => {
        const type = searchedField(field, context)
        if (type === null) return unmapped(field)
        return fieldSearch(type.type).prefix(type, prefix, context)
      },
    }
  },
}
