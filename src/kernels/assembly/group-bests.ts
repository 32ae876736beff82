/**
 * Passes over listed matches that are no better than an earlier one with the same value of a column: of
 * each group of a collapsed search the first best match alone can be a hit.
 */
import { indexOf, openColumn, valueAt } from './column'

// The record; `search/bulk/group-bests.ts` names the same offsets.
const PRESENCE: usize = 0
const RANKS: usize = 4
const BLOCKS: usize = 8
const DATA: usize = 12
/** Matches, ascending, and their scores, f32; those that are left replace them. */
const DOCS: usize = 16
const SCORES: usize = 20
const COUNT: usize = 24
/** Best scores by a hash of the value: 256 times i64, f32 and four spare bytes; scores below 0: none. */
const BESTS: usize = 28
/** f32: the best score of a document without a value. */
const VALUELESS: usize = 32

const BEST_SCORE: usize = 8
const ENTRY_SHIFT: usize = 4
/** 2⁶⁴ over the golden ratio: neighbouring values get distant hashes. */
const SPREAD: u64 = 0x9e3779b97f4a7c15
const HASH_SHIFT: u64 = 56

/** Returns how many matches are left. A value whose place another has taken is passed on again. */
export function keepGroupBests(at: usize): i32 {
  openColumn(
    load<usize>(at, PRESENCE), load<usize>(at, RANKS), load<usize>(at, BLOCKS), load<usize>(at, DATA),
  )
  const docs = load<usize>(at, DOCS)
  const scores = load<usize>(at, SCORES)
  const bests = load<usize>(at, BESTS)
  const end = <usize>load<i32>(at, COUNT) << 2
  let kept: usize = 0
  for (let i: usize = 0; i < end; i += 4) {
    const doc = load<i32>(docs + i)
    const score = load<f32>(scores + i)
    const index = indexOf(doc)
    if (index < 0) {
      if (score <= load<f32>(at, VALUELESS)) continue
      store<f32>(at, score, VALUELESS)
    } else {
      const value = valueAt(index)
      const best = bests + (<usize>(((<u64>value) * SPREAD) >> HASH_SHIFT) << ENTRY_SHIFT)
      if (load<i64>(best) == value && score <= load<f32>(best, BEST_SCORE)) continue
      store<i64>(best, value)
      store<f32>(best, score, BEST_SCORE)
    }
    store<i32>(docs + kept, doc)
    store<f32>(scores + kept, score)
    kept += 4
  }
  return <i32>(kept >> 2)
}
