import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { readBoolean, scalarText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import { readFieldClause, unknownKey, unmapped } from './field-clause.ts'
import { termsOnField } from './pattern-on-field.ts'
import type { QueryParser } from './query-parser.ts'

/** `term`: documents with one value. */
export const termParser: QueryParser = {
  mustBecomesFilter: 'onNumbers',
  parse(node, read) {
    const clause = readFieldClause('term', node, read)
    const { field } = clause
    let { value } = clause
    if (value.kind === 'array')
      throw parsingError(value, '[term] query does not support array of values')
    let ignoresCase = false
    if (value.kind === 'object') {
      let term: JsonNode | null = null
      for (const entry of value.entries) {
        if (read.option(entry)) continue
        if (entry.key === 'value' || entry.key === 'term') term = entry.value
        else if (entry.key === 'case_insensitive') ignoresCase = readBoolean(entry.value)
        else throw unknownKey('term', entry)
      }
      if (term === null) throw new IllegalArgumentError('value cannot be null')
      value = term
    }
    const text = scalarText(value)
    if (text === null) throw new IllegalArgumentError('value cannot be null')
    if (!ignoresCase)
      return {
        field,
        build: context => {
          const type = searchedField(field, context)
          return type === null ? unmapped(field) : fieldSearch(type.type).term(type, text, context)
        },
      }
    const pattern = { kind: 'term', text } as const
    const asked = { kind: 'pattern', pattern, options: { rewrite: null, ignoresCase } } as const
    return { field, build: context => termsOnField(field, asked, context) }
  },
}
