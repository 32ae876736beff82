/** The endpoints of searches. */
import type { Endpoint } from '../../endpoint.ts'
import { count } from './count.ts'
import { explain } from './explain.ts'
import { fieldCaps } from './field-caps.ts'
import { multiSearch, multiSearchTemplate } from './multi-search.ts'
import {
  createPointInTime,
  deleteAllPointsInTime,
  deletePointsInTime,
  listPointsInTime,
} from './point-in-time.ts'
import { rankEval } from './rank-eval.ts'
import { clearScroll, scroll } from './scroll.ts'
import { search, searchTemplate } from './search.ts'
import { SEARCH_PIPELINE_ENDPOINTS } from './search-pipelines.ts'
import { searchShards } from './search-shards.ts'
import { multiTermVectors, termVectors } from './term-vectors.ts'
import { validateQuery } from './validate-query.ts'

/** Searches, counts, and what tells how they would run. */
export const SEARCH_ENDPOINTS: readonly Endpoint[] = [
  count,
  explain,
  fieldCaps,
  multiSearch,
  multiSearchTemplate,
  rankEval,
  search,
  searchTemplate,
  scroll,
  clearScroll,
  createPointInTime,
  listPointsInTime,
  deletePointsInTime,
  deleteAllPointsInTime,
  ...SEARCH_PIPELINE_ENDPOINTS,
  searchShards,
  termVectors,
  multiTermVectors,
  validateQuery,
]
