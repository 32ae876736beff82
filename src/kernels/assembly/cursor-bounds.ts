/** What a cursor's blocks may score at most, and what some document of them does. */
import {
  ATTAINED,
  bitsOf,
  BLOCK_BOUND,
  BLOCK_COUNT,
  BOUNDED,
  boundOf,
  DRIFT,
  IMPACTS,
  isConstant,
  lastDoc,
  SLACK,
  WEIGHT,
} from './cursor'

/** The bound of an impact, by the steps of a score (`maxBm25`). */
@inline export function boundOfImpact(c: usize, weight: f32, impact: f32): f64 {
  const share = weight / <f32>(1.0 + <f64>impact * load<f64>(c, DRIFT))
  return <f64>(weight - share) * SLACK
}

/** Whether the field keeps impacts. */
@inline export function hasImpacts(c: usize): bool {
  return load<usize>(c, IMPACTS) != 0
}

/** The largest impact of a block, float32. */
@inline export function impactOf(c: usize, block: i32): f32 {
  return load<f32>(load<usize>(c, IMPACTS) + ((<usize>block) << 2))
}

/** No score of the block is above; computed once while the block is the same. */
export function blockBound(c: usize, block: i32): f64 {
  if (load<i32>(c, BOUNDED) == block) return load<f64>(c, BLOCK_BOUND)
  if (!hasImpacts(c) || isConstant(c)) return boundOf(c)
  const bound = boundOfImpact(c, load<f32>(c, WEIGHT), impactOf(c, block))
  store<i32>(c, block, BOUNDED)
  store<f64>(c, bound, BLOCK_BOUND)
  return bound
}

/** A score that some document of the block attains, float32, or a little less. */
@inline export function attainedScore(c: usize, impact: f32): f32 {
  const weight = load<f32>(c, WEIGHT)
  const score = weight - weight / <f32>(1.0 + <f64>impact * load<f64>(c, ATTAINED))
  return <f32>(<f64>score / SLACK / SLACK)
}

/** Blocks looked at for the bound of a range; behind that the term's own bound serves. */
const MOST_BLOCKS: i32 = 24

/** The largest impact from `block` through the one that holds `last`; −1: use the term's bound. */
export function maxImpact(c: usize, block: i32, last: i32): f32 {
  const count = load<i32>(c, BLOCK_COUNT)
  if (block >= count) return 0
  const end = min(count, block + MOST_BLOCKS)
  let most: f32 = 0
  for (let b = block; b < end; b++) {
    most = max(most, impactOf(c, b))
    if (lastDoc(c, b) >= last) return most
  }
  return end == count ? most : -1
}

/** No score from `block` through the document `last` is above. */
export function rangeBound(c: usize, block: i32, last: i32): f64 {
  if (bitsOf(c)) return boundOf(c)
  if (block >= load<i32>(c, BLOCK_COUNT)) return 0
  if (!hasImpacts(c) || isConstant(c)) return boundOf(c)
  const impact = maxImpact(c, block, last)
  return impact < 0 ? boundOf(c) : boundOfImpact(c, load<f32>(c, WEIGHT), impact)
}
