/** The endpoints of reindex and its kin. */
import type { Endpoint } from '../../endpoint.ts'
import { deleteByQuery, updateByQuery } from './by-query.ts'
import { reindex } from './reindex.ts'
import { rethrottle } from './rethrottle.ts'

/** Documents copied, written anew and deleted by query. */
export const REINDEX_ENDPOINTS: readonly Endpoint[] = [
  reindex,
  updateByQuery,
  deleteByQuery,
  rethrottle,
]
