/**
 * The terms of a conjunction: where all of them have documents, which of them leads there, and what the
 * matches score in them.
 */
import {
  addScores,
  blockCount,
  blocksThrough,
  decode,
  docsOf,
  freqsAt,
  inversesOf,
  isConstant,
  lastDoc,
  placesOf,
  rewind,
  seek,
  sharesNorms,
  slotOf,
  weightOf,
} from './cursor'
import {
  constant,
  cursor,
  isCounting,
  isExhaustive,
  leadDocs,
  leadSlots,
  matches,
  maxDoc,
  minDoc,
  requiredCount,
  sums,
  threshold,
} from './plan'

/** Documents over which a block spreads whose first one is worth a look. */
const SPARSE: i32 = 2048

export let terms: i32 = 0
/** Which term leads: the one with the fewest blocks where all have documents. */
let leading: i32 = 0
/** Documents [start, end) in which all terms have some. */
export let start: i32 = 0
export let end: i32 = 0

/** The terms with the leading one in front. */
@inline export function termAt(i: i32): usize {
  return cursor(i == 0 ? leading : i == leading ? 0 : i)
}

/** Finds where all terms have documents, and who leads; false where they have none in common. */
export function beginTerms(): bool {
  terms = requiredCount()
  for (let i = 0; i < terms; i++) rewind(cursor(i))
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

/** Whether what cannot reach the threshold may be passed over. */
@inline export function prunes(): bool {
  return !isCounting && threshold > 0 && !isExhaustive()
}

/** Sums the required clauses' scores of the matches, clause after clause. */
export function addUp(found: i32): void {
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
