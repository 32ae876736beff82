/**
 * All of several terms, the rarest in front. Its blocks that cannot compete are passed over; of the
 * others those documents are asked about that could compete by what they score in it, term after term
 * by runs that share a block. Frequencies are decoded where all agree, and positions, for a phrase,
 * where the least of the frequencies could compete.
 *
 * The clauses that need not match are asked last, about what is left (`optional-clauses.ts`).
 */
import {
  addScores,
  blockBound,
  blockCount,
  blockOf,
  blocksThrough,
  boundOfImpact,
  countOf,
  decode,
  decodeFreqsAt,
  docsOf,
  freqAt,
  freqsAt,
  hasImpacts,
  impactOf,
  inversesOf,
  isConstant,
  lastDoc,
  maxImpact,
  placesOf,
  rangeBound,
  rewind,
  scoreOf,
  scoreSlots,
  seek,
  setWindowBound,
  sharesNorms,
  SLACK,
  slotOf,
  startPositions,
  weightOf,
  windowBound,
} from './cursor'
import { countCandidates, countSkippedBlocks, countSkippedRun, countWindow } from './counters'
import { behind } from './intersect'
import { findMembers } from './membership'
import { collectAll } from './optional-batch'
import {
  askOptional,
  beginOptional,
  collectBoth,
  optionalMatching,
  optionalRunBound,
  optionals,
  optionalScore,
} from './optional-clauses'
import { exactFrequency, mostSloppy, mostSloppyImpact, sloppyFrequency } from './phrase'
import {
  accept,
  blockScores,
  candidates,
  close,
  collect,
  constant,
  count,
  cursor,
  finalScore,
  isAccepted,
  isCounting,
  isDisMax,
  isExhaustive,
  isPhrase,
  leadDocs,
  leadSlots,
  leastSum,
  look,
  matches,
  maxDoc,
  minDoc,
  narrowed,
  needsScores,
  note,
  notesMatches,
  open,
  optionalCount,
  phraseWeight,
  requiredCount,
  slop,
  sums,
  threshold,
} from './plan'

/** Blocks of the rarest term between two looks at what others found. */
const BLOCKS_PER_LOOK: i32 = 32

/** Documents over which a block spreads whose first one is worth a look. */
const SPARSE: i32 = 2048

let terms: i32 = 0
/** Which term leads: the one with the fewest blocks where all have documents. */
let leading: i32 = 0
let isSloppy: bool = false
/** Documents [start, end) in which all terms have some. */
let start: i32 = 0
let end: i32 = 0
/** Of the lead's block at hand: what all but the lead's own score adds at most. */
let othersBound: f64 = 0
/** A term has no documents behind those that were asked about. */
let isOver: bool = false
/** Scores or positions are asked for. */
let needsPlaces: bool = false

export function searchConjunction(at: usize): void {
  open(at)
  terms = requiredCount()
  isSloppy = slop() > 0
  isOver = false
  needsPlaces = isPhrase() || needsScores() || optionalCount() > 0
  for (let i = 0; i < terms; i++) rewind(cursor(i))
  beginOptional(terms)
  makePatterns()
  if (delimit()) searchBlocks()
  close()
}

/** The terms with the leading one in front. */
@inline function termAt(i: i32): usize {
  return cursor(i == 0 ? leading : i == leading ? 0 : i)
}

/** Finds where all terms have documents, and who leads; false where they have none in common. */
function delimit(): bool {
  leading = 0
  start = minDoc
  end = maxDoc
  if (terms == 1) return start < end
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const blocks = blockCount(c)
    const b = seek(c, start)
    if (b >= blocks) return false
    // Where a term is frequent, its next document is near.
    if (lastDoc(c, b) - start > SPARSE) {
      decode(c, b)
      start = max(start, load<i32>(docsOf(c) + ((<usize>slotOf(docsOf(c), start)) << 2)))
    }
    end = min(end, lastDoc(c, blocks - 1) + 1)
  }
  if (start >= end) return false
  let fewest = i32.MAX_VALUE
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    if (seek(c, start) >= blockCount(c)) return false
    const blocks = blocksThrough(c, end - 1)
    if (blocks >= fewest) continue
    fewest = blocks
    leading = i
  }
  return true
}

function searchBlocks(): void {
  const lead = termAt(0)
  const blocks = blockCount(lead)
  let untilLook = 0
  for (let b = seek(lead, start); b < blocks && !isOver; b++) {
    const first = max(start, b == 0 ? 0 : lastDoc(lead, b - 1) + 1)
    if (first >= end) break
    countWindow()
    if (--untilLook < 0) {
      if (look()) break
      untilLook = BLOCKS_PER_LOOK
    }
    if (prunes()) {
      const bound = runBound(b, first, min(lastDoc(lead, b), end - 1))
      // A term without documents from here on: so are all together.
      if (bound < 0) break
      if (bound * SLACK < <f64>threshold) {
        countSkippedRun()
        continue
      }
    }
    searchBlock(b)
  }
}

@inline function prunes(): bool {
  return !isCounting && threshold > 0 && !isExhaustive()
}

/** No match in [first, last], which the lead's block holds, scores above; −1: there is no more. */
function runBound(block: i32, first: i32, last: i32): f64 {
  const lead = termAt(0)
  for (let i = 1; i < terms; i++) {
    const c = termAt(i)
    if (seek(c, first) >= blockCount(c)) return -1
  }
  othersBound = constant() + optionalRunBound(first, last)
  if (isPhrase()) {
    if (!hasImpacts(lead)) return othersBound + <f64>phraseWeight()
    let least = impactOf(lead, block)
    let all = <f64>least
    for (let i = 1; i < terms; i++) {
      const own = maxImpact(termAt(i), blockOf(termAt(i)), last)
      if (own >= 0) least = min(least, own)
      all += own >= 0 ? <f64>own : Infinity
    }
    return othersBound + phraseBound(all, least)
  }
  for (let i = 1; i < terms; i++) {
    const c = termAt(i)
    const bound = rangeBound(c, blockOf(c), last)
    setWindowBound(c, bound)
    othersBound += bound
  }
  return othersBound + blockBound(lead, block)
}

/** No phrase scores above whose terms' impacts have this sum, and this one for the least. */
function phraseBound(sum: f64, least: f32): f64 {
  const impact = isSloppy ? mostSloppyImpact(terms, sum, least) : least
  return boundOfImpact(termAt(0), phraseWeight(), impact)
}

/** Searches a block of the lead. */
function searchBlock(block: i32): void {
  const lead = termAt(0)
  decode(lead, block)
  const all = docsOf(lead)
  const from = load<i32>(all) < start ? slotOf(all, start) : 0
  const to = lastDoc(lead, block) < end ? countOf(lead) : slotOf(all, end)
  let found = prunes() ? takePromising(from, to) : -1
  let term = 1
  if (found < 0) {
    if (accept || terms == 1) found = takeAccepted(from, to)
    else {
      found = narrowBy(1, all, from, to, block)
      term = 2
    }
  }
  for (; term < terms && found > 0; term++) found = narrowBy(term, matches(), 0, found, block)
  if (found > 0) finish(found, block)
}

/** Takes the lead's slots in [from, to) whose documents may match. */
function takeAccepted(from: i32, to: i32): i32 {
  const lead = termAt(0)
  const all = docsOf(lead)
  const docs = matches()
  const places = placesOf(lead)
  let kept: usize = 0
  if (!accept) {
    for (let i = from; i < to; i++) {
      store<i32>(docs + kept, load<i32>(all + ((<usize>i) << 2)))
      store<i32>(places + kept, i)
      kept += 4
    }
    return to - from
  }
  for (let i = from; i < to; i++) {
    const doc = load<i32>(all + ((<usize>i) << 2))
    store<i32>(docs + kept, doc)
    store<i32>(places + kept, i)
    kept += (<usize>isAccepted(doc)) << 2
  }
  return <i32>(kept >> 2)
}

/**
 * For each set of four lanes the bytes that bring them to the front: sixteen vectors. They lie behind
 * what is noted about matches in the windows' buffer for candidates.
 */
@inline function patternsOfFour(): usize {
  return candidates() + 8192
}

function makePatterns(): void {
  const out = patternsOfFour()
  for (let set: u32 = 0; set < 16; set++) {
    let at = out + ((<usize>set) << 4)
    for (let lanes = set; lanes; lanes &= lanes - 1) {
      store<u32>(at, 0x03020100 + 0x04040404 * <u32>ctz(lanes))
      at += 4
    }
  }
}

/** Leaves those of the first matches that may match at all. */
function keepAccepted(end: usize): i32 {
  const docs = matches()
  const places = placesOf(termAt(0))
  let kept: usize = 0
  for (let i: usize = 0; i < end; i += 4) {
    const doc = load<i32>(docs + i)
    store<i32>(docs + kept, doc)
    store<i32>(places + kept, load<i32>(places + i))
    kept += (<usize>isAccepted(doc)) << 2
  }
  return <i32>(kept >> 2)
}

/** Takes those of them that may reach the threshold by their score in the lead; −1: take all. */
function takePromising(from: i32, to: i32): i32 {
  const lead = termAt(0)
  if (isSloppy || isConstant(lead)) return -1
  const least = leastSum(threshold) - othersBound
  if (least <= 0) return -1
  const all = docsOf(lead)
  const docs = matches()
  const places = placesOf(lead)
  const scores = blockScores()
  scoreSlots(lead, from, to, scores)
  const patterns = patternsOfFour()
  const enough = f32x4.splat(<f32>(least * (1.0 - 1.0 / 4194304.0)))
  let kept: usize = 0
  for (let i = from & ~3; i < to; i += 4) {
    let mask = i32x4.bitmask(f32x4.ge(v128.load(scores + ((<usize>i) << 2)), enough))
    if (i < from) mask &= 15 << (from - i)
    if (i + 4 > to) mask &= 15 >> (i + 4 - to)
    const slots = i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3))
    // Which of the four is as good as random.
    const order = v128.load(patterns + ((<usize>mask) << 4))
    v128.store(docs + kept, i8x16.swizzle(v128.load(all + ((<usize>i) << 2)), order))
    v128.store(places + kept, i8x16.swizzle(slots, order))
    kept += (<usize>popcnt(mask)) << 2
  }
  return accept ? keepAccepted(kept) : <i32>(kept >> 2)
}

/**
 * Leaves those of `docs[from, to)` that a term has too, in `matches`, and notes where it has them: block
 * number times 128 and slot. The documents are those of the lead's block itself, or matches.
 * @returns how many are left
 */
function narrowBy(term: i32, docs: usize, from: i32, to: i32, leadBlock: i32): i32 {
  const c = termAt(term)
  const blocks = blockCount(c)
  const out = matches()
  const isWhole = docs != out
  const kept = narrowed()
  const slots = leadSlots()
  const skips = prunes() && !isPhrase()
  let rest: f64 = 0
  if (skips) rest = othersBound - windowBound(c) + blockBound(termAt(0), leadBlock)
  let left: usize = 0
  while (from < to) {
    const b = seek(c, load<i32>(docs + ((<usize>from) << 2)))
    if (b >= blocks) {
      isOver = true
      break
    }
    const next = behind(docs, from, to, lastDoc(c, b))
    if (skips && (rest + blockBound(c, b)) * SLACK < <f64>threshold) countSkippedBlocks(1)
    else {
      // What does not rise, which no writer makes, must not leave the buffers.
      const both = min(next - from, findMembers(c, b, docs, from, next, kept, slots))
      const found = (<usize>both) << 2
      for (let i: usize = 0; i < found; i += 4)
        store<i32>(out + left + i, load<i32>(docs + ((<usize>load<i32>(kept + i)) << 2)))
      if (needsPlaces) {
        movePlaces(term, isWhole, kept, found, left)
        const places = placesOf(c) + left
        for (let i: usize = 0; i < found; i += 4)
          store<i32>(places + i, load<i32>(slots + i) | (b << 7))
      }
      left += found
    }
    from = next
  }
  return <i32>(left >> 2)
}

/** Moves the places of the terms before one to those of the matches that are left. */
function movePlaces(term: i32, isWhole: bool, kept: usize, found: usize, to: usize): void {
  const lead = placesOf(termAt(0)) + to
  if (isWhole) {
    for (let i: usize = 0; i < found; i += 4) store<i32>(lead + i, load<i32>(kept + i))
    return
  }
  for (let t = 0; t < term; t++) {
    const places = placesOf(termAt(t))
    for (let i: usize = 0; i < found; i += 4)
      store<i32>(places + to + i, load<i32>(places + ((<usize>load<i32>(kept + i)) << 2)))
  }
}

function finish(found: i32, leadBlock: i32): void {
  countCandidates(found)
  const docs = matches()
  const places = placesOf(termAt(0))
  const before = leadBlock << 7
  const ends = (<usize>found) << 2
  if (needsPlaces)
    for (let i: usize = 0; i < ends; i += 4) store<i32>(places + i, load<i32>(places + i) | before)
  if (isPhrase()) {
    for (let k = 0; k < found; k++) finishPhrase(load<i32>(docs + ((<usize>k) << 2)), k)
    return
  }
  if (notesMatches() && optionals == 0) {
    for (let k = 0; k < found; k++) note(load<i32>(docs + ((<usize>k) << 2)))
    return
  }
  if (!needsScores() && optionals == 0) {
    count(found)
    return
  }
  addUp(found)
  if (optionals > 0 && !isDisMax) {
    collectAll(found)
    return
  }
  const all = sums()
  for (let k = 0; k < found; k++) {
    const sum = load<f64>(all + ((<usize>k) << 3))
    const doc = load<i32>(docs + ((<usize>k) << 2))
    if (optionals > 0) collectBoth(doc, sum)
    else collect(doc, <f32>sum)
  }
}

/** Sums the required clauses' scores of the matches, clause after clause. */
function addUp(found: i32): void {
  const all = sums()
  const ends = (<usize>found) << 3
  const initial = f64x2.splat(constant())
  for (let i: usize = 0; i < ends; i += 16) v128.store(all + i, initial)
  let before: usize = 0
  for (let term = 0; term < terms; term++) {
    const c = termAt(term)
    if (isConstant(c)) {
      const weight = f64x2.splat(<f64>weightOf(c))
      if (weightOf(c) != 0)
        for (let i: usize = 0; i < ends; i += 16)
          v128.store(all + i, f64x2.add(v128.load(all + i), weight))
      continue
    }
    // Fields have their norms; the terms of one share them.
    if (!before || !sharesNorms(before, c)) inversesOf(c, matches(), found, leadDocs())
    before = c
    freqsAt(c, placesOf(c), found, leadSlots())
    addScores(c, leadSlots(), leadDocs(), found, all)
  }
}

// ---- phrases ------------------------------------------------------------------------------------

function finishPhrase(doc: i32, match: i32): void {
  const at = (<usize>match) << 2
  let least = i32.MAX_VALUE
  let sum = 0
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const place = load<u32>(placesOf(c) + at)
    decodeFreqsAt(c, place >> 7)
    const freq = freqAt(c, place & 127)
    least = min(least, freq)
    sum += freq
  }
  const most = isSloppy ? mostSloppy(terms, sum, least) : least
  // Positions cost more than a look at the other clauses.
  const asksFirst = optionals > 0 && prunes()
  if (asksFirst) {
    if (!askOptional(doc, phraseSum(<f32>most, doc))) return
  } else if (!isCounting && optionals == 0 && <f32>phraseSum(<f32>most, doc) < threshold) return
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const place = load<u32>(placesOf(c) + at)
    startPositions(c, place >> 7, place & 127)
  }
  const freq = isSloppy ? sloppyFrequency(terms) : <f32>exactFrequency(terms)
  if (!(freq > 0)) return
  const score = phraseSum(freq, doc)
  if (asksFirst) collect(doc, finalScore(score, optionalScore, optionalMatching > 0))
  else if (optionals > 0) collectBoth(doc, score)
  else collect(doc, <f32>score)
}

@inline function phraseSum(freq: f32, doc: i32): f64 {
  return constant() + <f64>scoreOf(cursor(0), phraseWeight(), freq, doc)
}
