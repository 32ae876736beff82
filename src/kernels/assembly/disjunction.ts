/**
 * Some of several clauses, by windows of 4,096 documents: MaxScore with the windows' own bounds
 * (Turtle & Flood 1995; Mallia, Siedlaczek & Suel 2019). In each window the clauses stand by rising
 * bound. Those at the front whose bounds together stay below the threshold cannot make a hit alone:
 * they are asked only about documents that one of the others, the essential ones, proposes. A window
 * without essential clauses is passed over; where one alone is essential its blocks are compared with
 * what is missing; where there are several their scores are added up slot by slot.
 *
 * Which slots match is noted beside the scores, which may be 0: by bits where they are few, else in a
 * byte each, and not at all where a score must be above 0 to count. Whoever reads a window empties it.
 */
import {
  bitsOf,
  blockBound,
  blockCount,
  countOf,
  countSkippedBlock,
  countSkippedRun,
  decode,
  docFreq,
  docsOf,
  lastDoc,
  rangeBound,
  rewind,
  scoreList,
  scoreSlots,
  seek,
  setWindowBound,
  SLACK,
  slotOf,
  weightOf,
  windowBound,
} from './cursor'
import { orPostings } from './bits'
import { countCandidates, countWindow } from './counters'
import { behind } from './intersect'
import {
  accept,
  blockScores,
  candidates,
  close,
  collect,
  constant,
  count,
  countsBuffer,
  cursor,
  finalScore,
  hasRequired,
  isAccepted,
  isCounting,
  isExhaustive,
  keep,
  leadDocs,
  leadSlots,
  leastSum,
  look,
  maxDoc,
  minDoc,
  minimumShouldMatch,
  minScore,
  open,
  optionalCount,
  orderBuffer,
  prefixBuffer,
  prime,
  scoresBuffer,
  sums,
  threshold,
  windowBits,
} from './plan'

const WINDOW: i32 = 4096
/** With fewer postings in a window, the slots that hold something are found by bits. */
const SPARSE: i32 = 256

let isSparse: bool = false
let total: i32 = 0

/** Empties the slots of the windows: once for each scratch. */
export function clearWindow(scores: usize, counts: usize, bits: usize): void {
  memory.fill(scores, 0, WINDOW << 3)
  memory.fill(counts, 0, WINDOW)
  memory.fill(bits, 0, WINDOW >> 3)
}

export function searchDisjunction(at: usize): void {
  open(at)
  start()
  prime(total)
  for (let base = minDoc & -WINDOW; base < maxDoc; base = nextBase(base + WINDOW)) {
    if (look()) break
    countWindow()
    searchWindow(base, max(base, minDoc), min(base + WINDOW, maxDoc))
  }
  close()
}

/** Counts the documents that any clause matches; without clauses, all that are admitted. */
export function countDisjunction(at: usize): void {
  open(at)
  start()
  const bits = windowBits()
  for (let base = minDoc & -WINDOW; base < maxDoc; base = nextBase(base + WINDOW)) {
    if (look()) break
    countWindow()
    const from = max(base, minDoc)
    const to = min(base + WINDOW, maxDoc)
    if (total == 0) fillRange(bits, base, from, to)
    for (let i = 0; i < total; i++) {
      const c = cursor(i)
      if (bitsOf(c)) orBits(c, bits, base, from, to)
      else orPostings(c, bits, base, from, to)
    }
    let found: i64 = 0
    for (let i: usize = 0; i < <usize>(WINDOW >> 3); i += 8) {
      let word = load<u64>(bits + i)
      if (!word) continue
      store<u64>(bits + i, 0)
      if (accept) word &= load<u64>(accept + (<usize>base >> 3) + i)
      found += popcnt<u64>(word)
    }
    count(<i32>found)
  }
  close()
}

function fillRange(bits: usize, base: i32, from: i32, to: i32): void {
  for (let word = from >> 6; word << 6 < to; word++)
    store<u64>(bits + ((<usize>(word - (base >> 6))) << 3), inRange(word, from, to))
}

function start(): void {
  total = optionalCount()
  let postings: i64 = 0
  const order = orderBuffer()
  for (let i = 0; i < total; i++) {
    const c = cursor(i)
    store<usize>(order + ((<usize>i) << 2), c)
    if (!bitsOf(c)) rewind(c)
    postings += docFreq(c)
  }
  // Bits say what one clause matches; where several must, or none, every slot is read.
  isSparse =
    minimumShouldMatch() == 1 && postings * WINDOW < <i64>SPARSE * <i64>max(maxDoc, WINDOW)
}

@inline function inOrder(place: i32): usize {
  return load<usize>(orderBuffer() + ((<usize>place) << 2))
}
@inline function boundsUpTo(place: i32): f64 {
  return place < 0 ? 0 : load<f64>(prefixBuffer() + ((<usize>place) << 3))
}

/** The next window that may hold a match: few postings leave many empty. */
function nextBase(base: i32): i32 {
  if (!isSparse || base >= maxDoc) return base
  let least = i32.MAX_VALUE
  for (let i = 0; i < total; i++) {
    const c = cursor(i)
    if (bitsOf(c)) return base
    const block = seek(c, base)
    if (block >= blockCount(c)) continue
    decode(c, block)
    const docs = docsOf(c)
    least = min(least, load<i32>(docs + ((<usize>slotOf(docs, base)) << 2)))
    if (least < base + WINDOW) return base
  }
  return least & -WINDOW
}

/** How many clauses at the front of the order are not essential in the window; −1: nothing can win. */
function divide(from: i32, to: i32): i32 {
  const order = orderBuffer()
  for (let i = 0; i < total; i++) {
    const c = inOrder(i)
    const bound = bitsOf(c) ? <f64>weightOf(c) : rangeBound(c, seek(c, from), to - 1)
    setWindowBound(c, bound)
    // Insertion: windows change little from one to the next.
    let at = i
    while (at > 0 && windowBound(inOrder(at - 1)) > bound) {
      store<usize>(order + ((<usize>at) << 2), inOrder(at - 1))
      at--
    }
    store<usize>(order + ((<usize>at) << 2), c)
  }
  const prefix = prefixBuffer()
  let sum: f64 = 0
  let first = total
  for (let i = 0; i < total; i++) {
    sum += windowBound(inOrder(i))
    store<f64>(prefix + ((<usize>i) << 3), sum)
    if (first == total && (constant() + sum) * SLACK >= <f64>threshold) first = i
  }
  return (constant() + sum) * SLACK < <f64>threshold ? -1 : first
}

function searchWindow(base: i32, from: i32, to: i32): void {
  const minimum = minimumShouldMatch()
  if (accept && isEmpty(from, to)) return
  if (total == 0) {
    scanAccepted(from, to)
    return
  }
  let essential = 0
  const prunes = !isCounting && threshold > 0 && !isExhaustive()
  if (prunes) {
    essential = divide(from, to)
    if (essential < 0) {
      countSkippedRun()
      return
    }
    // Where several must match, or none, what alone makes no hit still counts.
    if (minimum != 1) essential = 0
    else if (essential == total - 1) {
      proposeOne(inOrder(essential), from, to, essential)
      return
    }
  }
  const least = leastSum(threshold) - constant() - boundsUpTo(essential - 1)
  const tallies = !isSparse && (isCounting || minimum != 1 || least <= 0)
  for (let place = essential; place < total; place++) {
    const c = inOrder(place)
    if (bitsOf(c)) addBits(c, base, from, to, tallies)
    else addPostings(c, base, from, to, tallies)
  }
  if (isSparse) scanSparse(base, from, to, essential)
  else if (tallies) scanTallied(base, from, to, essential, minimum)
  else scanScores(base, from, to, essential)
}

/** True when the window holds no document that may match. */
function isEmpty(from: i32, to: i32): bool {
  const end = accept + (<usize>(to + 63) >> 6 << 3)
  for (let at = accept + (<usize>from >> 6 << 3); at < end; at += 8)
    if (load<u64>(at)) return false
  return true
}

// ---- adding up ----------------------------------------------------------------------------------

function addPostings(c: usize, base: i32, from: i32, to: i32, tallies: bool): void {
  const blocks = blockCount(c)
  const docs = docsOf(c)
  const block = blockScores()
  const slots = scoresBuffer()
  const bits = windowBits()
  for (let b = seek(c, from); b < blocks; b++) {
    decode(c, b)
    if (load<i32>(docs) >= to) return
    const last = lastDoc(c, b)
    const lo = load<i32>(docs) < from ? slotOf(docs, from) : 0
    const hi = last < to ? countOf(c) : slotOf(docs, to)
    scoreSlots(c, lo, hi, block)
    if (isSparse) {
      for (let i = lo; i < hi; i++) {
        const slot = <usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1)
        const at = slots + (slot << 3)
        store<f64>(at, load<f64>(at) + <f64>load<f32>(block + ((<usize>i) << 2)))
        const word = bits + (slot >> 6 << 3)
        store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>slot & 63)))
      }
    } else {
      for (let i = lo; i < hi; i++) {
        const slot = <usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1)
        const at = slots + (slot << 3)
        store<f64>(at, load<f64>(at) + <f64>load<f32>(block + ((<usize>i) << 2)))
      }
    }
    if (tallies) {
      const tally = countsBuffer()
      for (let i = lo; i < hi; i++) {
        const at = tally + (<usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1))
        store<u8>(at, load<u8>(at) + 1)
      }
    }
    if (last >= to - 1) return
  }
}

function addBits(c: usize, base: i32, from: i32, to: i32, tallies: bool): void {
  const weight = <f64>weightOf(c)
  const slots = scoresBuffer()
  const bits = windowBits()
  const tally = countsBuffer()
  for (let word = from >> 6; word << 6 < to; word++) {
    let rest = wordOf(bitsOf(c), word, from, to)
    if (isSparse) {
      const at = bits + ((<usize>word & 63) << 3)
      store<u64>(at, load<u64>(at) | rest)
    }
    while (rest) {
      const slot = <usize>((word << 6) + <i32>ctz(rest) - base)
      rest &= rest - 1
      const at = slots + (slot << 3)
      store<f64>(at, load<f64>(at) + weight)
      if (tallies) store<u8>(tally + slot, load<u8>(tally + slot) + 1)
    }
  }
}

function orBits(c: usize, bits: usize, base: i32, from: i32, to: i32): void {
  for (let word = from >> 6; word << 6 < to; word++) {
    const at = bits + ((<usize>(word - (base >> 6))) << 3)
    store<u64>(at, load<u64>(at) | wordOf(bitsOf(c), word, from, to))
  }
}

/** The bits of 64 documents, those outside [from, to) left out. */
@inline function wordOf(bits: usize, word: i32, from: i32, to: i32): u64 {
  return load<u64>(bits + ((<usize>word) << 3)) & inRange(word, from, to)
}

@inline function inRange(word: i32, from: i32, to: i32): u64 {
  const first = word << 6
  let mask = ~(<u64>0)
  if (from > first) mask &= ~(<u64>0) << <u64>(from - first)
  if (to < first + 64) mask &= ~(<u64>0) >> <u64>(first + 64 - to)
  return mask
}

// ---- reading off --------------------------------------------------------------------------------

/** Takes what the window holds, where only what is above 0 can compete and nobody counts. */
function scanScores(base: i32, from: i32, to: i32, essential: i32): void {
  const slots = scoresBuffer()
  const rest = boundsUpTo(essential - 1) + constant()
  let found = 0
  for (let word = from >> 6; word << 6 < to; word++) {
    const at = slots + ((<usize>((word << 6) - base)) << 3)
    const limit = leastSum(threshold) - rest
    if (bestOf(at) >= limit) {
      let hot = slotsFrom(at, limit)
      if (accept) hot &= load<u64>(accept + ((<usize>word) << 3))
      found = takeAll(hot, hot, word, at, essential, found)
    }
    empty(at)
  }
  if (found) finish(found, essential)
}

/** Takes what the window holds, by the clauses that were counted for each slot. */
function scanTallied(base: i32, from: i32, to: i32, essential: i32, minimum: i32): void {
  const slots = scoresBuffer()
  const tally = countsBuffer()
  const least = i8x16.splat(<i8>minimum)
  const one = i8x16.splat(1)
  const zero = i64x2.splat(0)
  const rest = boundsUpTo(essential - 1) + constant()
  let found = 0
  for (let word = from >> 6; word << 6 < to; word++) {
    const at = slots + ((<usize>((word << 6) - base)) << 3)
    const counts = tally + <usize>((word << 6) - base)
    let held: u64 = 0
    let touched: u64 = 0
    for (let i: usize = 0; i < 64; i += 16) {
      const sixteen = v128.load(counts + i)
      held |= (<u64>i8x16.bitmask(i8x16.ge_u(sixteen, one))) << <u64>i
      touched |= (<u64>i8x16.bitmask(i8x16.ge_u(sixteen, least))) << <u64>i
      v128.store(counts + i, zero)
    }
    if (minimum == 0) touched = inRange(word, from, to)
    if (accept) touched &= load<u64>(accept + ((<usize>word) << 3))
    if (isCounting && !(minScore > 0)) count(<i32>popcnt<u64>(touched))
    const limit = leastSum(isCounting && minScore > 0 ? minScore : threshold) - rest
    if (touched && (limit <= 0 || bestOf(at) >= limit))
      found = takeAll(touched & slotsFrom(at, limit), held, word, at, essential, found)
    if (held) empty(at)
  }
  if (found) finish(found, essential)
}

/** Empties 64 slots; a fill of so few bytes would cost more for its call than for its work. */
@inline function empty(at: usize): void {
  const zero = i64x2.splat(0)
  for (let i: usize = 0; i < 512; i += 64) {
    v128.store(at + i, zero)
    v128.store(at + i, zero, 16)
    v128.store(at + i, zero, 32)
    v128.store(at + i, zero, 48)
  }
}

/** Which of 64 sums are at least `limit`. */
function slotsFrom(at: usize, limit: f64): u64 {
  const enough = f64x2.splat(limit)
  let hot: u64 = 0
  for (let i: usize = 0; i < 512; i += 64) {
    const above =
      i64x2.bitmask(f64x2.ge(v128.load(at + i), enough)) |
      (i64x2.bitmask(f64x2.ge(v128.load(at + i, 16), enough)) << 2) |
      (i64x2.bitmask(f64x2.ge(v128.load(at + i, 32), enough)) << 4) |
      (i64x2.bitmask(f64x2.ge(v128.load(at + i, 48), enough)) << 6)
    hot |= (<u64>above) << (<u64>i >> 3)
  }
  return hot
}

function takeAll(hot: u64, held: u64, word: i32, at: usize, essential: i32, given: i32): i32 {
  let found = given
  for (; hot; hot &= hot - 1) {
    const bit = ctz(hot)
    const sum = load<f64>(at + (<usize>bit << 3))
    found = take((word << 6) + <i32>bit, sum, ((held >> bit) & 1) != 0, essential, found)
  }
  return found
}

/** The largest of 64 sums. */
@inline function bestOf(at: usize): f64 {
  let a = v128.load(at)
  let b = v128.load(at, 16)
  for (let i: usize = 32; i < 512; i += 32) {
    a = f64x2.pmax(a, v128.load(at + i))
    b = f64x2.pmax(b, v128.load(at + i, 16))
  }
  a = f64x2.pmax(a, b)
  return max(f64x2.extract_lane(a, 0), f64x2.extract_lane(a, 1))
}

/** Every document that is admitted scores the same. */
function scanAccepted(from: i32, to: i32): void {
  const score = <f32>constant()
  const counts = isCounting && score >= minScore
  if (!counts && score < threshold) {
    countSkippedRun()
    return
  }
  for (let word = from >> 6; word << 6 < to; word++) {
    let bits = inRange(word, from, to)
    if (accept) bits &= load<u64>(accept + ((<usize>word) << 3))
    if (counts) count(<i32>popcnt<u64>(bits))
    for (; bits && score >= threshold; bits &= bits - 1) keep((word << 6) + <i32>ctz(bits), score)
  }
}

function scanSparse(base: i32, from: i32, to: i32, essential: i32): void {
  const slots = scoresBuffer()
  const bits = windowBits()
  const rest = boundsUpTo(essential - 1)
  let found = 0
  for (let word = from >> 6; word << 6 < to; word++) {
    const place = bits + ((<usize>word & 63) << 3)
    let held = load<u64>(place)
    if (!held) continue
    store<u64>(place, 0)
    const allowed = accept ? load<u64>(accept + ((<usize>word) << 3)) : ~(<u64>0)
    if (isCounting && !(minScore > 0)) count(<i32>popcnt<u64>(held & allowed))
    while (held) {
      const bit = ctz(held)
      held &= held - 1
      const doc = (word << 6) + <i32>bit
      const at = slots + ((<usize>(doc - base)) << 3)
      const sum = load<f64>(at)
      store<f64>(at, 0)
      if (!((allowed >> bit) & 1)) continue
      const least = leastSum(isCounting && minScore > 0 ? minScore : threshold)
      if (sum + rest + constant() >= least) found = take(doc, sum, true, essential, found)
    }
  }
  if (found) finish(found, essential)
}

/** Keeps a document, or sets it down where clauses are still to be asked about it. */
@inline function take(doc: i32, sum: f64, has: bool, essential: i32, found: i32): i32 {
  if (essential > 0) {
    store<i32>(candidates() + ((<usize>found) << 2), doc)
    store<f64>(sums() + ((<usize>found) << 3), sum)
    return found + 1
  }
  const score = finalScore(constant(), has ? sum : 0, has)
  if (isCounting && minScore > 0) collect(doc, score)
  else if (score >= threshold) keep(doc, score)
  return found
}

/**
 * The sole essential clause's documents that may reach the threshold with what the others add: for
 * each of its blocks anew, since bounds of a block's stretch are tighter than those of the window.
 */
function proposeOne(c: usize, from: i32, to: i32, essential: i32): void {
  const all = candidates()
  const scores = sums()
  let found = 0
  let others = boundsUpTo(essential - 1) + constant()
  if (bitsOf(c)) {
    for (let word = from >> 6; word << 6 < to; word++) {
      let bits = wordOf(bitsOf(c), word, from, to)
      if (accept) bits &= load<u64>(accept + ((<usize>word) << 3))
      while (bits) {
        store<i32>(all + ((<usize>found) << 2), (word << 6) + <i32>ctz(bits))
        store<f64>(scores + ((<usize>found) << 3), <f64>weightOf(c))
        found++
        bits &= bits - 1
      }
    }
    finish(found, essential)
    return
  }
  const docs = docsOf(c)
  const block = blockScores()
  const blocks = blockCount(c)
  for (let b = seek(c, from); b < blocks; b++) {
    const last = lastDoc(c, b)
    const own = blockBound(c, b)
    const first = max(from, b == 0 ? 0 : lastDoc(c, b - 1) + 1)
    if (first >= to) break
    // What bounds narrowed down for the block before says nothing of this one.
    if (essential > 0) others = narrow(first, min(last, to - 1), essential) + constant()
    if ((own + others) * SLACK < <f64>threshold) {
      countSkippedBlock()
      if (last >= to - 1) break
      continue
    }
    decode(c, b)
    if (load<i32>(docs) >= to) break
    const lo = load<i32>(docs) < from ? slotOf(docs, from) : 0
    const hi = last < to ? countOf(c) : slotOf(docs, to)
    scoreSlots(c, lo, hi, block)
    const enough = f32x4.splat(leastScore(others))
    for (let i = lo & ~3; i < hi; i += 4) {
      let mask = i32x4.bitmask(f32x4.ge(v128.load(block + ((<usize>i) << 2)), enough))
      while (mask) {
        const slot = i + <i32>ctz(mask)
        mask &= mask - 1
        if (slot < lo || slot >= hi) continue
        const doc = load<i32>(docs + ((<usize>slot) << 2))
        if (!isAccepted(doc)) continue
        store<i32>(all + ((<usize>found) << 2), doc)
        store<f64>(scores + ((<usize>found) << 3), <f64>load<f32>(block + ((<usize>slot) << 2)))
        found++
      }
    }
    if (found) finish(found, essential)
    found = 0
    if (last >= to - 1) break
  }
}

/** Sums the bounds of the clauses that are not essential over [first, last]; returns the whole. */
function narrow(first: i32, last: i32, essential: i32): f64 {
  const prefix = prefixBuffer()
  let sum: f64 = 0
  for (let place = 0; place < essential; place++) {
    const c = inOrder(place)
    const bound = windowBound(c)
    sum += bitsOf(c) ? bound : min(bound, rangeBound(c, seek(c, first), last))
    store<f64>(prefix + ((<usize>place) << 3), sum)
  }
  return sum
}

/** What a score must reach when others add `rest` at most; rounded down. */
@inline function leastScore(rest: f64): f32 {
  const least = leastSum(threshold) - rest
  return least <= 0 ? 0 : <f32>(least * (1.0 - 1.0 / 4194304.0))
}

/**
 * Asks the clauses that are not essential about the candidates, the one of the highest bound first.
 * By runs of candidates that share a block, in loops without a branch that data decides: which of
 * them match is as good as random.
 */
function finish(given: i32, essential: i32): void {
  countCandidates(given)
  const all = candidates()
  const scores = sums()
  let found = given
  for (let place = essential - 1; place >= 0 && found > 0; place--) {
    const c = inOrder(place)
    const below = boundsUpTo(place - 1) + constant()
    if (bitsOf(c)) addFromBits(c, found)
    else {
      const blocks = blockCount(c)
      for (let from = 0; from < found; ) {
        const b = seek(c, load<i32>(all + ((<usize>from) << 2)))
        if (b >= blocks) break
        const to = behind(all, from, min(found, from + 128), lastDoc(c, b))
        if (mayReach(from, to, blockBound(c, b) + below)) addFromBlock(c, b, from, to)
        from = to
      }
    }
    found = keepReaching(found, below)
  }
  for (let i = 0; i < found; i++) {
    const score = finalScore(constant(), load<f64>(scores + ((<usize>i) << 3)), true)
    if (score >= threshold) keep(load<i32>(all + ((<usize>i) << 2)), score)
  }
}

/** Whether any candidate in [from, to) reaches the threshold with `rest` more. */
function mayReach(from: i32, to: i32, rest: f64): bool {
  const scores = sums()
  let most: f64 = 0
  for (let i = from; i < to; i++) most = max(most, load<f64>(scores + ((<usize>i) << 3)))
  return (most + rest) * SLACK >= <f64>threshold
}

/** Leaves out the candidates that do not reach the threshold with `rest` more. */
function keepReaching(found: i32, rest: f64): i32 {
  const all = candidates()
  const scores = sums()
  let left = 0
  for (let i = 0; i < found; i++) {
    const sum = load<f64>(scores + ((<usize>i) << 3))
    store<i32>(all + ((<usize>left) << 2), load<i32>(all + ((<usize>i) << 2)))
    store<f64>(scores + ((<usize>left) << 3), sum)
    left += <i32>((sum + rest) * SLACK >= <f64>threshold)
  }
  return left
}

function addFromBits(c: usize, found: i32): void {
  const all = candidates()
  const scores = sums()
  const bits = bitsOf(c)
  const weight = <f64>weightOf(c)
  for (let i = 0; i < found; i++) {
    const doc = load<u32>(all + ((<usize>i) << 2))
    const at = scores + ((<usize>i) << 3)
    const bit = (<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1
    store<f64>(at, load<f64>(at) + weight * <f64>bit)
  }
}

/** Adds a block's scores to the candidates in [from, to) that it holds; at most 128. */
function addFromBlock(c: usize, block: i32, from: i32, to: i32): void {
  const all = candidates()
  const places = leadDocs()
  const slots = leadSlots()
  decode(c, block)
  const docs = docsOf(c)
  let matching: usize = 0
  for (let i = from; i < to; i++) {
    const doc = load<i32>(all + ((<usize>i) << 2))
    const slot = slotOf(docs, doc)
    store<i32>(places + matching, i)
    store<i32>(slots + matching, slot)
    matching += (<usize>(load<i32>(docs + ((<usize>slot) << 2)) == doc)) << 2
  }
  if (!matching) return
  const out = blockScores()
  scoreList(c, slots, <i32>(matching >> 2), out)
  for (let i: usize = 0; i < matching; i += 4) {
    const at = sums() + ((<usize>load<i32>(places + i)) << 3)
    store<f64>(at, load<f64>(at) + <f64>load<f32>(out + i))
  }
}
