import { multiTermWeight, termsOfRuns } from './multi-term-weight.ts'
import { matchNone, type TermsInSetQuery } from './query.ts'
import type { QueryType } from './query-type.ts'
import { oneTerm } from './term-runs.ts'

/** Any of several terms of one field; constant score. */
export const termsInSetQuery: QueryType<TermsInSetQuery> = {
  className: () => 'TermInSetQuery',
  text: query => `${query.field}:(${query.terms.join(' ')})`,
  clauseCount: () => 1,
  mapInner: null,
  rewrite(query) {
    const [term] = query.terms
    if (term === undefined) return matchNone('Matching no documents because no terms present')
    if (query.terms.length > 1) return query
    return { kind: 'constantScore', query: { kind: 'term', field: query.field, term } }
  },
  visitTerms(query, visitor, of) {
    const { field, terms } = query
    const [term] = terms
    if (terms.length === 1 && term !== undefined) visitor.term(field, term)
    else {
      const all = new Set(terms)
      visitor.termsLike(field, of.text(query), each => all.has(each))
    }
  },
  createWeight: (query, builder, id, boost) =>
    multiTermWeight(builder, query.field, id, boost, termsOfRuns(query.terms.map(oneTerm))),
}
