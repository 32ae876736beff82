/**
 * Evaluates the optional clauses on all matches that the required ones have in a block: clause by
 * clause, highest bound first, by runs of matches that share a block. Matches that cannot reach the
 * threshold are dropped in between.
 */
import {
  bitsOf,
  blockCount,
  boundOf,
  isConstant,
  lastDoc,
  membersOf,
  SLACK,
  weightOf,
  windowBound,
} from './cursor'
import { seek } from './cursor-blocks'
import { blockBound } from './cursor-bounds'
import { addScores, freqsAt, inversesOf } from './cursor-scores'
import { behind } from './intersect'
import { findMembers } from './membership'
import { membersAmong, ordOf } from './term-bit-set'
import {
  collect,
  count,
  finalScore,
  isCounting,
  keep,
  minScore,
  needsScores,
  threshold,
} from './plan'
import {
  candidates,
  cursor,
  isExhaustive,
  leadSlots,
  matches,
  minimumShouldMatch,
  narrowed,
  orderBuffer,
  prefixBuffer,
  requiredCount,
  sums,
} from './plan-record'

/** Max matches at once; their columns lie in the windows' buffers for candidates. */
const MAX_MATCHES: usize = 128

/** By index in `matches`: sum of the optional clauses so far, f64, and how many match. */
@inline function addedSums(): usize {
  return sums() + (MAX_MATCHES << 3)
}
@inline function matching(): usize {
  return candidates()
}
/** Matches of the current clause: index, posting ord, document, and score columns. */
@inline function members(): usize {
  return candidates() + (MAX_MATCHES << 2)
}
@inline function memberOrds(): usize {
  return candidates() + (MAX_MATCHES << 3)
}
@inline function memberDocs(): usize {
  return candidates() + 3 * (MAX_MATCHES << 2)
}
@inline function memberInverses(): usize {
  return candidates() + (MAX_MATCHES << 4)
}
@inline function memberFreqs(): usize {
  return candidates() + 5 * (MAX_MATCHES << 2)
}
@inline function memberScores(): usize {
  return sums() + (MAX_MATCHES << 4)
}

/** Clauses: cursors [first, first + clauses), by ascending bound. */
let first: i32 = 0
let clauses: i32 = 0

/** Sorts the clauses by bound. */
export function beginBatches(start: i32, end: i32): void {
  first = start
  clauses = end - start
  const order = orderBuffer()
  for (let i = 0; i < clauses; i++) {
    const c = cursor(first + i)
    let at = i
    while (at > 0 && boundOf(inOrder(at - 1)) > boundOf(c)) {
      store<usize>(order + ((<usize>at) << 2), inOrder(at - 1))
      at--
    }
    store<usize>(order + ((<usize>at) << 2), c)
  }
}

@inline function inOrder(index: i32): usize {
  return load<usize>(orderBuffer() + ((<usize>index) << 2))
}

/** Max that the clauses up to an index add. */
@inline function boundsUpTo(index: i32): f64 {
  return index < 0 ? 0 : load<f64>(prefixBuffer() + ((<usize>index) << 3))
}

/** Evaluates the first `given` matches, whose required scores are in `sums`. */
export function collectAll(given: i32): void {
  const minimum = minimumShouldMatch()
  // Each one is a match whatever the clauses: those that cannot be hits may be dropped.
  const countsAll = minimum == 0 && !(minScore > 0)
  const skips = threshold > 0 && !isExhaustive() && (countsAll || !isCounting)
  if (countsAll) count(given)
  const added = addedSums()
  const counts = matching()
  for (let i: usize = 0; i < (<usize>given) << 3; i += 16) v128.store(added + i, f64x2.splat(0))
  for (let i: usize = 0; i < (<usize>given) << 2; i += 16) v128.store(counts + i, i32x4.splat(0))
  let found = given
  if (skips) {
    let sum: f64 = 0
    for (let i = 0; i < clauses; i++) {
      sum += windowBound(inOrder(i))
      store<f64>(prefixBuffer() + ((<usize>i) << 3), sum)
    }
    // Without counting, a sole required clause has dropped them already.
    if (isCounting || requiredCount() > 1) found = keepReaching(found, sum)
  }
  for (let index = clauses - 1; index >= 0 && found > 0; index--) {
    const c = inOrder(index)
    const below = boundsUpTo(index - 1)
    if (bitsOf(c)) addFromBits(c, found)
    else addFromTerm(c, found, below, skips)
    if (skips && index > 0) found = keepReaching(found, below)
  }
  for (let i = 0; i < found; i++) {
    if (load<i32>(counts + ((<usize>i) << 2)) < minimum) continue
    const doc = load<i32>(matches() + ((<usize>i) << 2))
    const required = load<f64>(sums() + ((<usize>i) << 3))
    // Adding 0 does not change a rounded score, so it is correct without a match too.
    const score = finalScore(required, load<f64>(added + ((<usize>i) << 3)), true)
    if (!countsAll) collect(doc, score)
    else if (score >= threshold) keep(doc, score)
  }
}

/** Drops matches that do not reach the threshold with `rest` more. */
function keepReaching(found: i32, rest: f64): i32 {
  const docs = matches()
  const required = sums()
  const added = addedSums()
  const counts = matching()
  let left: usize = 0
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const own = load<f64>(required + (i << 1))
    const others = load<f64>(added + (i << 1))
    store<i32>(docs + left, load<i32>(docs + i))
    store<i32>(counts + left, load<i32>(counts + i))
    store<f64>(required + (left << 1), own)
    store<f64>(added + (left << 1), others)
    left += (<usize>!((own + others + rest) * SLACK < <f64>threshold)) << 2
  }
  return <i32>(left >> 2)
}

/** Whether any match in [from, to) reaches the threshold with `rest` more. */
function mayReach(from: i32, to: i32, rest: f64): bool {
  const required = sums()
  const added = addedSums()
  // Lanes before and after may belong to another run, which only weakens the test.
  let highest = f64x2.splat(0)
  for (let i = (<usize>(from & ~1)) << 3; i < (<usize>to) << 3; i += 16)
    highest = f64x2.pmax(highest, f64x2.add(v128.load(required + i), v128.load(added + i)))
  const best = max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1))
  return !((best + rest) * SLACK < <f64>threshold)
}

function addFromBits(c: usize, found: i32): void {
  const docs = matches()
  const added = addedSums()
  const counts = matching()
  const bits = bitsOf(c)
  const weight = <f64>weightOf(c)
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const doc = load<u32>(docs + i)
    const bit = (<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1
    store<f64>(added + (i << 1), load<f64>(added + (i << 1)) + weight * <f64>bit)
    store<i32>(counts + i, load<i32>(counts + i) + <i32>bit)
  }
}

/** Adds a term's scores to its matches. */
function addFromTerm(c: usize, found: i32, below: f64, skips: bool): void {
  const docs = matches()
  const indices = members()
  const ords = memberOrds()
  const have = <usize>(membersOf(c) ? findInSet(c, found, below, skips) : findInBlocks(c, found, below, skips)) << 2
  if (!have) return
  const counts = matching()
  for (let i: usize = 0; i < have; i += 4) {
    const at = counts + ((<usize>load<i32>(indices + i)) << 2)
    store<i32>(at, load<i32>(at) + 1)
  }
  if (!needsScores()) return
  const scores = memberScores()
  const initial = f64x2.splat(isConstant(c) ? <f64>weightOf(c) : 0)
  for (let i: usize = 0; i < have << 1; i += 16) v128.store(scores + i, initial)
  if (!isConstant(c)) {
    const own = memberDocs()
    for (let i: usize = 0; i < have; i += 4)
      store<i32>(own + i, load<i32>(docs + ((<usize>load<i32>(indices + i)) << 2)))
    const count = <i32>(have >> 2)
    inversesOf(c, own, count, memberInverses())
    freqsAt(c, ords, count, memberFreqs())
    addScores(c, memberFreqs(), memberInverses(), count, scores)
  }
  const added = addedSums()
  for (let i: usize = 0; i < have; i += 4) {
    const at = added + ((<usize>load<i32>(indices + i)) << 3)
    store<f64>(at, load<f64>(at) + load<f64>(scores + (i << 1)))
  }
}

/**
 * Finds a term's matches and their posting ords, except those that are not competitive even with
 * it.
 */
function findInBlocks(c: usize, found: i32, below: f64, skips: bool): i32 {
  const docs = matches()
  const blocks = blockCount(c)
  const kept = narrowed()
  const slots = leadSlots()
  const indices = members()
  const ords = memberOrds()
  let have: usize = 0
  for (let from = 0; from < found; ) {
    const b = seek(c, load<i32>(docs + ((<usize>from) << 2)))
    if (b >= blocks) break
    const to = behind(docs, from, found, lastDoc(c, b))
    if (!skips || mayReach(from, to, blockBound(c, b) + below)) {
      // Corrupt, non-ascending documents must not overflow the buffers.
      const both = min(to - from, findMembers(c, b, docs, from, to, kept, slots))
      for (let i: usize = 0; i < (<usize>both) << 2; i += 4) {
        store<i32>(indices + have, load<i32>(kept + i))
        store<i32>(ords + have, load<i32>(slots + i) | (b << 7))
        have += 4
      }
    }
    from = to
  }
  return <i32>(have >> 2)
}

/** The same for a term with a bit set. */
function findInSet(c: usize, found: i32, below: f64, skips: bool): i32 {
  const docs = matches()
  const indices = members()
  const ords = memberOrds()
  const have = membersAmong(c, docs, 0, found, indices)
  const required = sums()
  const added = addedSums()
  let left: usize = 0
  for (let i: usize = 0; i < (<usize>have) << 2; i += 4) {
    const index = load<usize>(indices + i)
    const ord = ordOf(c, load<u32>(docs + (index << 2)))
    const sum = load<f64>(required + (index << 3)) + load<f64>(added + (index << 3))
    store<usize>(indices + left, index)
    store<u32>(ords + left, ord)
    const reaches = !skips || !((sum + blockBound(c, ord >> 7) + below) * SLACK < <f64>threshold)
    left += (<usize>reaches) << 2
  }
  return <i32>(left >> 2)
}
