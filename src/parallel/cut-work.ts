/**
 * Cuts the work of a shared search into parts for threads to take: small enough that all threads
 * end together and a preempting search waits little, large enough to hide the fixed cost of a part.
 * Unlike slices, parts may depend on cost estimates: no result and no report depends on parts.
 */
import type { LeafPart } from '../search/collector/collect-spec.ts'
import type { LeafStates, Weight } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { Slice } from './slices.ts'

const NO_STATES: LeafStates = { terms: [], expansions: [] }

/** Granularity of the cut. */
export interface WorkCut {
  /** Target time of one part, nanoseconds. */
  readonly partInNanos: number
  /**
   * Ranges are multiples of this many documents, except a leaf's last one; itself a multiple of
   * 128.
   */
  readonly minDocs: number
  /** Time slice: how long a thread runs before it yields to waiting requests, nanoseconds. */
  readonly turnInNanos: number
}

/** The default cut: ranges are whole windows of the kernels. */
export const USUAL_CUT: WorkCut = { partInNanos: 120_000, minDocs: 4096, turnInNanos: 500_000 }
/** Parts per thread, unless they would become too small. */
const PARTS_EACH = 8
const SMALL_PART_IN_NANOS = 60_000
/** Max parts of a search. */
const MAX_PARTS = 256

/** The parts of all slices, uncut, for searches that cost the same for any range of a leaf. */
export function wholeParts(slices: readonly Slice[]): LeafPart[] {
  return slices.flat().sort((a, b) => a.leafOrd - b.leafOrd || a.minDoc - b.minDoc)
}

/**
 * Whole leaves and ranges of them, ascending.
 * @param maxDocs documents of each leaf, by leaf ord
 * @param cost    of the whole search, nanoseconds
 * @param threads that take parts
 * @param isKept  whether a leaf stays whole
 */
export function cutParts(
  maxDocs: readonly number[],
  cost: number,
  threads: number,
  { partInNanos, minDocs }: WorkCut,
  isKept: (leafOrd: number) => boolean,
): LeafPart[] {
  // Several parts per thread, so that all end at about the same time, unless parts become tiny.
  const even = Math.min(PARTS_EACH * threads, Math.max(threads, cost / SMALL_PART_IN_NANOS))
  const count = Math.min(MAX_PARTS, Math.max(even, Math.ceil(cost / partInNanos)))
  const total = maxDocs.reduce((sum, maxDoc) => sum + maxDoc, 0)
  const docs = minDocs * Math.ceil(Math.max(1, total / count / minDocs))
  const parts: LeafPart[] = []
  maxDocs.forEach((all, leafOrd) => {
    let minDoc = 0
    do {
      // A remainder of up to half a range joins the last one.
      const maxDoc = all - minDoc < 1.5 * docs || isKept(leafOrd) ? all : minDoc + docs
      parts.push({ leafOrd, minDoc, maxDoc })
      minDoc = maxDoc
    } while (minDoc < all)
  })
  return parts
}

/**
 * Sorts leaves by descending max score, since early good hits let later leaves be skipped. Ranges
 * of a leaf stay in order: its estimate is that of whole terms.
 */
export function bestFirst(parts: readonly LeafPart[], weight: Weight): LeafPart[] {
  const bounds = new Map<number, number>()
  for (const { leafOrd } of parts)
    if (!bounds.has(leafOrd))
      bounds.set(
        leafOrd,
        WEIGHT_OPS.scoreEstimate(weight.root, weight.leaves[leafOrd] ?? NO_STATES),
      )
  const bound = (part: LeafPart): number => bounds.get(part.leafOrd)!
  return [...parts].sort(
    (a, b) => bound(b) - bound(a) || a.leafOrd - b.leafOrd || a.minDoc - b.minDoc,
  )
}
