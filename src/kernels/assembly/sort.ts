/**
 * Of the documents in a set, the k first by a number's column (`codec/doc-values/format.ts`), one
 * value a document at most; of equal ones the lowest documents. Runs of 4,096 documents whose values
 * are all worse than the worst that is kept are passed over.
 */
import { indexOf, isEmpty, isFull, openColumn, valueAt } from './column'
import { blockCount, countOf, decode, docsOf, lastDoc, rewind, seek, slotOf } from './cursor'
import { tick } from './plan'

// The record that the caller fills; `search/bulk/plan-record.ts` names the same offsets.
/** Bits of the matches among the documents [MIN_DOC, MAX_DOC). */
const MATCHES: usize = 0
const MIN_DOC: usize = 4
const MAX_DOC: usize = 8
const DOC_BASE: usize = 12
/** Most hits to keep, how many there are, and where: i64 values, documents. */
const CAPACITY: usize = 16
const HIT_COUNT: usize = 20
const HIT_VALUES: usize = 24
const HIT_DOCS: usize = 28
/** −1: the largest first; 0: the least. Values are kept with their bits flipped by it. */
const FLIP: usize = 32
/** Addresses of the column's parts; BLOCKS 0: no document has a value; PRESENCE 0: all have. */
const PRESENCE: usize = 36
const RANKS: usize = 40
const SPANS: usize = 44
const BLOCKS: usize = 48
const DATA: usize = 52
/** i64: the value of a document without one. */
const MISSING: usize = 56

/** 1: only what comes after the i64 behind it, in the form in which values are kept, is a hit. */
const HAS_AFTER: usize = 64
const AFTER: usize = 72

/** A term whose documents are sorted instead of bits; its documents in ACCEPT alone, 0: all. */
const CURSOR: usize = 80
const ACCEPT: usize = 84
/** 1: its matches are counted; and how many there are. */
const COUNTING: usize = 88
const COUNTED: usize = 92

const RUN: i32 = 4096
const SPAN_BYTES: usize = 40
/** Blocks between two looks whether to stop. */
const BLOCKS_PER_LOOK: i32 = 64

let record: usize = 0
let values: usize = 0
let docs: usize = 0
let flip: i64 = 0
let base: i32 = 0
let kept: i32 = 0
let capacity: i32 = 0
let hasAfter: bool = false
let after: i64 = 0
let missing: i64 = 0
/** What a value must be below; meaningful once as many as are wanted are kept. */
let worst: i64 = 0

function open(at: usize): void {
  record = at
  values = load<usize>(at, HIT_VALUES)
  docs = load<usize>(at, HIT_DOCS)
  flip = <i64>load<i32>(at, FLIP)
  base = load<i32>(at, DOC_BASE)
  kept = load<i32>(at, HIT_COUNT)
  capacity = load<i32>(at, CAPACITY)
  hasAfter = load<i32>(at, HAS_AFTER) != 0
  after = load<i64>(at, AFTER)
  missing = load<i64>(at, MISSING) ^ flip
  worst = kept < capacity ? i64.MAX_VALUE : valueOfHit(0)
  openColumn(
    load<usize>(at, PRESENCE), load<usize>(at, RANKS), load<usize>(at, BLOCKS), load<usize>(at, DATA),
  )
}

export function sortMatches(at: usize): void {
  open(at)
  const maxDoc = load<i32>(at, MAX_DOC)
  const matches = load<usize>(at, MATCHES)
  for (let run = load<i32>(at, MIN_DOC) & -RUN; run < maxDoc; run += RUN) {
    if (tick()) break
    if (!mayCompete(run)) continue
    const end = matches + (<usize>min(run + RUN, (maxDoc + 63) & ~63) >> 3)
    for (let word = matches + (<usize>run >> 3); word < end; word += 8) {
      let rest = load<u64>(word)
      for (; rest; rest &= rest - 1) consider((<i32>(word - matches) << 3) + <i32>ctz(rest))
    }
  }
  store<i32>(at, kept, HIT_COUNT)
}

/** The same of one term's documents, as its blocks have them. */
export function sortPostings(at: usize): void {
  open(at)
  const c = load<usize>(at, CURSOR)
  const accept = load<usize>(at, ACCEPT)
  const counts = load<i32>(at, COUNTING) != 0
  const minDoc = load<i32>(at, MIN_DOC)
  const maxDoc = load<i32>(at, MAX_DOC)
  const found = docsOf(c)
  const blocks = blockCount(c)
  let counted = 0
  let untilLook = 0
  rewind(c)
  for (let run = minDoc & -RUN; run < maxDoc; run += RUN) {
    const competes = mayCompete(run)
    if (!competes && !counts) continue
    const from = max(run, minDoc)
    const to = min(run + RUN, maxDoc)
    let b = seek(c, from)
    if (b >= blocks) break
    for (; b < blocks; b++) {
      if (--untilLook < 0) {
        if (tick()) {
          run = maxDoc - RUN
          break
        }
        untilLook = BLOCKS_PER_LOOK
      }
      decode(c, b)
      if (load<i32>(found) >= to) break
      const last = lastDoc(c, b)
      const lo = load<i32>(found) < from ? slotOf(found, from) : 0
      const hi = last < to ? countOf(c) : slotOf(found, to)
      for (let i = lo; i < hi; i++) {
        const doc = load<i32>(found + ((<usize>i) << 2))
        // Documents out of order, which no writer makes, must not lead out of the column.
        if (<u32>doc >= <u32>maxDoc) continue
        if (accept) {
          if (!((<u32>load<u8>(accept + (<usize>doc >> 3)) >> (<u32>doc & 7)) & 1)) continue
          counted++
        }
        if (competes) consider(doc)
      }
      if (!accept) counted += hi - lo
      if (last >= to - 1) break
    }
  }
  store<i32>(at, kept, HIT_COUNT)
  store<i32>(at, counted, COUNTED)
}

/** Takes a match whose value is better than the worst that is kept. */
@inline function consider(doc: i32): void {
  let value = missing
  if (isFull()) value = valueAt(doc) ^ flip
  else {
    const index = indexOf(doc)
    if (index >= 0) value = valueAt(index) ^ flip
  }
  // Documents rise: an equal one is worse than what is kept.
  if (value < worst || kept < capacity) take(value, doc + base)
}

/** Whether a value of the run may be better than the worst that is kept: later documents lose ties. */
function mayCompete(run: i32): bool {
  if (kept < capacity) return true
  if (isEmpty()) return missing < worst
  const span = load<usize>(record, SPANS) + <usize>(run / RUN) * SPAN_BYTES
  // A document without a value may stand in any run whose documents do not all have one.
  if (!isFull() && missing < worst) return true
  if (!load<u32>(span, 32)) return false
  return ((flip ? load<i64>(span, 8) : load<i64>(span)) ^ flip) < worst
}

// A binary heap, worst on top: the largest value in the order of the sort, then the highest document.

function take(value: i64, doc: i32): void {
  if (hasAfter && value <= after) return
  if (kept < capacity) {
    let at = kept++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isWorse(value, doc, parent)) break
      moveHit(parent, at)
      at = parent
    }
    setHit(at, value, doc)
    if (kept == capacity) worst = valueOfHit(0)
    return
  }
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= capacity) break
    if (child + 1 < capacity && isWorse(valueOfHit(child + 1), docOfHit(child + 1), child)) child++
    if (isWorse(value, doc, child)) break
    moveHit(child, at)
    at = child
  }
  setHit(at, value, doc)
  worst = valueOfHit(0)
}

@inline function valueOfHit(i: i32): i64 {
  return load<i64>(values + ((<usize>i) << 3))
}
@inline function docOfHit(i: i32): i32 {
  return load<i32>(docs + ((<usize>i) << 2))
}
@inline function setHit(i: i32, value: i64, doc: i32): void {
  store<i64>(values + ((<usize>i) << 3), value)
  store<i32>(docs + ((<usize>i) << 2), doc)
}
@inline function moveHit(from: i32, to: i32): void {
  setHit(to, valueOfHit(from), docOfHit(from))
}
@inline function isWorse(value: i64, doc: i32, than: i32): bool {
  const other = valueOfHit(than)
  return value > other || (value == other && doc > docOfHit(than))
}
