/** The endpoints of searches. */
import type { Endpoint } from '../../endpoint.ts'
import { count } from './count.ts'
import { explain } from './explain.ts'
import { search } from './search.ts'
import { searchShards } from './search-shards.ts'
import { validateQuery } from './validate-query.ts'

/** Searches and counts. */
export const SEARCH_ENDPOINTS: readonly Endpoint[] = [
  count,
  explain,
  search,
  searchShards,
  validateQuery,
]
