import type { Mapping } from '../../../schema/mapping.ts'
import type { Query } from '../../../search/query/query.ts'

/**
 * Whether a query may match documents other than the nested ones of a path. Says yes where it is not
 * known: the path is a filter then.
 */
export function mayMatchOutside(query: Query, path: string, mapping: Mapping): boolean {
  if ('field' in query) return mapping.nestedAround(query.field) !== path
  switch (query.kind) {
    case 'matchNone':
      return false
    case 'boost':
    case 'constantScore':
      return mayMatchOutside(query.query, path, mapping)
    case 'disMax':
      return query.queries.some(each => mayMatchOutside(each, path, mapping))
    case 'boolean': {
      const clauses = query.clauses.filter(({ occur }) => occur !== 'must_not')
      const required = clauses.filter(({ occur }) => occur !== 'should')
      // One required clause that stays within keeps all matches there.
      if (required.length > 0)
        return required.every(clause => mayMatchOutside(clause.query, path, mapping))
      return (
        clauses.length === 0 || clauses.some(each => mayMatchOutside(each.query, path, mapping))
      )
    }
  }
  return true
}
