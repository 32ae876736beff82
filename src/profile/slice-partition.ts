import type { JsonRecord } from '../util/json/json-value.ts'
import type { LeafProfile } from './slice-profile.ts'

/** A leaf, or a range of one, as the objects of slices print it. */
export function partitionOf({ leafOrd, minDoc, maxDoc }: LeafProfile): JsonRecord {
  return { segment_ord: leafOrd, doc_range: [minDoc, maxDoc] }
}
