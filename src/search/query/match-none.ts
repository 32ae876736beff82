import type { MatchNoneQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** No document. */
export const matchNoneQuery: QueryType<MatchNoneQuery> = {
  className: () => 'MatchNoDocsQuery',
  text: query => `MatchNoDocsQuery("${query.reason}")`,
  clauseCount: () => 1,
  mapInner: null,
  createWeight: (_query, _builder, id) => ({ kind: 'none', id }),
}
