import type { CoveringQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents that match as many of several queries as a field of theirs or a script says. */
export const coveringQuery: QueryType<CoveringQuery> = {
  className: () => 'CoveringQuery',
  text({ queries, minimum }, of) {
    const texts = queries.map(of.text).sort()
    return `CoveringQuery(queries=[${texts.join(', ')}], minimumNumberMatch=${minimumText(minimum)})`
  },
  clauseCount: ({ queries }, of) => queries.reduce((sum, query) => sum + of.clauseCount(query), 0),
  mapInner(query, change) {
    const queries = query.queries.map(change)
    return queries.every((inner, i) => inner === query.queries[i]) ? query : { ...query, queries }
  },
  rewrite(query, of) {
    const queries = query.queries.map(of.rewrite)
    return queries.every((inner, i) => inner === query.queries[i]) ? query : { ...query, queries }
  },
  visitTerms({ queries }, visitor, of) {
    for (const query of queries) of.visitTerms(query, visitor)
  },
  createWeight({ queries, minimum }, builder, id, boost, scored) {
    if (minimum.kind === 'script') builder.useScript(minimum.script)
    else builder.terms.use(minimum.column.field, 'numericValues')
    const children = queries.map(inner => builder.child(inner, boost, scored, id))
    return { kind: 'covering', id, children, minimum, scored }
  },
}

function minimumText(minimum: CoveringQuery['minimum']): string {
  return minimum.kind === 'script'
    ? `script(${minimum.script.text})`
    : `long(${minimum.column.field})`
}
