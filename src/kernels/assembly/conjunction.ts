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
  blockBound,
  blockCount,
  blockOf,
  boundOfImpact,
  countOf,
  decode,
  docsOf,
  hasImpacts,
  impactOf,
  lastDoc,
  maxImpact,
  placesOf,
  rangeBound,
  seek,
  setWindowBound,
  SLACK,
  slotOf,
} from './cursor'
import { countCandidates, countSkippedRun, countWindow } from './counters'
import { makePatterns, takeAccepted, takePromising } from './lead-block'
import { beginNarrowing, isOver, narrowBy, needsPlaces } from './narrowing'
import { collectAll } from './optional-batch'
import { beginOptional, collectBoth, optionalRunBound, optionals } from './optional-clauses'
import { mostSloppyImpact } from './phrase'
import { finishPhrases } from './phrase-matches'
import {
  accept,
  close,
  collect,
  constant,
  count,
  isDisMax,
  isPhrase,
  look,
  matches,
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
import { addUp, beginTerms, end, prunes, start, termAt, terms } from './required-terms'

/** Blocks of the leading term between two looks at what others found. */
const BLOCKS_PER_LOOK: i32 = 32

/** Of the lead's block at hand: what all but the lead's own score adds at most. */
let othersBound: f64 = 0

export function searchConjunction(at: usize): void {
  open(at)
  beginNarrowing()
  beginOptional(requiredCount())
  makePatterns()
  if (beginTerms()) searchBlocks()
  close()
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
  const impact = slop() > 0 ? mostSloppyImpact(terms, sum, least) : least
  return boundOfImpact(termAt(0), phraseWeight(), impact)
}

/** Searches a block of the lead. */
function searchBlock(block: i32): void {
  const lead = termAt(0)
  decode(lead, block)
  const all = docsOf(lead)
  const from = load<i32>(all) < start ? slotOf(all, start) : 0
  const to = lastDoc(lead, block) < end ? countOf(lead) : slotOf(all, end)
  let found = prunes() ? takePromising(from, to, othersBound) : -1
  let term = 1
  if (found < 0) {
    if (accept || terms == 1) found = takeAccepted(from, to)
    else {
      found = narrowBy(1, all, from, to, block, othersBound)
      term = 2
    }
  }
  for (; term < terms && found > 0; term++) found = narrowBy(term, matches(), 0, found, block, othersBound)
  if (found > 0) finish(found, block)
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
    finishPhrases(found)
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
