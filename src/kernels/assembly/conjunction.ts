/**
 * All of several terms, led by the one with the fewest blocks. Its blocks that cannot compete are passed
 * over; of the others those documents are asked about that could compete by what they score in it
 * (`lead-block.ts`), term after term by runs that share a block (`narrowing.ts`). Frequencies are decoded
 * where all agree, and positions, for a phrase, where the least of the frequencies could compete
 * (`phrase-matches.ts`).
 *
 * The clauses that need not match are asked last, about what is left (`optional-batch.ts`, and one
 * document at a time `optional-clauses.ts`).
 */
import {
  blockCount,
  blockOf,
  countOf,
  docsOf,
  lastDoc,
  membersOf,
  placesOf,
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
import { mostSloppyImpact } from './phrase'
import { finishExact } from './phrase-batch'
import { finishPhrases } from './phrase-matches'
import {
  accept,
  close,
  collect,
  constant,
  count,
  cursor,
  gathersMatches,
  isCounting,
  isDisMax,
  isExhaustive,
  isPhrase,
  keep,
  look,
  matches,
  minimumShouldMatch,
  minScore,
  needsScores,
  note,
  notesMatches,
  open,
  phraseWeight,
  requiredCount,
  setCounting,
  slop,
  sums,
  threshold,
} from './plan'
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
import { placesIn } from './term-set'

/** Blocks of the leading term between two looks at what others found. */
const BLOCKS_PER_LOOK: i32 = 32

/**
 * Sets leave so many documents of a block that it would have been faster to ask first what they score in
 * the lead; and scores so many that it would not.
 */
const MANY: i32 = 24
const MOST_PROMISING: i32 = 48

/** Sets have left many documents of the lead's last block that they were asked about. */
let areMany: bool = false
/** Of the lead's block at hand: what all but the lead's own score adds at most. */
let othersBound: f64 = 0
/** Matches are counted before it is asked what they score; and all have been, by bits. */
let countsApart: bool = false
let isCounted: bool = false

/** Searches the plan’s documents for those of all required clauses. */
export function searchConjunction(at: usize): void {
  open(at)
  beginNarrowing()
  beginOptional(requiredCount())
  if (beginTerms()) searchTerms()
  close()
}

function searchTerms(): void {
  // Whatever it scores, and whatever its optional clauses say, each is a match.
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

/** @param countsAll whether what cannot compete is a match all the same */
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
      // A term without documents from here on: so are all together.
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

/** No match in [first, last], which the lead's block holds, scores above; −1: there is no more. */
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
 * No phrase up to `last` scores above. It occurs no more often than its rarest term, which proposes the
 * places, but that one may stand at one place twice: so it may more often than the others.
 */
function phraseBound(last: i32): f64 {
  const rarest = cursor(0)
  if (!hasImpacts(rarest)) return <f64>phraseWeight()
  let least = impactUpTo(rarest, last)
  if (slop() > 0) {
    let sum = <f64>least
    for (let i = 1; i < terms; i++) {
      const own = impactUpTo(cursor(i), last)
      least = min(least, own)
      sum += <f64>own
    }
    least = mostSloppyImpact(terms, sum, least)
  }
  return boundOfImpact(rarest, phraseWeight(), least)
}

/** The largest impact from the block that was sought last. */
function impactUpTo(c: usize, last: i32): f32 {
  const impact = maxImpact(c, blockOf(c), last)
  return impact < 0 ? Infinity : impact
}

/**
 * Searches a block of the lead, which has the documents [first, last].
 * @param competes false: its matches are counted, none can be a hit
 */
function searchBlock(block: i32, first: i32, last: i32, competes: bool): void {
  const scoresFirst = prunes() && (!hasSets || areMany)
  const isCommon = hasAllSets && !scoresFirst
  const found = isCommon ? takeCommon(first, last + 1) : narrowDown(block, scoresFirst)
  if (!scoresFirst) areMany = found > MANY
  if (found > 0) finish(found, isCommon ? -1 : block, competes)
}

/**
 * Takes what the terms have in common of a block of the lead.
 * @param scoresFirst whether the lead's scores say which documents the others are asked about
 */
function narrowDown(block: i32, scoresFirst: bool): i32 {
  const lead = termAt(0)
  decode(lead, block)
  const all = docsOf(lead)
  const from = load<i32>(all) < start ? slotOf(all, start) : 0
  const to = lastDoc(lead, block) < end ? countOf(lead) : slotOf(all, end)
  let found = scoresFirst ? takePromising(from, to, othersBound) : -1
  if (found > MOST_PROMISING) areMany = false
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

/** @param leadBlock the block of the lead that the slots are of; −1: the lead's places are not known */
function finish(given: i32, leadBlock: i32, competes: bool): void {
  countCandidates(given)
  if (isPhrase()) {
    fillPlaces(given, leadBlock)
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
  // Optional clauses count what they are asked about.
  if (!competes && optionals == 0) return
  fillPlaces(given, leadBlock)
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

/** Notes where the terms have the matches, in `placesOf` each: of those without sets it is known. */
function fillPlaces(found: i32, leadBlock: i32): void {
  const places = placesOf(termAt(0))
  if (leadBlock >= 0)
    for (let i: usize = 0; i < (<usize>found) << 2; i += 4)
      store<i32>(places + i, load<i32>(places + i) | (leadBlock << 7))
  if (!isPhrase()) return
  for (let term = leadBlock >= 0 ? 1 : 0; term < terms; term++) {
    const c = termAt(term)
    if (membersOf(c)) placesIn(c, matches(), found, placesOf(c))
  }
}
