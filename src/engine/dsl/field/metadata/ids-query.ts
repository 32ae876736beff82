import { matchNone, type Query } from '../../../../search/query/query.ts'
import { byCodePoints } from '../term-queries.ts'

/** Documents by `_id`, repeats dropped. */
export function idsQuery(ids: readonly string[]): Query {
  if (ids.length === 0) return matchNone('Missing ids in "ids" query.')
  const unique = [...new Set(ids)].sort(byCodePoints)
  return { kind: 'constantScore', query: { kind: 'ids', ids: unique } }
}
