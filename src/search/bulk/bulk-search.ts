import type { LeafPart, SliceResult } from '../collector/collect-spec.ts'
import type { SliceInput } from '../search-slice.ts'
import type { BulkShape } from './bulk-shape.ts'
import { bulkSlice } from './bulk-slice.ts'

/**
 * Runs a slice with the kernels, the matches that gathers see and those that may be hits in two passes where a post
 * filter tells them apart.
 */
export function bulkSearch(input: SliceInput, shape: BulkShape): SliceResult {
  const { spec, parts, taken, gathers, report } = input
  if (gathers.length === 0 || spec.postFilter === null) return bulkSlice(input, shape)
  // Parts that threads share are handed out once.
  const passed: LeafPart[] = []
  report?.beginSearch()
  const gathered = bulkSlice(
    {
      ...input,
      spec: {
        ...spec,
        topCount: 0,
        sort: null,
        searchAfter: null,
        collapse: null,
        trackTotalHits: -1,
        postFilter: null,
      },
      taken: noted(taken ?? parts, passed),
      report: null,
    },
    { ...shape, functions: null },
  )
  const found = bulkSlice(
    { ...input, spec: { ...spec, others: [] }, taken: passed, gathers: [] },
    shape,
    gathered.counters,
  )
  return {
    ...found,
    timedOut: gathered.timedOut || found.timedOut,
    cancelled: gathered.cancelled || found.cancelled,
    partials: gathered.partials,
  }
}

/** Notes parts as they are taken. */
function* noted(parts: Iterable<LeafPart>, passed: LeafPart[]): Generator<LeafPart> {
  for (const part of parts) {
    passed.push(part)
    yield part
  }
}
