import type { Query } from './query.ts'

/** The terms that a query for many terms has become on a shard; null: it has not yet. */
export function foundTerms(
  query: Query,
): { readonly field: string; readonly term: string }[] | null {
  switch (query.kind) {
    case 'term':
      return [query]
    case 'boost':
    case 'constantScore':
      return foundTerms(query.query)
    case 'matchNone':
      return []
    case 'boolean':
      return query.clauses.flatMap(clause => foundTerms(clause.query) ?? [])
  }
  return null
}
