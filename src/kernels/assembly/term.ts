/**
 * Search for one term: its blocks in order, non-competitive ones skipped by their impacts alone.
 */
import { countSkippedBlocks } from './counters'
import {
  blockCount,
  boundOf,
  countOf,
  docsOf,
  driftOf,
  isConstant,
  lastDoc,
  rewind,
  SLACK,
  weightOf,
} from './cursor'
import { decode, seek, slotOf } from './cursor-blocks'
import { hasImpacts, impactOf } from './cursor-bounds'
import { scoreSlots } from './cursor-scores'
import {
  accept,
  close,
  collect,
  count,
  isAccepted,
  isCounting,
  keep,
  look,
  maxDoc,
  minDoc,
  minScore,
  open,
  prime,
  threshold,
} from './plan'
import { blockScores, cursor } from './plan-record'

/** Blocks between two exchanges with other slices. */
const BLOCKS_PER_LOOK: i32 = 64

/** Runs a plan of one term. */
export function searchTerm(at: usize): void {
  open(at)
  const c = cursor(0)
  rewind(c)
  prime(1)
  const docs = docsOf(c)
  const scores = blockScores()
  const blocks = blockCount(c)
  const skips = hasImpacts(c) && !isConstant(c)
  // The caller has just filled in the threshold.
  let untilLook = BLOCKS_PER_LOOK
  let knownThreshold: f32 = -1
  let minImpact: f32 = 0
  for (let b = seek(c, minDoc); b < blocks; b++) {
    if (--untilLook < 0) {
      if (look()) break
      untilLook = BLOCKS_PER_LOOK
    }
    if (!isCounting && threshold > 0) {
      if (boundOf(c) < <f64>threshold) break
      if (skips) {
        if (threshold != knownThreshold) {
          knownThreshold = threshold
          minImpact = impactToReach(c, threshold)
        }
        if (impactOf(c, b) < minImpact) {
          const from = b
          while (b + 1 < blocks && impactOf(c, b + 1) < minImpact) b++
          countSkippedBlocks(b - from + 1)
          if (lastDoc(c, b) >= maxDoc) break
          continue
        }
      }
    }
    decode(c, b)
    if (load<i32>(docs) >= maxDoc) break
    const last = lastDoc(c, b)
    const lo = load<i32>(docs) < minDoc ? slotOf(docs, minDoc) : 0
    const hi = last < maxDoc ? countOf(c) : slotOf(docs, maxDoc)
    scoreSlots(c, lo, hi, scores)
    if (isCounting && (accept || minScore > 0)) {
      for (let i = lo; i < hi; i++) {
        const doc = load<i32>(docs + ((<usize>i) << 2))
        if (isAccepted(doc)) collect(doc, load<f32>(scores + ((<usize>i) << 2)))
      }
      continue
    }
    if (isCounting) count(hi - lo)
    for (let i = lo & ~3; i < hi; i += 4) {
      const four = v128.load(scores + ((<usize>i) << 2))
      let mask = i32x4.bitmask(f32x4.ge(four, f32x4.splat(threshold)))
      while (mask) {
        const slot = i + <i32>ctz(mask)
        mask &= mask - 1
        if (slot < lo || slot >= hi) continue
        const doc = load<i32>(docs + ((<usize>slot) << 2))
        const score = load<f32>(scores + ((<usize>slot) << 2))
        if (score >= threshold && isAccepted(doc)) keep(doc, score)
      }
    }
  }
  close()
}

/**
 * Min impact of a block that may reach the threshold: the bound of an impact, solved for the
 * impact, minus rounding.
 */
function impactToReach(c: usize, needed: f32): f32 {
  const weight = <f64>weightOf(c)
  const score = <f64>needed / SLACK - weight / 4194304.0
  if (score <= 0) return 0
  if (score >= weight) return 0
  return <f32>((score / (weight - score) / driftOf(c)) * (1.0 - 1.0 / 524288.0))
}
