import { matchNone } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { readText, scalarText } from '../json-scalars.ts'
import { notSupportedYet, parsingError } from '../parse-error.ts'
import { unknownKey, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `terms`: documents with one of several values. */
export const termsParser: QueryParser = {
  mustBecomesFilter: 'onNumbers',
  parse(node, read) {
    let found: string | null = null
    let values: readonly JsonNode[] = []
    for (const entry of node.entries) {
      const { key, value } = entry
      if (value.kind !== 'array' && value.kind !== 'object' && read.option(entry)) continue
      if (value.kind === 'array') {
        if (found !== null)
          throw parsingError(entry, '[terms] query does not support multiple fields')
        found = key
        values = value.items
      } else if (value.kind === 'object') {
        if (found !== null)
          throw parsingError(
            entry,
            '[terms] query does not support more than one field. ' +
              `Already got: [${found}] but also found [${key}]`,
          )
        throw notSupportedYet('terms lookup')
      } else if (key === 'value_type') {
        if (readText(value) !== 'default') throw notSupportedYet('value_type')
      } else throw unknownKey('terms', entry)
    }
    if (found === null)
      throw parsingError(
        node,
        '[terms] query requires a field name, followed by array of terms or a document lookup ' +
          'specification',
      )
    const field = found
    const texts = values.map(value => {
      const text = scalarText(value)
      if (text === null) throw parsingError(value, 'No value specified for terms query')
      return text
    })
    return {
      field,
      build: context => {
        if (texts.length > context.maxTermsCount)
          throw new IllegalArgumentError(
            `The number of terms [${texts.length}] used in the Terms Query request has exceeded the ` +
              `allowed maximum of [${context.maxTermsCount}]. This maximum can be set by changing ` +
              'the [index.max_terms_count] index level setting.',
          )
        if (texts.length === 0) return matchNone('Matching no documents because no terms present')
        const type = searchedField(field, context)
        if (type === null) return unmapped(field)
        return fieldSearch(type.type).terms(type, texts, context)
      },
    }
  },
}
