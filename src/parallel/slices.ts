/**
 * Cuts a shard's leaves into slices, from segments and settings alone: never from a cost estimate,
 * so that the same index and settings always give the same slices.
 */
import type { LeafPart } from '../search/collector/collect-spec.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** Settings of the slicing. */
export interface SliceSettings {
  /** Max slices; 0: Lucene's rule. */
  readonly maxSliceCount: number
  /** Whether large segments are cut into ranges of documents. */
  readonly intraSegment: 'none' | 'auto'
  /** Min documents of a segment that is cut. */
  readonly intraSegmentMinDocs: number
}

/** One slice: parts ascending by leaf, max one per leaf. */
export type Slice = readonly LeafPart[]

/**
 * Lucene's rule: a larger segment is a slice of its own, and a slice ends past this many documents.
 */
const LUCENE_DOCS_PER_SLICE = 250_000
const LUCENE_SEGMENTS_PER_SLICE = 5
/** Range starts are multiples of this, so that no block of doc values is shared. */
const RANGE_STEP = 4096

/**
 * The slices of a shard, in the order of their ids: by their lists of parts.
 *
 * @param maxDocs documents of each leaf, deleted ones included, by leaf ord
 * @throws {IllegalArgumentError} a negative slice count
 */
export function cutSlices(maxDocs: readonly number[], settings: SliceSettings): Slice[] {
  const { maxSliceCount } = settings
  if (maxSliceCount < 0)
    throw new IllegalArgumentError(`max slice count must be >= 0, found [${maxSliceCount}]`)
  const groups =
    maxSliceCount === 0
      ? luceneGroups(maxDocs)
      : largestFirst(cutParts(maxDocs, settings), settings)
  const slices = groups.filter(group => group.length > 0)
  for (const slice of slices) slice.sort(compareParts)
  return slices.sort(compareSlices)
}

function whole(maxDoc: number, leafOrd: number): LeafPart {
  return { leafOrd, minDoc: 0, maxDoc }
}

function sizeOf(part: LeafPart): number {
  return part.maxDoc - part.minDoc
}

/** Whole leaves, and ranges of those that are larger than a fair share. */
function cutParts(maxDocs: readonly number[], settings: SliceSettings): LeafPart[] {
  const { maxSliceCount, intraSegment, intraSegmentMinDocs } = settings
  const total = maxDocs.reduce((sum, maxDoc) => sum + maxDoc, 0)
  const share = Math.ceil(total / maxSliceCount)
  return maxDocs.flatMap((maxDoc, leafOrd) => {
    const cuts = intraSegment === 'auto' && maxDoc > share && maxDoc >= intraSegmentMinDocs
    if (!cuts) return [whole(maxDoc, leafOrd)]
    const count = Math.min(maxSliceCount, Math.ceil(maxDoc / share))
    return cutRanges(maxDoc, leafOrd, count)
  })
}

function cutRanges(maxDoc: number, leafOrd: number, count: number): LeafPart[] {
  const size = Math.floor(maxDoc / count)
  const starts = new Set<number>()
  for (let i = 0; i < count; i++) starts.add(Math.floor((i * size) / RANGE_STEP) * RANGE_STEP)
  const edges = [...starts, maxDoc]
  return edges
    .slice(0, -1)
    .map((minDoc, i) => ({ leafOrd, minDoc, maxDoc: edges[i + 1] ?? maxDoc }))
}

/**
 * Longest processing time first (Graham 1969): by descending size, each part goes to the group with
 * the fewest documents, the first of equals; parts of one leaf never share a group.
 */
function largestFirst(parts: readonly LeafPart[], settings: SliceSettings): LeafPart[][] {
  const count = Math.min(settings.maxSliceCount, parts.length)
  const groups: LeafPart[][] = Array.from({ length: count }, () => [])
  const totals = new Array<number>(count).fill(0)
  const leavesOf = groups.map(() => new Set<number>())
  // A stable sort: of equal sizes the earlier leaf is first.
  const bySize = [...parts].sort((a, b) => sizeOf(b) - sizeOf(a))
  for (const part of bySize) {
    let best = -1
    for (let i = 0; i < count; i++) {
      if (leavesOf[i]?.has(part.leafOrd)) continue
      if (best < 0 || (totals[i] ?? 0) < (totals[best] ?? 0)) best = i
    }
    // A leaf has at most as many ranges as there are groups, so one is always free.
    groups[best]?.push(part)
    leavesOf[best]?.add(part.leafOrd)
    totals[best] = (totals[best] ?? 0) + sizeOf(part)
  }
  return groups
}

function luceneGroups(maxDocs: readonly number[]): LeafPart[][] {
  const parts = maxDocs.map(whole).sort((a, b) => sizeOf(b) - sizeOf(a))
  const groups: LeafPart[][] = []
  let open: LeafPart[] = []
  let docs = 0
  for (const part of parts) {
    if (sizeOf(part) > LUCENE_DOCS_PER_SLICE) {
      groups.push([part])
      continue
    }
    open.push(part)
    docs += sizeOf(part)
    if (docs > LUCENE_DOCS_PER_SLICE || open.length === LUCENE_SEGMENTS_PER_SLICE) {
      groups.push(open)
      open = []
      docs = 0
    }
  }
  groups.push(open)
  return groups
}

function compareParts(a: LeafPart, b: LeafPart): number {
  return a.leafOrd - b.leafOrd || a.minDoc - b.minDoc || a.maxDoc - b.maxDoc
}

function compareSlices(a: Slice, b: Slice): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const order = compareParts(a[i] as LeafPart, b[i] as LeafPart)
    if (order !== 0) return order
  }
  return a.length - b.length
}
