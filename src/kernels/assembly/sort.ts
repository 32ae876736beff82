/**
 * Of the documents in a set, the k first by a number's column (`codec/doc-values/format.ts`), one
 * value a document at most; of equal ones the lowest documents. Runs of 4,096 documents whose values
 * are all worse than the worst that is kept are passed over.
 */
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

const RUN: i32 = 4096
const SPAN_BYTES: usize = 40

let record: usize = 0
let values: usize = 0
let docs: usize = 0
let flip: i64 = 0
let kept: i32 = 0
let capacity: i32 = 0
let hasAfter: bool = false
let after: i64 = 0

export function sortMatches(at: usize): void {
  record = at
  values = load<usize>(at, HIT_VALUES)
  docs = load<usize>(at, HIT_DOCS)
  flip = <i64>load<i32>(at, FLIP)
  kept = load<i32>(at, HIT_COUNT)
  capacity = load<i32>(at, CAPACITY)
  hasAfter = load<i32>(at, HAS_AFTER) != 0
  after = load<i64>(at, AFTER)
  const maxDoc = load<i32>(at, MAX_DOC)
  const matches = load<usize>(at, MATCHES)
  const base = load<i32>(at, DOC_BASE)
  for (let run = load<i32>(at, MIN_DOC) & -RUN; run < maxDoc; run += RUN) {
    if (tick()) break
    if (kept == capacity && !mayCompete(run)) continue
    const end = matches + (<usize>min(run + RUN, (maxDoc + 63) & ~63) >> 3)
    for (let word = matches + (<usize>run >> 3); word < end; word += 8) {
      let rest = load<u64>(word)
      for (; rest; rest &= rest - 1) {
        const doc = (<i32>(word - matches) << 3) + <i32>ctz(rest)
        take(valueOf(doc) ^ flip, doc + base)
      }
    }
  }
  store<i32>(at, kept, HIT_COUNT)
}

/** Whether a value of the run may be better than the worst that is kept: later documents lose ties. */
function mayCompete(run: i32): bool {
  const worst = valueOfHit(0)
  if (!load<usize>(record, BLOCKS)) return (load<i64>(record, MISSING) ^ flip) < worst
  const span = load<usize>(record, SPANS) + <usize>(run / RUN) * SPAN_BYTES
  // A document without a value may stand in any run whose documents do not all have one.
  if (load<usize>(record, PRESENCE) && (load<i64>(record, MISSING) ^ flip) < worst) return true
  if (!load<u32>(span, 32)) return false
  return ((flip ? load<i64>(span, 8) : load<i64>(span)) ^ flip) < worst
}

function valueOf(doc: i32): i64 {
  const blocks = load<usize>(record, BLOCKS)
  if (!blocks) return load<i64>(record, MISSING)
  const presence = load<usize>(record, PRESENCE)
  let index = doc
  if (presence) {
    const word = presence + (<usize>(doc >> 5) << 2)
    if (!((load<u32>(word) >> (<u32>doc & 31)) & 1)) return load<i64>(record, MISSING)
    index = load<i32>(load<usize>(record, RANKS) + (<usize>(doc >> 9) << 2))
    for (let at = presence + (<usize>(doc >> 9) << 6); at < word; at += 4)
      index += popcnt<i32>(load<i32>(at))
    index += popcnt<u32>(load<u32>(word) & ((<u32>1 << (<u32>doc & 31)) - 1))
  }
  const block = blocks + (<usize>(index >> 7) << 4)
  const base = load<i64>(block)
  const width = <u64>load<u32>(block, 12)
  if (!width) return base
  const bit = (<u64>index & 127) * width
  const at = load<usize>(record, DATA) + <usize>load<u32>(block, 8) + <usize>(bit >> 3)
  const shift = bit & 7
  let value = load<u64>(at) >> shift
  // Up to seven bits of a wide value lie in the ninth byte.
  if (shift + width > 64) value |= (<u64>load<u8>(at, 8)) << (64 - shift)
  if (width < 64) value &= ((<u64>1) << width) - 1
  return base + <i64>value
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
    return
  }
  // Documents rise: an equal one is worse.
  if (value >= valueOfHit(0)) return
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
