import type { Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readBoolean, readInteger } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readSpans, spanQuery, spansOf } from './span-clause.ts'

/** `span_near`: spans close to one another. */
export const spanNearParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let clauses: readonly ParsedQuery[] | null = null
    let slop = 0
    let inOrder = true
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'clauses') clauses = readSpans('span_near', entry, read)
      else if (entry.key === 'slop') slop = readInteger(entry.value)
      else if (entry.key === 'in_order') inOrder = readBoolean(entry.value)
      else throw unknownKey('span_near', entry)
    }
    if (clauses === null) throw parsingError(node, 'span_near must include [clauses]')
    if (clauses.length === 0)
      throw new IllegalArgumentError('[span_near] must include at least one clause')
    const spans = clauses
    return { field: null, build: context => build(spans, slop, inOrder, context) }
  },
}

function build(
  clauses: readonly ParsedQuery[],
  slop: number,
  inOrder: boolean,
  context: QueryContext,
): Query {
  const { field, spans } = spansOf('span_near', clauses, context)
  const [first] = spans
  if (first!.kind === 'gap')
    throw new IllegalArgumentError('[span_near] the first clause must not be a gap')
  if (!inOrder && spans.some(({ kind }) => kind === 'gap'))
    throw new IllegalArgumentError('Gaps can only be added to ordered near queries')
  return spanQuery(
    field,
    spans.length === 1 ? first! : { kind: 'near', spans, slop, inOrder },
    context,
  )
}
