/**
 * Cuts the work of a shared search into the parts that threads take: small enough that threads end
 * together and that whoever waits for one waits little, large enough that what a part costs beside its
 * postings does not show. Unlike slices they may hang on cost: nothing that is found or reported does.
 */
import type { LeafPart } from '../search/collector/collect-spec.ts'
import type { LeafStates, Weight } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { Slice } from './slices.ts'

const NO_STATES: LeafStates = { terms: [], expansions: [] }

/** How finely work is cut. */
export interface WorkCut {
  /** What one part should take at most, roughly, nanoseconds. */
  readonly partInNanos: number
  /** Ranges are multiples of so many documents, but for a leaf's last one; itself one of 128. */
  readonly leastDocs: number
  /** For how long a thread goes on although others wait, nanoseconds: what is cheap ends within it. */
  readonly turnInNanos: number
}

/** Ranges of whole windows of the kernels. */
export const USUAL_CUT: WorkCut = { partInNanos: 120_000, leastDocs: 4096, turnInNanos: 500_000 }
/** Parts for each thread that takes some, while they are not smaller than this. */
const PARTS_EACH = 8
const SMALL_PART_IN_NANOS = 60_000
/** More parts than this only cost. */
const MOST_PARTS = 256

/** The parts of all slices as they are, for what costs the same for any range of a leaf. */
export function wholeParts(slices: readonly Slice[]): LeafPart[] {
  return slices.flat().sort((a, b) => a.leafOrd - b.leafOrd || a.minDoc - b.minDoc)
}

/**
 * Whole leaves and ranges of them, ascending.
 * @param maxDocs documents of each leaf by place in the snapshot
 * @param cost    of the whole search, nanoseconds
 * @param threads that take parts
 */
export function cutParts(
  maxDocs: readonly number[],
  cost: number,
  threads: number,
  { partInNanos, leastDocs }: WorkCut,
): LeafPart[] {
  // Several for each, so that all end at about the same time, unless each would be next to nothing.
  const even = Math.min(PARTS_EACH * threads, Math.max(threads, cost / SMALL_PART_IN_NANOS))
  const count = Math.min(MOST_PARTS, Math.max(even, Math.ceil(cost / partInNanos)))
  const total = maxDocs.reduce((sum, maxDoc) => sum + maxDoc, 0)
  const docs = leastDocs * Math.ceil(Math.max(1, total / count / leastDocs))
  const parts: LeafPart[] = []
  maxDocs.forEach((all, leafOrd) => {
    let minDoc = 0
    do {
      // A rest that is not much longer is taken along.
      const maxDoc = all - minDoc < 1.5 * docs ? all : minDoc + docs
      parts.push({ leafOrd, minDoc, maxDoc })
      minDoc = maxDoc
    } while (minDoc < all)
  })
  return parts
}

/**
 * Puts leaves first in which a document can score most: what is found there passes over more of the
 * others. Ranges of a leaf stay in order, as its bounds are those of whole terms.
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
