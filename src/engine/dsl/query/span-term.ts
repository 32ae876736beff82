import type { Query } from '../../../search/query/query.ts'
import { EngineError } from '../../../util/errors.ts'
import { plainField } from '../derived/derived-field.ts'
import { checkIndexed } from '../field/searchable.ts'
import type { QueryContext } from '../query-context.ts'
import { textFieldOf } from './many-fields.ts'
import type { QueryParser } from './query-parser.ts'
import { spanQuery } from './span-clause.ts'
import { readTermClause } from './term-clause.ts'

/** `span_term`: the positions of a term. */
export const spanTermParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const { field, text } = readTermClause('span_term', 'term', node, read, () => false)
    return { field, build: context => build(field, text, context) }
  },
}

function build(name: string, term: string, context: QueryContext): Query {
  const mapped = plainField(name, 'span_term', context)
  // A field that no document has has no positions either.
  if (mapped === null) return spanQuery(context.absentName(name), { kind: 'term', term }, context)
  const field = textFieldOf(name, context)
  if (field !== null) checkIndexed(field)
  if (field === null || field.indexOptions !== 'positions')
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: `field "${mapped.name}" was indexed without position data; cannot run SpanTermQuery (term=${term})`,
    })
  return spanQuery(field.name, { kind: 'term', term }, context)
}
