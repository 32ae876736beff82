import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { readText, scalarText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { bitmapQuery } from './bitmap-terms.ts'
import { unknownKey, unmapped } from './field-clause.ts'
import type { QueryParser, QueryReader } from './query-parser.ts'
import { readTermsLookup } from './terms-lookup.ts'

/** The values of a field, which may have to be looked up first. */
interface FieldTerms {
  readonly field: string
  readonly textsFor: (context: QueryContext) => readonly string[]
}

/** `terms`: documents with one of several values. */
export const termsParser: QueryParser = {
  mustBecomesFilter: 'onNumbers',
  parse(node, read) {
    let found: FieldTerms | null = null
    let isBitmap = false
    for (const entry of node.entries) {
      const { key, value } = entry
      if (value.kind === 'array' || value.kind === 'object') found = readValues(entry, found, read)
      else if (key === 'value_type') isBitmap = readValueType(readText(value)) === 'bitmap'
      else if (!read.option(entry)) throw unknownKey('terms', entry)
    }
    if (found === null)
      throw parsingError(
        node,
        '[terms] query requires a field name, followed by array of terms or a document lookup ' +
          'specification',
      )
    const { field, textsFor } = found
    return { field, build: context => build(field, textsFor(context), isBitmap, context) }
  },
}

function readValues(entry: JsonEntry, known: FieldTerms | null, read: QueryReader): FieldTerms {
  const { key: field, value } = entry
  if (value.kind === 'object') {
    if (known !== null)
      throw parsingError(
        entry,
        '[terms] query does not support more than one field. ' +
          `Already got: [${known.field}] but also found [${field}]`,
      )
    const lookup = readTermsLookup(value, read)
    read.lookUp(lookup)
    return { field, textsFor: ({ answers }) => answers.of(lookup) }
  }
  if (known !== null) throw parsingError(entry, '[terms] query does not support multiple fields')
  const items = value.kind === 'array' ? value.items : []
  const texts = items.map(item => {
    const text = scalarText(item)
    if (text === null) throw parsingError(item, 'No value specified for terms query')
    return text
  })
  return { field, textsFor: () => texts }
}

function readValueType(text: string): 'default' | 'bitmap' {
  const type = text.toLowerCase()
  if (type === 'default' || type === 'bitmap') return type
  throw new IllegalArgumentError(`[${text}] is not a valid value_type`)
}

function build(
  field: string,
  texts: readonly string[],
  isBitmap: boolean,
  context: QueryContext,
): Query {
  if (texts.length > context.maxTermsCount)
    throw new IllegalArgumentError(
      `The number of terms [${texts.length}] used in the Terms Query request has exceeded the ` +
        `allowed maximum of [${context.maxTermsCount}]. This maximum can be set by changing ` +
        'the [index.max_terms_count] index level setting.',
    )
  if (texts.length === 0) return matchNone('Matching no documents because no terms present')
  const type = searchedField(field, context)
  if (type === null) return unmapped(field)
  if (isBitmap) return bitmapQuery(type, texts)
  return fieldSearch(type.type).terms(type, texts, context)
}
