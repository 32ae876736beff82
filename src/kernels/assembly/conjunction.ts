/**
 * All of several terms, the rarest in front. Its blocks that cannot compete are passed over; of the
 * others those documents are taken, stretch after stretch, for which no term's block changes, and
 * intersected with the terms' blocks one after another. Frequencies are decoded where all agree, and
 * positions, for a phrase, where the least of the frequencies could compete.
 *
 * The clauses that need not match are asked last, about what is left (`optional-clauses.ts`).
 */
import {
  blockBound,
  blockCount,
  blockOf,
  boundOfImpact,
  countOf,
  decode,
  docsOf,
  freqAt,
  hasImpacts,
  impactOf,
  isConstant,
  lastDoc,
  maxImpact,
  openPositions,
  placesOf,
  rangeBound,
  rewind,
  scoreList,
  scoreOf,
  seek,
  SLACK,
  slotOf,
  startPositions,
  weightOf,
} from './cursor'
import { countCandidates, countSkippedBlocks, countSkippedRun, countWindow } from './counters'
import { behind, intersect } from './intersect'
import {
  askOptional,
  beginOptional,
  collectBoth,
  optionalBound,
  optionalMatching,
  optionalRunBound,
  optionals,
  optionalScore,
} from './optional-clauses'
import { exactFrequency, mostSloppy, mostSloppyImpact, sloppyFrequency } from './phrase'
import {
  accept,
  blockScores,
  close,
  collect,
  constant,
  count,
  cursor,
  finalScore,
  isAccepted,
  isCounting,
  isExhaustive,
  isPhrase,
  leadDocs,
  leadSlots,
  look,
  matches,
  maxDoc,
  minDoc,
  narrowed,
  needsScores,
  note,
  notesMatches,
  open,
  phraseWeight,
  requiredCount,
  slop,
  sums,
  threshold,
} from './plan'

/** Blocks of the rarest term between two looks at what others found. */
const BLOCKS_PER_LOOK: i32 = 32

let terms: i32 = 0
let isSloppy: bool = false

export function searchConjunction(at: usize): void {
  open(at)
  terms = requiredCount()
  isSloppy = slop() > 0
  for (let i = 0; i < terms; i++) rewind(cursor(i))
  beginOptional(terms)
  const lead = cursor(0)
  const blocks = blockCount(lead)
  let untilLook = 0
  for (let b = seek(lead, minDoc); b < blocks; b++) {
    const first = max(minDoc, b == 0 ? 0 : lastDoc(lead, b - 1) + 1)
    if (first >= maxDoc) break
    countWindow()
    if (--untilLook < 0) {
      if (look()) break
      untilLook = BLOCKS_PER_LOOK
    }
    if (prunes()) {
      const bound = runBound(b, first, min(lastDoc(lead, b), maxDoc - 1))
      // A term without documents from here on: so are all together.
      if (bound < 0) break
      if (bound * SLACK < <f64>threshold) {
        countSkippedRun()
        continue
      }
    }
    if (!searchBlock(b)) break
  }
  close()
}

@inline function prunes(): bool {
  return !isCounting && threshold > 0 && !isExhaustive()
}

/** No match in [first, last], which the lead's block holds, scores above; −1: there is no more. */
function runBound(block: i32, first: i32, last: i32): f64 {
  const lead = cursor(0)
  for (let i = 1; i < terms; i++) {
    const c = cursor(i)
    if (seek(c, first) >= blockCount(c)) return -1
  }
  if (isPhrase()) {
    const added = constant() + optionalRunBound(first, last)
    if (!hasImpacts(lead)) return added + <f64>phraseWeight()
    let least = impactOf(lead, block)
    let all = <f64>least
    for (let i = 1; i < terms; i++) {
      const own = maxImpact(cursor(i), blockOf(cursor(i)), last)
      if (own >= 0) least = min(least, own)
      all += own >= 0 ? <f64>own : Infinity
    }
    return added + phraseBound(all, least)
  }
  let sum = constant() + blockBound(lead, block)
  for (let i = 1; i < terms; i++) sum += rangeBound(cursor(i), blockOf(cursor(i)), last)
  return sum + optionalRunBound(first, last)
}

/** The same for the blocks at which all terms stand. */
function blocksBound(leadBlock: i32): f64 {
  const lead = cursor(0)
  if (isPhrase()) {
    const added = constant() + optionalBound
    if (!hasImpacts(lead)) return added + <f64>phraseWeight()
    let least = impactOf(lead, leadBlock)
    let all = <f64>least
    for (let i = 1; i < terms; i++) {
      const own = impactOf(cursor(i), blockOf(cursor(i)))
      least = min(least, own)
      all += <f64>own
    }
    return added + phraseBound(all, least)
  }
  let sum = constant() + optionalBound + blockBound(lead, leadBlock)
  for (let i = 1; i < terms; i++) sum += blockBound(cursor(i), blockOf(cursor(i)))
  return sum
}

/** No phrase scores above whose terms' impacts have this sum, and this one for the least. */
function phraseBound(sum: f64, least: f32): f64 {
  const impact = isSloppy ? mostSloppyImpact(terms, sum, least) : least
  return boundOfImpact(cursor(0), phraseWeight(), impact)
}

/** Searches a block of the lead; false when no further one can match. */
function searchBlock(block: i32): bool {
  const lead = cursor(0)
  decode(lead, block)
  const all = docsOf(lead)
  let from = load<i32>(all) < minDoc ? slotOf(all, minDoc) : 0
  let to = lastDoc(lead, block) < maxDoc ? countOf(lead) : slotOf(all, maxDoc)
  let docs = all
  let slots: usize = 0
  if (accept) {
    docs = leadDocs()
    slots = leadSlots()
    let kept: usize = 0
    for (let i = from; i < to; i++) {
      const doc = load<i32>(all + ((<usize>i) << 2))
      store<i32>(docs + kept, doc)
      store<i32>(slots + kept, i)
      kept += (<usize>isAccepted(doc)) << 2
    }
    from = 0
    to = <i32>(kept >> 2)
  }
  while (from < to) {
    const doc = load<i32>(docs + ((<usize>from) << 2))
    const last = load<i32>(docs + ((<usize>(to - 1)) << 2))
    let end = last
    for (let i = 1; i < terms; i++) {
      const c = cursor(i)
      const b = seek(c, doc)
      if (b >= blockCount(c)) return false
      end = min(end, lastDoc(c, b))
    }
    const next = end == last ? to : behind(docs, from, to, end)
    if (prunes() && terms > 1 && blocksBound(block) * SLACK < <f64>threshold) countSkippedBlocks(1)
    else {
      const found = join(docs, slots, from, next)
      if (found > 0) finish(found)
    }
    from = next
  }
  return true
}

/**
 * Intersects docs[from, to) with the other terms' blocks: the matches go to `matches`, and for each
 * of them every term's slot to `placesOf` the term.
 */
function join(docs: usize, slots: usize, from: i32, to: i32): i32 {
  const out = matches()
  const places = placesOf(cursor(0))
  let found = to - from
  if (terms == 1) {
    for (let i = 0; i < found; i++) {
      const at = (<usize>(from + i)) << 2
      store<i32>(out + ((<usize>i) << 2), load<i32>(docs + at))
      store<i32>(places + ((<usize>i) << 2), slots ? load<i32>(slots + at) : from + i)
    }
    return found
  }
  const second = cursor(1)
  decode(second, blockOf(second))
  found = intersect(docs, from, to, docsOf(second), countOf(second), places, placesOf(second))
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const at = (<usize>load<i32>(places + i)) << 2
    store<i32>(out + i, load<i32>(docs + at))
    if (slots) store<i32>(places + i, load<i32>(slots + at))
  }
  for (let term = 2; term < terms && found > 0; term++) {
    const c = cursor(term)
    decode(c, blockOf(c))
    const kept = narrowed()
    const left = intersect(out, 0, found, docsOf(c), countOf(c), kept, placesOf(c))
    if (left < found)
      for (let i: usize = 0; i < (<usize>left) << 2; i += 4) {
        const at = (<usize>load<i32>(kept + i)) << 2
        store<i32>(out + i, load<i32>(out + at))
        for (let t = 0; t < term; t++) store<i32>(placesOf(cursor(t)) + i, load<i32>(placesOf(cursor(t)) + at))
      }
    found = left
  }
  return found
}

function finish(found: i32): void {
  countCandidates(found)
  const docs = matches()
  if (isPhrase()) {
    for (let i = 0; i < terms; i++) openPositions(cursor(i))
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
  const out = blockScores()
  const start = f64x2.splat(constant())
  const end = (<usize>found) << 2
  for (let i: usize = 0; i < end; i += 8) v128.store(all + (i << 1), start)
  for (let term = 0; term < terms; term++) {
    const c = cursor(term)
    if (isConstant(c) && weightOf(c) == 0) continue
    scoreList(c, placesOf(c), found, out)
    for (let i: usize = 0; i < end; i += 8) {
      const at = all + (i << 1)
      v128.store(at, f64x2.add(v128.load(at), f64x2.promote_low_f32x4(v128.load64_zero(out + i))))
    }
  }
}

// ---- phrases ------------------------------------------------------------------------------------

function finishPhrase(doc: i32, match: i32): void {
  const at = (<usize>match) << 2
  let least = i32.MAX_VALUE
  let sum = 0
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const freq = freqAt(c, load<i32>(placesOf(c) + at))
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
    startPositions(c, load<i32>(placesOf(c) + at))
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
