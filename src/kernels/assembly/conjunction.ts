/**
 * Conjunction of terms, led by the one with the fewest blocks. Its non-competitive blocks are
 * skipped; in the others, documents with a competitive score in the lead are selected
 * (`lead-block.ts`), and the other terms are intersected with them one by one, by runs that share a
 * block (`narrowing.ts`). Frequencies are decoded for matches of all terms, and positions, for a
 * phrase, if the min of the frequencies is competitive (`phrase-matches.ts`).
 *
 * Optional clauses are evaluated last, on the remaining matches (`optional-batch.ts`, and one
 * document at a time `optional-clauses.ts`).
 */
import {
  blockCount,
  blockOf,
  countOf,
  docsOf,
  lastDoc,
  membersOf,
  ordsOf,
  setWindowBound,
  SLACK,
} from './cursor'
import { decode, seek, slotOf } from './cursor-blocks'
import { blockBound, boundOfImpact, hasImpacts, maxImpact, rangeBound } from './cursor-bounds'
import { countCommon, takeCommon } from './common'
import { countCandidates, countSkippedRun, countWindow } from './counters'
import { takeAccepted, takePromising } from './lead-block'
import { beginNarrowing, isOver, narrowBy, narrowBySet } from './narrowing'
import { collectAll } from './optional-batch'
import { beginOptional, collectBoth, optionalRunBound, optionals } from './optional-clauses'
import { maxSloppyImpact } from './phrase'
import { finishExact } from './phrase-batch'
import { finishPhrases } from './phrase-matches'
import {
  accept,
  close,
  collect,
  count,
  gathersMatches,
  isCounting,
  isDisMax,
  keep,
  look,
  minScore,
  needsScores,
  note,
  notesMatches,
  open,
  setCounting,
  threshold,
} from './plan'
import {
  constant,
  cursor,
  isExhaustive,
  isPhrase,
  matches,
  minimumShouldMatch,
  phraseWeight,
  requiredCount,
  slop,
  sums,
} from './plan-record'
import {
  addUp,
  beginTerms,
  end,
  hasAllSets,
  hasSets,
  prunes,
  start,
  termAt,
  terms,
} from './required-terms'
import { ordsIn } from './term-bit-set'

/** Blocks of the leading term between two exchanges with other slices. */
const BLOCKS_PER_LOOK: i32 = 32

/**
 * Thresholds of the order of evaluation: with at least MANY matches left by bit sets, scoring in
 * the lead first would have been faster; with more than the second number of promising scores, it
 * is not.
 */
const MANY: i32 = 24
const MAX_PROMISING: i32 = 48

/** Whether bit sets left many documents of the lead's last block. */
let areMany: bool = false
/** In the lead's current block: max score beside the lead's. */
let othersBound: f64 = 0
/** Whether matches are counted before they are scored; and whether all were counted by bit sets. */
let countsApart: bool = false
let isCounted: bool = false

/** Runs a plan whose clauses are required. */
export function searchConjunction(at: usize): void {
  open(at)
  beginNarrowing()
  beginOptional(requiredCount())
  if (beginTerms()) searchTerms()
  close()
}

function searchTerms(): void {
  // Every accepted document of all terms is a match, whatever its score and its optional clauses.
  const countsAll =
    !isPhrase() && !gathersMatches() && !(minScore > 0) && (optionals == 0 || minimumShouldMatch() == 0)
  countsApart = countsAll && optionals == 0
  isCounted = false
  areMany = false
  if (countsApart && hasAllSets && isCounting) {
    if (!countCommon() || !needsScores()) return
    isCounted = true
  }
  searchBlocks(countsAll)
}

/** @param countsAll whether non-competitive documents are matches too */
function searchBlocks(countsAll: bool): void {
  const lead = termAt(0)
  const blocks = blockCount(lead)
  let untilLook = 0
  if (isCounted) setCounting(false)
  for (let b = seek(lead, start); b < blocks && !isOver; b++) {
    const first = max(start, b == 0 ? 0 : lastDoc(lead, b - 1) + 1)
    if (first >= end) break
    countWindow()
    if (--untilLook < 0) {
      if (look()) break
      if (isCounted) setCounting(false)
      untilLook = BLOCKS_PER_LOOK
    }
    const last = min(lastDoc(lead, b), end - 1)
    let competes = true
    if (threshold > 0 && !isExhaustive() && (!isCounting || countsAll)) {
      const bound = runBound(b, first, last)
      // A term without documents from here on: no more matches.
      if (bound < 0) break
      competes = !(bound * SLACK < <f64>threshold)
      if (!competes && !isCounting) {
        countSkippedRun()
        continue
      }
    }
    searchBlock(b, first, last, competes)
  }
}

/**
 * Upper bound of the scores in [first, last], a range within one lead block; −1: no more matches.
 */
function runBound(block: i32, first: i32, last: i32): f64 {
  const lead = termAt(0)
  for (let i = 0; i < terms; i++) {
    const c = termAt(i)
    if (seek(c, first) >= blockCount(c)) return -1
  }
  othersBound = constant() + optionalRunBound(first, last)
  if (isPhrase()) return othersBound + phraseBound(last)
  for (let i = 1; i < terms; i++) {
    const c = termAt(i)
    const bound = rangeBound(c, blockOf(c), last)
    setWindowBound(c, bound)
    othersBound += bound
  }
  return othersBound + blockBound(lead, block)
}

/**
 * Upper bound of the phrase's scores up to `last`. A phrase occurs no more often than its leading
 * term; that term's frequency may exceed the others', as it may repeat a position.
 */
function phraseBound(last: i32): f64 {
  const rarest = cursor(0)
  if (!hasImpacts(rarest)) return <f64>phraseWeight()
  let minImpact = impactUpTo(rarest, last)
  if (slop() > 0) {
    let sum = <f64>minImpact
    for (let i = 1; i < terms; i++) {
      const own = impactUpTo(cursor(i), last)
      minImpact = min(minImpact, own)
      sum += <f64>own
    }
    minImpact = maxSloppyImpact(terms, sum, minImpact)
  }
  return boundOfImpact(rarest, phraseWeight(), minImpact)
}

/** The max impact from the block found by the last `seek` on. */
function impactUpTo(c: usize, last: i32): f32 {
  const impact = maxImpact(c, blockOf(c), last)
  return impact < 0 ? Infinity : impact
}

/**
 * Searches a block of the lead, which has the documents [first, last].
 * @param competes false: its matches are only counted
 */
function searchBlock(block: i32, first: i32, last: i32, competes: bool): void {
  const scoresFirst = prunes() && (!hasSets || areMany)
  const isCommon = hasAllSets && !scoresFirst
  const found = isCommon ? takeCommon(first, last + 1) : narrowDown(block, scoresFirst)
  if (!scoresFirst) areMany = found > MANY
  if (found > 0) finish(found, isCommon ? -1 : block, competes)
}

/**
 * Intersects the terms within a block of the lead.
 * @param scoresFirst whether documents are first selected by their scores in the lead
 */
function narrowDown(block: i32, scoresFirst: bool): i32 {
  const lead = termAt(0)
  decode(lead, block)
  const all = docsOf(lead)
  const from = load<i32>(all) < start ? slotOf(all, start) : 0
  const to = lastDoc(lead, block) < end ? countOf(lead) : slotOf(all, end)
  let found = scoresFirst ? takePromising(from, to, othersBound) : -1
  if (found > MAX_PROMISING) areMany = false
  if (found < 0 && (accept || terms == 1)) found = takeAccepted(from, to)
  for (let term = 1; hasSets && term < terms && found != 0; term++) {
    const c = termAt(term)
    if (!membersOf(c)) continue
    found = found < 0 ? narrowBySet(c, all, from, to) : narrowBySet(c, matches(), 0, found)
  }
  for (let term = 1; term < terms && found != 0; term++) {
    if (membersOf(termAt(term))) continue
    found =
      found < 0
        ? narrowBy(term, all, from, to, block, othersBound)
        : narrowBy(term, matches(), 0, found, block, othersBound)
  }
  return found
}

/** @param leadBlock the lead's block that the slots belong to; −1: the lead's ords are unknown */
function finish(given: i32, leadBlock: i32, competes: bool): void {
  countCandidates(given)
  if (isPhrase()) {
    fillOrds(given, leadBlock)
    if (slop() == 0 && optionals == 0) finishExact(given)
    else finishPhrases(given)
    return
  }
  const docs = matches()
  if (notesMatches() && optionals == 0) {
    for (let k = 0; k < given; k++) note(load<i32>(docs + ((<usize>k) << 2)))
    return
  }
  if (!needsScores() && optionals == 0) {
    count(given)
    return
  }
  if (countsApart && !isCounted) count(given)
  // Optional clauses count the matches that they are evaluated on.
  if (!competes && optionals == 0) return
  fillOrds(given, leadBlock)
  const drops = threshold > 0 && !isExhaustive() && (countsApart || !isCounting)
  const found = addUp(given, leadBlock >= 0, drops ? othersBound : Infinity)
  if (optionals > 0 && !isDisMax) {
    collectAll(found)
    return
  }
  const all = sums()
  for (let k = 0; k < found; k++) {
    const sum = load<f64>(all + ((<usize>k) << 3))
    const doc = load<i32>(docs + ((<usize>k) << 2))
    if (optionals > 0) collectBoth(doc, sum)
    else if (!countsApart) collect(doc, <f32>sum)
    else if (<f32>sum >= threshold) keep(doc, <f32>sum)
  }
}

/**
 * Writes the posting ords of the matches to each term's `ordsOf`; terms without bit sets have
 * them.
 */
function fillOrds(found: i32, leadBlock: i32): void {
  const ords = ordsOf(termAt(0))
  if (leadBlock >= 0)
    for (let i: usize = 0; i < (<usize>found) << 2; i += 4)
      store<i32>(ords + i, load<i32>(ords + i) | (leadBlock << 7))
  if (!isPhrase()) return
  for (let term = leadBlock >= 0 ? 1 : 0; term < terms; term++) {
    const c = termAt(term)
    if (membersOf(c)) ordsIn(c, matches(), found, ordsOf(c))
  }
}
