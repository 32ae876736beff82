/**
 * The first k documents of a set by a column of numbers or ordinals (`codec/doc-values/format.ts`), single-valued,
 * ties by lowest document.
 *
 * Runs of 4,096 documents with the best values are read first, while that leaves few other
 * competitive runs; then the others in order. Runs without a competitive value are skipped.
 */
import {
  blocksOfColumn,
  dataOfColumn,
  indexOf,
  isEmpty,
  isFull,
  openColumn,
  valueAt,
  valueWithin,
  WIDEST_AT_ONCE,
} from './column'
import { blockCount, countOf, docFreq, docsOf, lastDoc, rewind } from './cursor'
import { decode, seek, slotOf } from './cursor-blocks'
import { tick } from './plan'

// The record that the caller fills; `search/bulk/plan-record.ts` names the same offsets.
/** Bits of the matches among the documents [MIN_DOC, MAX_DOC). */
const MATCHES: usize = 0
const MIN_DOC: usize = 4
const MAX_DOC: usize = 8
const DOC_BASE: usize = 12
/** Max hits, their number, and their addresses: i64 values, documents. */
const CAPACITY: usize = 16
const HIT_COUNT: usize = 20
const HIT_VALUES: usize = 24
const HIT_DOCS: usize = 28
/** −1: descending; 0: ascending. Kept values are XOR-ed with it. */
const FLIP: usize = 32
/** Addresses of the column's parts; BLOCKS 0: no document has a value; PRESENCE 0: all have. */
const PRESENCE: usize = 36
const RANKS: usize = 40
const SPANS: usize = 44
const BLOCKS: usize = 48
const DATA: usize = 52
/** i64: the value of a document without one. */
const MISSING: usize = 56

/** 1: only values after the i64 behind it, in the kept form, are hits. */
const HAS_AFTER: usize = 64
const AFTER: usize = 72

/** A term whose documents are sorted instead of bits; restricted to ACCEPT, 0: all. */
const CURSOR: usize = 80
const ACCEPT: usize = 84
/** 1: its matches are counted; and their number. */
const COUNTING: usize = 88
const COUNTED: usize = 92
/** i64: no value above it, in the kept form, is a hit. */
const LIMIT: usize = 96

const RUN: i32 = 4096
const SPAN_BYTES: usize = 40
/** Blocks between two checks whether to stop. */
const BLOCKS_PER_LOOK: i32 = 64
/** Max runs picked by their best values; each pick scans all runs. */
const MAX_PICKS: i32 = 8
/** Min matches per run, on average, for picking to pay. */
const MATCHES_TO_PICK: i32 = 16

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
let limit: i64 = 0
/** The worst kept value, once k are kept. */
let worst: i64 = 0
/**
 * Best value of the last run picked: runs with a better value, or an equal one and in front, were
 * picked too.
 */
let pickedBest: i64 = 0
let pickedRun: i32 = -1
let untilLook: i32 = 0
let isStopped: bool = false
let counted: i32 = 0

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
  limit = load<i64>(at, LIMIT)
  worst = kept < capacity ? limit : valueOfHit(0)
  pickedBest = i64.MIN_VALUE
  pickedRun = -1
  untilLook = 0
  isStopped = false
  counted = 0
  openColumn(
    load<usize>(at, PRESENCE), load<usize>(at, RANKS), load<usize>(at, BLOCKS), load<usize>(at, DATA),
  )
}

/** Runs the record: keeps the first k matches by the column. */
export function sortMatches(at: usize): void {
  open(at)
  const minDoc = load<i32>(at, MIN_DOC)
  const maxDoc = load<i32>(at, MAX_DOC)
  for (let picks = 0; picks < MAX_PICKS && pick(picks, minDoc, maxDoc); picks++) {
    isStopped = tick() != 0
    if (isStopped) break
    takeBits(pickedRun, maxDoc)
  }
  for (let run = minDoc & -RUN; run < maxDoc && !isStopped; run += RUN) {
    const best = bestOf(run)
    if (wasPicked(best, run) || !isBetter(best, run)) continue
    if (tick()) break
    takeBits(run, maxDoc)
  }
  store<i32>(at, kept, HIT_COUNT)
}

/** The same for one term's documents, from its blocks. */
export function sortPostings(at: usize): void {
  open(at)
  const c = load<usize>(at, CURSOR)
  const counts = load<i32>(at, COUNTING) != 0
  const minDoc = load<i32>(at, MIN_DOC)
  const maxDoc = load<i32>(at, MAX_DOC)
  const runs = (maxDoc - minDoc + RUN - 1) / RUN
  const picks = docFreq(c) / MATCHES_TO_PICK < runs ? 0 : MAX_PICKS
  for (let i = 0; i < picks && !isStopped && pick(i, minDoc, maxDoc); i++) {
    rewind(c)
    takePostings(c, pickedRun, minDoc, maxDoc, true)
  }
  rewind(c)
  for (let run = minDoc & -RUN; run < maxDoc && !isStopped; run += RUN) {
    const best = bestOf(run)
    if (wasPicked(best, run)) continue
    const competes = isBetter(best, run)
    if (!competes && !counts) continue
    if (!takePostings(c, run, minDoc, maxDoc, competes)) break
  }
  store<i32>(at, kept, HIT_COUNT)
  store<i32>(at, counted, COUNTED)
}

/** Reads the matches of a run from their bits. */
function takeBits(run: i32, maxDoc: i32): void {
  const matches = load<usize>(record, MATCHES)
  const end = matches + (<usize>min(run + RUN, (maxDoc + 63) & ~63) >> 3)
  for (let word = matches + (<usize>run >> 3); word < end; word += 8) {
    let rest = load<u64>(word)
    for (; rest; rest &= rest - 1) consider((<i32>(word - matches) << 3) + <i32>ctz(rest))
  }
}

/**
 * Counts a run's matches and collects them if the run is competitive.
 * @returns false when the term has none from here on
 */
function takePostings(c: usize, run: i32, minDoc: i32, maxDoc: i32, competes: bool): bool {
  const accept = load<usize>(record, ACCEPT)
  const found = docsOf(c)
  const blocks = blockCount(c)
  const from = max(run, minDoc)
  const to = min(run + RUN, maxDoc)
  let b = seek(c, from)
  if (b >= blocks) return false
  for (; b < blocks; b++) {
    if (--untilLook < 0) {
      isStopped = tick() != 0
      if (isStopped) break
      untilLook = BLOCKS_PER_LOOK
    }
    decode(c, b)
    if (load<i32>(found) >= to) break
    const last = lastDoc(c, b)
    const lo = load<i32>(found) < from ? slotOf(found, from) : 0
    const hi = last < to ? countOf(c) : slotOf(found, to)
    if (accept) takeAccepted(found, lo, hi, maxDoc, accept, competes)
    else {
      counted += hi - lo
      if (competes) takeAll(found, lo, hi, maxDoc)
    }
    if (last >= to - 1) break
  }
  return true
}

function takeAccepted(
  found: usize, lo: i32, hi: i32, maxDoc: i32, accept: usize, competes: bool,
): void {
  for (let i = lo; i < hi; i++) {
    const doc = load<i32>(found + ((<usize>i) << 2))
    if (<u32>doc >= <u32>maxDoc) continue
    if (!((<u32>load<u8>(accept + (<usize>doc >> 3)) >> (<u32>doc & 7)) & 1)) continue
    counted++
    if (competes) consider(doc)
  }
}

/** Corrupt postings (documents out of order) must not lead out of the column. */
function takeAll(found: usize, lo: i32, hi: i32, maxDoc: i32): void {
  let i = lo
  for (; i < hi && (kept < capacity || !isFull()); i++) {
    const doc = load<i32>(found + ((<usize>i) << 2))
    if (<u32>doc < <u32>maxDoc) consider(doc)
  }
  // Most values are not competitive: a tight loop of its own rejects them.
  const blocks = blocksOfColumn()
  const data = dataOfColumn()
  const flipped = flip
  let last = worst
  for (; i < hi; i++) {
    const doc = load<i32>(found + ((<usize>i) << 2))
    if (<u32>doc >= <u32>maxDoc) continue
    const block = blocks + (<usize>(doc >> 7) << 4)
    const value = valueWithin(block, data, doc) ^ flipped
    if (value > last && <u64>load<u32>(block, 12) <= WIDEST_AT_ONCE) continue
    consider(doc)
    last = worst
  }
}

/** Keeps a match that is better than the worst kept one. */
@inline function consider(doc: i32): void {
  const index = indexOf(doc)
  const value = index < 0 ? missing : valueAt(index) ^ flip
  if (isBetter(value, doc)) take(value, doc + base)
}

/** Whether a document with a value, or a later one, may be kept. */
@inline function isBetter(value: i64, doc: i32): bool {
  if (kept < capacity) return value <= limit
  return value < worst || (value == worst && doc + base < docOfHit(0))
}

/** The best possible value in a run. */
function bestOf(run: i32): i64 {
  if (isEmpty()) return missing
  const span = load<usize>(record, SPANS) + <usize>(run / RUN) * SPAN_BYTES
  if (!load<u32>(span, 32)) return missing
  const best = (flip ? load<i64>(span, 8) : load<i64>(span)) ^ flip
  // Unless all documents have values, any run may have one without.
  return isFull() ? best : min(best, missing)
}

/**
 * Picks the run with the best values among those not picked yet.
 * @param picks number picked so far
 * @returns false when none is competitive, or so many are that order hardly matters
 */
function pick(picks: i32, minDoc: i32, maxDoc: i32): bool {
  let next = -1
  let nextBest: i64 = 0
  let rivals = 0
  for (let run = minDoc & -RUN; run < maxDoc; run += RUN) {
    const best = bestOf(run)
    if (wasPicked(best, run) || !isBetter(best, run)) continue
    rivals++
    if (next >= 0 && best >= nextBest) continue
    next = run
    nextBest = best
  }
  if (next < 0 || (picks > 0 && rivals > (maxDoc - minDoc) / (2 * RUN))) return false
  pickedRun = next
  pickedBest = nextBest
  return true
}

@inline function wasPicked(best: i64, run: i32): bool {
  return best < pickedBest || (best == pickedBest && run <= pickedRun)
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
