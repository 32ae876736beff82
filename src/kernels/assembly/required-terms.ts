/**
 * The required terms of a conjunction: their common range, the leading one, and the sum of their
 * scores.
 */
import {
  blockCount,
  docsOf,
  isConstant,
  lastDoc,
  membersOf,
  ordsOf,
  rewind,
  SLACK,
  weightOf,
  windowBound,
} from './cursor'
import { blocksThrough, decode, seek, slotOf } from './cursor-blocks'
import { blockBound } from './cursor-bounds'
import { addScores, freqsAt, inversesOf, sharesNorms } from './cursor-scores'
import { isCounting, maxDoc, minDoc, threshold } from './plan'
import {
  constant,
  cursor,
  isExhaustive,
  leadDocs,
  leadSlots,
  matches,
  narrowed,
  requiredCount,
  sums,
} from './plan-record'
import { ordsIn } from './term-bit-set'

/** Min spread in documents of a first block for which its first document is read. */
const SPARSE: i32 = 2048

/** Number of required terms. */
export let terms: i32 = 0
/** Whether any term has a bit set, and whether all have. */
export let hasSets: bool = false
export let hasAllSets: bool = false
/** Index of the leading term: the one with the fewest blocks in the common range. */
let leading: i32 = 0
/** The common range [start, end) of all terms' documents. */
export let start: i32 = 0
export let end: i32 = 0

/** The terms, leading one first. */
@inline export function termAt(i: i32): usize {
  return cursor(i == 0 ? leading : i == leading ? 0 : i)
}

/** Finds the common range and the leading term; false when the range is empty. */
export function beginTerms(): bool {
  terms = requiredCount()
  let sets = 0
  for (let i = 0; i < terms; i++) {
    rewind(cursor(i))
    if (membersOf(cursor(i))) sets++
  }
  hasSets = sets > 0
  hasAllSets = sets == terms && terms > 1
  leading = 0
  start = minDoc
  end = maxDoc
  if (terms == 1) return start < end
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const blocks = blockCount(c)
    const b = seek(c, start)
    if (b >= blocks) return false
    // A frequent term's next document is near.
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

/** Whether non-competitive documents may be skipped. */
@inline export function prunes(): bool {
  return !isCounting && threshold > 0 && !isExhaustive()
}

/**
 * Sums the required scores of the matches, clause by clause, dropping those that cannot reach the
 * threshold in between.
 * @param areLeadOrdsKnown whether the lead's posting ords are known; those of other bit sets never are
 * @param othersBound max of all clauses but the lead; Infinity: drop none
 * @returns the number of remaining matches
 */
export function addUp(given: i32, areLeadOrdsKnown: bool, othersBound: f64): i32 {
  const all = sums()
  const initial = f64x2.splat(constant())
  for (let i: usize = 0; i < (<usize>given) << 3; i += 16) v128.store(all + i, initial)
  let found = given
  let rest = othersBound - constant()
  let before: usize = 0
  for (let term = 0; term < terms && found > 0; term++) {
    const c = termAt(term)
    const ords = ordsOf(c)
    if (membersOf(c) && !(term == 0 && areLeadOrdsKnown)) ordsIn(c, matches(), found, ords)
    if (term > 0) {
      rest -= windowBound(c)
      found = keepReaching(found, rest, term)
    }
    if (isConstant(c)) {
      const weight = f64x2.splat(<f64>weightOf(c))
      if (weightOf(c) != 0)
        for (let i: usize = 0; i < (<usize>found) << 3; i += 16)
          v128.store(all + i, f64x2.add(v128.load(all + i), weight))
      continue
    }
    // Terms of one field share its norms.
    if (!before || !sharesNorms(before, c)) inversesOf(c, matches(), found, leadDocs())
    before = c
    freqsAt(c, ords, found, leadSlots())
    addScores(c, leadSlots(), leadDocs(), found, all)
  }
  return found
}

/** Drops matches that do not reach the threshold with the term's max in its block plus `rest`. */
function keepReaching(found: i32, rest: f64, term: i32): i32 {
  if (!(rest < Infinity)) return found
  const docs = matches()
  const all = sums()
  const inverses = leadDocs()
  const kept = narrowed()
  const c = termAt(term)
  const own = ordsOf(c)
  let left: usize = 0
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const sum = load<f64>(all + (i << 1))
    const bound = sum + rest + blockBound(c, load<i32>(own + i) >> 7)
    store<usize>(kept + left, i)
    store<i32>(docs + left, load<i32>(docs + i))
    store<i32>(inverses + left, load<i32>(inverses + i))
    store<f64>(all + (left << 1), sum)
    left += (<usize>!(bound * SLACK < <f64>threshold)) << 2
  }
  if (left == (<usize>found) << 2) return found
  for (let t = term; t < terms; t++) {
    if (t > term && membersOf(termAt(t))) continue
    const ords = ordsOf(termAt(t))
    for (let i: usize = 0; i < left; i += 4)
      store<i32>(ords + i, load<i32>(ords + load<usize>(kept + i)))
  }
  return <i32>(left >> 2)
}
