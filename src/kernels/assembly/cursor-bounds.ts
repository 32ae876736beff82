/** Upper bounds of the scores in a cursor's blocks, and scores that some document attains. */
import {
  ATTAINED,
  bitsOf,
  BLOCK_BOUND,
  BLOCK_COUNT,
  BOUNDED,
  boundOf,
  countOf,
  DOC_BITS,
  docsOf,
  DRIFT,
  IMPACTS,
  isConstant,
  lastDoc,
  NEXT_SLOT,
  SLACK,
  WEIGHT,
} from './cursor'
import { seek } from './cursor-blocks'

/** Score bound of an impact, in the steps of a score (`maxBm25`). */
@inline export function boundOfImpact(c: usize, weight: f32, impact: f32): f64 {
  const share = weight / <f32>(1.0 + <f64>impact * load<f64>(c, DRIFT))
  return <f64>(weight - share) * SLACK
}

/** Whether the field has impacts. */
@inline export function hasImpacts(c: usize): bool {
  return load<usize>(c, IMPACTS) != 0
}

/** The max impact of a block, float32. */
@inline export function impactOf(c: usize, block: i32): f32 {
  return load<f32>(load<usize>(c, IMPACTS) + ((<usize>block) << 2))
}

/** Upper bound of a block's scores; cached for the last block. */
export function blockBound(c: usize, block: i32): f64 {
  if (load<i32>(c, BOUNDED) == block) return load<f64>(c, BLOCK_BOUND)
  if (!hasImpacts(c) || isConstant(c)) return boundOf(c)
  const bound = boundOfImpact(c, load<f32>(c, WEIGHT), impactOf(c, block))
  store<i32>(c, block, BOUNDED)
  store<f64>(c, bound, BLOCK_BOUND)
  return bound
}

/** A float32 score that some document of the block reaches. */
@inline export function attainedScore(c: usize, impact: f32): f32 {
  const weight = load<f32>(c, WEIGHT)
  const score = weight - weight / <f32>(1.0 + <f64>impact * load<f64>(c, ATTAINED))
  return <f32>(<f64>score / SLACK / SLACK)
}

/** Max blocks read for the bound of a range; beyond, the term's bound is used. */
const MAX_BLOCKS: i32 = 24

/** The max impact from `block` through the one that holds `last`; −1: use the term's bound. */
export function maxImpact(c: usize, block: i32, last: i32): f32 {
  const count = load<i32>(c, BLOCK_COUNT)
  if (block >= count) return 0
  const end = min(count, block + MAX_BLOCKS)
  let highest: f32 = 0
  for (let b = block; b < end; b++) {
    highest = max(highest, impactOf(c, b))
    if (lastDoc(c, b) >= last) return highest
  }
  return end == count ? highest : -1
}

/** Upper bound of the scores from `block` through the document `last`. */
export function rangeBound(c: usize, block: i32, last: i32): f64 {
  if (bitsOf(c)) return boundOf(c)
  if (block >= load<i32>(c, BLOCK_COUNT)) return 0
  if (!hasImpacts(c) || isConstant(c)) return boundOf(c)
  const impact = maxImpact(c, block, last)
  return impact < 0 ? boundOf(c) : boundOfImpact(c, load<f32>(c, WEIGHT), impact)
}

/** Upper bound of a clause's scores in [first, last]. Between two rewinds `first` must not descend. */
export function boundWithin(c: usize, first: i32, last: i32): f64 {
  if (bitsOf(c)) return boundOf(c)
  // Most rare terms have no document in a window, and their bounds would add up.
  return isAbsent(c, first, last) ? 0 : rangeBound(c, seek(c, first), last)
}

/** Whether a small term has no document in [first, last]; of a term with blocks that is not known. */
function isAbsent(c: usize, first: i32, last: i32): bool {
  if (load<usize>(c, DOC_BITS)) return false
  const docs = docsOf(c)
  const count = countOf(c)
  let slot = load<i32>(c, NEXT_SLOT)
  while (slot < count && load<i32>(docs + ((<usize>slot) << 2)) < first) slot++
  store<i32>(c, slot, NEXT_SLOT)
  return slot >= count || load<i32>(docs + ((<usize>slot) << 2)) > last
}
