/** Optional clauses beside required ones: their bounds, and their evaluation on one document. */
import {
  bitsOf,
  blockCount,
  boundOf,
  docsOf,
  isConstant,
  rewind,
  setWindowBound,
  SLACK,
  weightOf,
} from './cursor'
import { decode, decodeFreqsOf, seek, slotOf } from './cursor-blocks'
import { blockBound, boundWithin } from './cursor-bounds'
import { scoreAt } from './cursor-scores'
import { combine } from './dis-max'
import { beginBatches } from './optional-batch'
import { collect, count, finalScore, isCounting, isDisMax, minScore, threshold } from './plan'
import { cursor, isExhaustive, minimumShouldMatch, optionalCount } from './plan-record'

/** Number of optional clauses that are still essential. */
export let optionals: i32 = 0
// Their cursors: [start, end).
let start: i32 = 0
let end: i32 = 0
/** Upper bound of the sum of the optional clauses' scores. */
let optionalSum: f64 = 0

/** @param required number of cursors before them */
export function beginOptional(required: i32): void {
  optionals = optionalCount()
  start = required
  end = required + optionals
  optionalSum = 0
  for (let i = start; i < end; i++) {
    const c = cursor(i)
    if (!bitsOf(c)) rewind(c)
    optionalSum += boundOf(c)
    setWindowBound(c, boundOf(c))
  }
  beginBatches(start, end)
}

/** Upper bound of the optional clauses' sum in [first, last]; each cursor gets its own. */
export function optionalRunBound(first: i32, last: i32): f64 {
  if (optionals == 0) return 0
  let sum: f64 = 0
  let highest: f64 = 0
  for (let i = start; i < end; i++) {
    const c = cursor(i)
    const bound = boundWithin(c, first, last)
    setWindowBound(c, bound)
    sum += bound
    highest = max(highest, bound)
  }
  return isDisMax ? combine(sum, highest) : sum
}

/** For the last document evaluated: the optional clauses' score and the number that match. */
export let optionalScore: f64 = 0
export let optionalMatching: i32 = 0

/**
 * Evaluates the optional clauses on a document whose required ones score up to `required`.
 * @returns false as soon as it cannot be a hit, and when too few of them match
 */
export function askOptional(doc: i32, required: f64): bool {
  const minimum = minimumShouldMatch()
  // Counting needs the exact minimum for each document.
  const mayLeave = !isCounting || (minimum == 0 && !(minScore > 0))
  const skips = mayLeave && threshold > 0 && !isExhaustive()
  let rest = optionalSum
  let sum: f64 = 0
  let highest: f64 = 0
  let matching = 0
  for (let i = start; i < end; i++) {
    const c = cursor(i)
    if (skips && (required + sum + rest) * SLACK < <f64>threshold) return false
    rest -= boundOf(c)
    if (bitsOf(c)) {
      if (((<u32>load<u8>(bitsOf(c) + (<usize>doc >> 3)) >> (<u32>doc & 7)) & 1) == 0) continue
      sum += <f64>weightOf(c)
      highest = max(highest, <f64>weightOf(c))
      matching++
      continue
    }
    const b = seek(c, doc)
    if (b >= blockCount(c)) continue
    if (skips && (required + sum + rest + blockBound(c, b)) * SLACK < <f64>threshold) return false
    decode(c, b)
    const slot = slotOf(docsOf(c), doc)
    if (load<i32>(docsOf(c) + ((<usize>slot) << 2)) != doc) continue
    if (!isConstant(c)) decodeFreqsOf(c)
    const score = <f64>scoreAt(c, slot, doc)
    sum += score
    highest = max(highest, score)
    matching++
  }
  optionalScore = isDisMax ? combine(sum, highest) : sum
  optionalMatching = matching
  return matching >= minimum && !(skips && (required + optionalScore) * SLACK < <f64>threshold)
}

/** Collects a match of the required clauses with its optional score. */
export function collectBoth(doc: i32, required: f64): void {
  if (askOptional(doc, required))
    collect(doc, finalScore(required, optionalScore, optionalMatching > 0))
  // With a minimum of 0, it was dropped only for its score and counts.
  else if (isCounting && minimumShouldMatch() == 0) count(1)
}
