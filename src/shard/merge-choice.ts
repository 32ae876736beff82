/** Selects adjacent segments of a shard to merge: a pure function of their sizes. */

/** A segment's sizes; segments are in order of arrival. */
export interface MergeCandidate {
  /** Bytes of its sections. */
  readonly bytes: number
  readonly maxDoc: number
  readonly deletedCount: number
}

/** The settings `index.merge.policy.*`, sizes in bytes. */
export interface MergeSettings {
  readonly maxMergeAtOnce: number
  readonly segmentsPerTier: number
  readonly floorSegmentInBytes: number
  readonly maxMergedSegmentInBytes: number
  readonly deletesPctAllowed: number
  readonly expungeDeletesAllowed: number
}

/** A forced merge; a null maxSegments leaves the target to the policy. */
export type ForcedMerge =
  | { readonly maxSegments: number | null }
  | { readonly onlyExpungeDeletes: true }

/** Segments with ords in [start, end). */
export interface MergeChoice {
  readonly start: number
  readonly end: number
}

/** A segment's sections must fit an arena beside others, so no merge exceeds this. */
export const MAX_RESIDENT_BYTES: number = 2 ** 30

/**
 * Tiered merging of adjacent segments. Sizes exclude deleted documents and are at least the floor.
 * Nothing is due while there are no more segments than the tiers allow; then the run with the least
 * skew is chosen, with a preference for small ones and for many deletes, as Lucene's
 * `TieredMergePolicy` scores them. Only adjacent segments merge, since document order is order of
 * arrival.
 */
export function chooseMerge(
  segments: readonly MergeCandidate[],
  settings: MergeSettings,
  forced: ForcedMerge | null,
): MergeChoice | null {
  const maxBytes = Math.min(settings.maxMergedSegmentInBytes, MAX_RESIDENT_BYTES)
  if (forced !== null && 'onlyExpungeDeletes' in forced)
    return chooseExpunge(segments, settings.expungeDeletesAllowed)
  if (forced !== null && forced.maxSegments !== null)
    return chooseForced(segments, forced.maxSegments)
  if (segments.length < 2) return chooseExpunge(segments, settings.deletesPctAllowed)
  const sizes = segments.map(segment => liveBytes(segment))
  if (segments.length <= allowedCount(sizes, settings, maxBytes))
    return chooseExpunge(segments, settings.deletesPctAllowed)
  let best: MergeChoice | null = null
  let bestScore = Number.POSITIVE_INFINITY
  for (let start = 0; start < sizes.length - 1; start++) {
    let total = 0
    let floored = 0
    let largest = 0
    let before = 0
    for (let end = start + 1; end <= sizes.length; end++) {
      const size = sizes[end - 1]!
      total += size
      before += segments[end - 1]!.bytes
      if (total > maxBytes || end - start > settings.maxMergeAtOnce) break
      const flooredSize = Math.max(size, settings.floorSegmentInBytes)
      floored += flooredSize
      largest = Math.max(largest, flooredSize)
      if (end - start < 2) continue
      const score = (largest / floored) * total ** 0.05 * (total / Math.max(before, 1)) ** 2
      if (score < bestScore) {
        bestScore = score
        best = { start, end }
      }
    }
  }
  return best ?? chooseExpunge(segments, settings.deletesPctAllowed)
}

/** Segments that the tiers allow: `segmentsPerTier` of each size, sizes growing by merges. */
function allowedCount(sizes: readonly number[], settings: MergeSettings, maxBytes: number): number {
  let left = sizes.reduce((sum, size) => sum + size, 0)
  let level = Math.max(settings.floorSegmentInBytes, Math.min(...sizes))
  const factor = Math.min(settings.maxMergeAtOnce, settings.segmentsPerTier)
  let allowed = 0
  for (;;) {
    const count = left / level
    if (count < settings.segmentsPerTier || level >= maxBytes) {
      allowed += Math.ceil(count)
      break
    }
    allowed += settings.segmentsPerTier
    left -= settings.segmentsPerTier * level
    level = Math.min(maxBytes, level * factor)
  }
  return Math.max(allowed, settings.segmentsPerTier)
}

/** The segment with the largest share of deleted documents, if above `percent`. */
function chooseExpunge(segments: readonly MergeCandidate[], percent: number): MergeChoice | null {
  let worst = -1
  let maxShare = percent / 100
  segments.forEach((segment, i) => {
    const share = segment.deletedCount / segment.maxDoc
    if (share > maxShare) {
      worst = i
      maxShare = share
    }
  })
  return worst < 0 ? null : { start: worst, end: worst + 1 }
}

function chooseForced(
  segments: readonly MergeCandidate[],
  maxSegments: number,
): MergeChoice | null {
  if (segments.length <= maxSegments) {
    const dirty = maxSegments === 1 ? segments.findIndex(segment => segment.deletedCount > 0) : -1
    return dirty < 0 ? null : { start: dirty, end: dirty + 1 }
  }
  // The cheapest run that reaches the target, or the longest one below the limit.
  for (let length = segments.length - maxSegments + 1; length >= 2; length--) {
    let best: MergeChoice | null = null
    let bestBytes = MAX_RESIDENT_BYTES
    for (let start = 0; start + length <= segments.length; start++) {
      let total = 0
      for (let i = start; i < start + length; i++) total += liveBytes(segments[i]!)
      if (total <= bestBytes) {
        bestBytes = total
        best = { start, end: start + length }
      }
    }
    if (best !== null) return best
  }
  return null
}

function liveBytes(segment: MergeCandidate): number {
  return (segment.bytes * (segment.maxDoc - segment.deletedCount)) / Math.max(segment.maxDoc, 1)
}
