/**
 * A cursor: one clause of a query on one leaf, as a record in scratch that the caller fills
 * (`search/bulk/cursor.ts` names the same offsets) and the kernels move. Most stand for the postings
 * of one term; one that stands for a bit set has a score of its own and no blocks.
 *
 * A term below 128 documents looks like a term of one block: the caller decodes it, and its last doc
 * and impact lie in the record itself. Scores and their bounds take the steps of
 * `search/similarity/bm25.ts`, each rounded to float32 as there.
 */
import { countDecoded, countPositions, countScored } from './counters'
import { decodeDocs, decodeFreqs, decodeTail, DENSE, freqsBehind, sumFreqs } from './decode'

export const CURSOR_BYTES: usize = 256

// Addresses of the term's columns, moved up to its first block entry.
const LAST_DOCS: usize = 0
const BLOCK_OFFSETS: usize = 4
const DOC_BITS: usize = 8
const FREQ_BITS: usize = 12
const IMPACTS: usize = 16
/** Where the postings section starts: block offsets count from there. */
const DATA: usize = 20
const BLOCK_COUNT: usize = 24
const DOC_FREQ: usize = 28
/** Buffers of 128 words each: decoded doc IDs, frequencies, their sums, places of matches. */
const DOCS: usize = 32
const FREQS: usize = 36
const SUMS: usize = 40
const PLACES: usize = 44
/** Length codes, 0 for a field without; and 256 inverse norms, float32. */
const NORMS: usize = 48
const INVERSE: usize = 52
const WEIGHT: usize = 56
/** 1: every document scores `WEIGHT`. */
const IS_CONSTANT: usize = 60
/** f64: what impacts are multiplied with, for the drift of the mean length and rounding. */
const DRIFT: usize = 64
/** f64: no score of the term is above. */
const BOUND: usize = 72
/** f64: no score in the current window is above. */
const WINDOW_BOUND: usize = 80
const HAS_FREQS: usize = 88
/** Bits of a clause that is a set of documents, 0 for postings. */
const BITS: usize = 92
/** Where a phrase's term has the positions of a block unpacked, and of which, −1: of none. */
const POSITIONS: usize = 208
const UNPACKED: usize = 212
/** Where a search for a block starts: no document before it is asked for again. */
const BLOCK: usize = 96
/** Which block each buffer holds, −1: none. */
const DECODED: usize = 100
const FREQS_DECODED: usize = 104
const SUMS_DECODED: usize = 108
const COUNT: usize = 112
const FREQS_AT: usize = 116
const POSITION_OFFSETS: usize = 120
const POSITION_BITS: usize = 124
/** Where the positions section starts, or the run of a small term. */
const POSITION_DATA: usize = 128
/** Width of a small term's positions, −1 for a term with blocks. */
const SMALL_WIDTH: usize = 132
/** Place of the term in its phrase. */
const OFFSET: usize = 136
// While one document's positions are compared.
const RUN_AT: usize = 140
const RUN_WIDTH: usize = 144
const RUN_INDEX: usize = 148
const RUN_END: usize = 152
const POSITION: usize = 156
// 160: the last doc and the impact of a small term.
/** f64: what impacts are multiplied with for a score that some document of the block attains. */
const ATTAINED: usize = 168
/** The block whose bound is known, −1: none; and the bound, f64. */
const BOUNDED: usize = 176
const BLOCK_BOUND: usize = 184

/** Of a term that has its documents as bits too, where they and their ranks lie (`term-set.ts`); 0: none. */
const MEMBERS: usize = 192
const RANKS: usize = 196
const SUPERS: usize = 200

export const BYTE_CODED: u32 = 0xff
export const SLACK: f64 = 1.0 + 1.0 / 1048576.0
const NO_NORM_CODE: usize = 1

@inline export function blockCount(c: usize): i32 {
  return load<i32>(c, BLOCK_COUNT)
}
@inline export function docFreq(c: usize): i32 {
  return load<i32>(c, DOC_FREQ)
}
@inline export function lastDoc(c: usize, block: i32): i32 {
  return load<i32>(load<usize>(c, LAST_DOCS) + ((<usize>block) << 2))
}
@inline export function docsOf(c: usize): usize {
  return load<usize>(c, DOCS)
}
@inline export function placesOf(c: usize): usize {
  return load<usize>(c, PLACES)
}
@inline export function countOf(c: usize): i32 {
  return load<i32>(c, COUNT)
}
@inline export function bitsOf(c: usize): usize {
  return load<usize>(c, BITS)
}
@inline export function weightOf(c: usize): f32 {
  return load<f32>(c, WEIGHT)
}
@inline export function boundOf(c: usize): f64 {
  return load<f64>(c, BOUND)
}
@inline export function driftOf(c: usize): f64 {
  return load<f64>(c, DRIFT)
}
@inline export function windowBound(c: usize): f64 {
  return load<f64>(c, WINDOW_BOUND)
}
@inline export function setWindowBound(c: usize, bound: f64): void {
  store<f64>(c, bound, WINDOW_BOUND)
}
@inline export function isConstant(c: usize): bool {
  return load<i32>(c, IS_CONSTANT) != 0
}
@inline export function membersOf(c: usize): usize {
  return load<usize>(c, MEMBERS)
}
@inline export function ranksOf(c: usize): usize {
  return load<usize>(c, RANKS)
}
@inline export function supersOf(c: usize): usize {
  return load<usize>(c, SUPERS)
}
@inline export function offsetOf(c: usize): i32 {
  return load<i32>(c, OFFSET)
}
@inline export function rewind(c: usize): void {
  store<i32>(c, 0, BLOCK)
}
/** The block that `seek` found last. */
@inline export function blockOf(c: usize): i32 {
  return load<i32>(c, BLOCK)
}

/** Blocks from the one that `seek` found last to the one that holds `last`; the cursor stays. */
export function blocksThrough(c: usize, last: i32): i32 {
  const block = load<i32>(c, BLOCK)
  const end = seek(c, last)
  store<i32>(c, block, BLOCK)
  return end - block + 1
}

/**
 * Moves to the first block whose last doc is not below `target`, never back.
 * @returns its number; the count of blocks where there is none
 */
export function seek(c: usize, target: i32): i32 {
  const count = load<i32>(c, BLOCK_COUNT)
  const lasts = load<usize>(c, LAST_DOCS)
  let low = load<i32>(c, BLOCK)
  if (low >= count) return low
  // Most often it is one of the next eight: which, cannot be guessed. What lies behind the term's last
  // block may be anything.
  const at = lasts + ((<usize>low) << 2)
  const wanted = i32x4.splat(target)
  const below =
    i32x4.bitmask(i32x4.lt_s(v128.load(at), wanted)) |
    (i32x4.bitmask(i32x4.lt_s(v128.load(at, 16), wanted)) << 4)
  if (below != 0xff) {
    low = min(low + <i32>ctz(~below), count)
    store<i32>(c, low, BLOCK)
    return low
  }
  low += 7
  let step = 1
  while (low + step < count && load<i32>(lasts + ((<usize>(low + step)) << 2)) < target) {
    low += step
    step <<= 1
  }
  let high = min(low + step, count)
  low = min(low + 1, high)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (load<i32>(lasts + ((<usize>middle) << 2)) < target) low = middle + 1
    else high = middle
  }
  store<i32>(c, low, BLOCK)
  return low
}

/** Moves a cursor for documents alone to another term of its field. */
export function setTerm(
  c: usize, lasts: usize, offsets: usize, docBits: usize, freqBits: usize, blocks: i32, df: i32,
): void {
  store<usize>(c, lasts, LAST_DOCS)
  store<usize>(c, offsets, BLOCK_OFFSETS)
  store<usize>(c, docBits, DOC_BITS)
  store<usize>(c, freqBits, FREQ_BITS)
  store<i32>(c, blocks, BLOCK_COUNT)
  store<i32>(c, df, DOC_FREQ)
  store<i32>(c, -1, DECODED)
  store<i32>(c, -1, FREQS_DECODED)
  rewind(c)
}

/** Where a block starts, how its doc IDs are coded, and the doc ID ahead of it. */
@inline export function blockAt(c: usize, block: i32): usize {
  return load<usize>(c, DATA) + load<u32>(load<usize>(c, BLOCK_OFFSETS) + ((<usize>block) << 2))
}
@inline export function docBitsOf(c: usize, block: i32): u32 {
  return <u32>load<u8>(load<usize>(c, DOC_BITS) + <usize>block)
}
@inline export function docBefore(c: usize, block: i32): i32 {
  return block == 0 ? -1 : lastDoc(c, block - 1)
}
@inline export function isDecoded(c: usize, block: i32): bool {
  return load<i32>(c, DECODED) == block
}

/** Where a block lies whose doc IDs are bits, the first for the doc behind the block before; or 0. */
export function denseBlock(c: usize, block: i32): usize {
  // A small term has none: it lies decoded.
  if (!load<usize>(c, DOC_BITS)) return 0
  const bits = docBitsOf(c, block)
  return bits == BYTE_CODED || !(bits & DENSE) ? 0 : blockAt(c, block)
}

/** Decodes a block's doc IDs, unless they are there already. */
export function decode(c: usize, block: i32): void {
  if (load<i32>(c, DECODED) == block) return
  countDecoded()
  store<i32>(c, block, DECODED)
  const at = blockAt(c, block)
  const bits = docBitsOf(c, block)
  const before = docBefore(c, block)
  const docs = load<usize>(c, DOCS)
  if (bits == BYTE_CODED) {
    // A tail where none belongs, which no writer makes, must not leave the buffers.
    const count = min(load<i32>(c, DOC_FREQ) - (block << 7), 127)
    decodeTail(at, count, load<i32>(c, HAS_FREQS), before, docs, load<usize>(c, FREQS))
    store<i32>(c, block, FREQS_DECODED)
    store<i32>(c, count, COUNT)
    return
  }
  store<usize>(c, decodeDocs(at, bits, before, lastDoc(c, block), docs), FREQS_AT)
  store<i32>(c, 128, COUNT)
}

/** Decodes the frequencies of the block whose doc IDs are decoded. */
export function decodeFreqsOf(c: usize): void {
  const block = load<i32>(c, DECODED)
  if (load<i32>(c, FREQS_DECODED) == block) return
  if (docBitsOf(c, block) == BYTE_CODED) {
    // Both are coded together, and those of another block were decoded in between.
    store<i32>(c, -1, DECODED)
    decode(c, block)
    return
  }
  store<i32>(c, block, FREQS_DECODED)
  const freqs = load<usize>(c, FREQS)
  if (!load<i32>(c, HAS_FREQS)) {
    const one = i32x4.splat(1)
    for (let i: usize = 0; i < 512; i += 16) v128.store(freqs + i, one)
    return
  }
  const bits = <u32>load<u8>(load<usize>(c, FREQ_BITS) + <usize>block)
  decodeFreqs(load<usize>(c, FREQS_AT), bits, freqs)
}

/** Decodes the frequencies of any block; which doc IDs are decoded may change by it, or not. */
export function decodeFreqsAt(c: usize, block: i32): void {
  if (load<i32>(c, FREQS_DECODED) == block) return
  const bits = docBitsOf(c, block)
  if (bits == BYTE_CODED) {
    // Both are coded together, and one of them was overwritten.
    store<i32>(c, -1, DECODED)
    decode(c, block)
    return
  }
  if (!load<i32>(c, HAS_FREQS)) {
    const freqs = load<usize>(c, FREQS)
    const one = i32x4.splat(1)
    for (let i: usize = 0; i < 512; i += 16) v128.store(freqs + i, one)
  } else {
    const at = freqsBehind(blockAt(c, block), bits, docBefore(c, block), lastDoc(c, block))
    const width = <u32>load<u8>(load<usize>(c, FREQ_BITS) + <usize>block)
    decodeFreqs(at, width, load<usize>(c, FREQS))
  }
  store<i32>(c, block, FREQS_DECODED)
}

/** First of the 128 decoded slots whose doc is not below `target`, which is at most the last doc. */
export function slotOf(docs: usize, target: i32): i32 {
  let slot: usize = 0
  slot += (<usize>(load<i32>(docs + slot, 252) < target)) << 8
  slot += (<usize>(load<i32>(docs + slot, 124) < target)) << 7
  slot += (<usize>(load<i32>(docs + slot, 60) < target)) << 6
  slot += (<usize>(load<i32>(docs + slot, 28) < target)) << 5
  slot += (<usize>(load<i32>(docs + slot, 12) < target)) << 4
  slot += (<usize>(load<i32>(docs + slot, 4) < target)) << 3
  slot += (<usize>(load<i32>(docs + slot) < target)) << 2
  return <i32>(slot >> 2)
}

// ---- scores -------------------------------------------------------------------------------------

/** BM25 of `freq` in a document of the cursor's field, float32. */
@inline export function scoreOf(c: usize, weight: f32, freq: f32, doc: i32): f32 {
  countScored(1)
  const norms = load<usize>(c, NORMS)
  const code = norms ? <usize>load<u8>(norms + <usize>doc) : NO_NORM_CODE
  const inverse = load<f32>(load<usize>(c, INVERSE) + (code << 2))
  return weight - weight / (<f32>1 + freq * inverse)
}

/** The frequency of a decoded slot; the frequencies must be decoded. */
@inline export function freqAt(c: usize, slot: i32): i32 {
  return load<i32>(load<usize>(c, FREQS) + ((<usize>slot) << 2))
}

/** The score of a decoded slot; the frequencies must be decoded where the clause is no constant. */
@inline export function scoreAt(c: usize, slot: i32, doc: i32): f32 {
  if (isConstant(c)) return load<f32>(c, WEIGHT)
  return scoreOf(c, load<f32>(c, WEIGHT), <f32>freqAt(c, slot), doc)
}

/** Scores the slots [from, to) of the decoded block to `out`, rounded out to groups of four. */
export function scoreSlots(c: usize, from: i32, to: i32, out: usize): void {
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  let at = (<usize>(from & ~3)) << 2
  const end = (<usize>to) << 2
  if (isConstant(c)) {
    for (; at < end; at += 16) v128.store(out + at, weight)
    return
  }
  countScored(to - from)
  decodeFreqsOf(c)
  const docs = load<usize>(c, DOCS)
  const freqs = load<usize>(c, FREQS)
  const norms = load<usize>(c, NORMS)
  const inverse = load<usize>(c, INVERSE)
  const one = f32x4.splat(1)
  if (!norms) {
    const same = f32x4.splat(load<f32>(inverse + (NO_NORM_CODE << 2)))
    for (; at < end; at += 16) {
      const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(freqs + at)), same)
      v128.store(out + at, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
    }
    return
  }
  for (; at < end; at += 16) {
    const a = (<usize>load<u8>(norms + load<u32>(docs + at))) << 2
    const b = (<usize>load<u8>(norms + load<u32>(docs + at, 4))) << 2
    const d = (<usize>load<u8>(norms + load<u32>(docs + at, 8))) << 2
    const e = (<usize>load<u8>(norms + load<u32>(docs + at, 12))) << 2
    let inv = v128.load32_zero(inverse + a)
    inv = v128.load_lane<f32>(inverse + b, inv, 1)
    inv = v128.load_lane<f32>(inverse + d, inv, 2)
    inv = v128.load_lane<f32>(inverse + e, inv, 3)
    const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(freqs + at)), inv)
    v128.store(out + at, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
  }
}

/** Scores `count` documents, at these slots of the block, to `out`, rounded up to a group of four. */
export function scoreList(
  c: usize, block: i32, docs: usize, slots: usize, count: i32, out: usize,
): void {
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  const end = (<usize>count) << 2
  if (isConstant(c)) {
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, weight)
    return
  }
  countScored(count)
  decodeFreqsAt(c, block)
  inversesOf(c, docs, count, out)
  const freqs = load<usize>(c, FREQS)
  const one = f32x4.splat(1)
  for (let i: usize = 0; i < end; i += 16) {
    // Behind the last slot stands anything: it must not lead out of the block.
    let freq = v128.load32_zero(freqs + ((load<u32>(slots + i) & 127) << 2))
    freq = v128.load_lane<i32>(freqs + ((load<u32>(slots + i, 4) & 127) << 2), freq, 1)
    freq = v128.load_lane<i32>(freqs + ((load<u32>(slots + i, 8) & 127) << 2), freq, 2)
    freq = v128.load_lane<i32>(freqs + ((load<u32>(slots + i, 12) & 127) << 2), freq, 3)
    const x = f32x4.mul(f32x4.convert_i32x4_s(freq), v128.load(out + i))
    v128.store(out + i, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
  }
}

/** Whether two cursors' documents have the same inverse norms. */
@inline export function sharesNorms(c: usize, other: usize): bool {
  return (
    load<usize>(c, NORMS) == load<usize>(other, NORMS) &&
    load<usize>(c, INVERSE) == load<usize>(other, INVERSE)
  )
}

/** The inverse norms of `count` documents, float32; rounded up to a group of four with anything. */
export function inversesOf(c: usize, docs: usize, count: i32, out: usize): void {
  const end = (<usize>count) << 2
  const norms = load<usize>(c, NORMS)
  const inverse = load<usize>(c, INVERSE)
  if (!norms) {
    const same = f32x4.splat(load<f32>(inverse + (NO_NORM_CODE << 2)))
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, same)
    return
  }
  for (let i: usize = 0; i < end; i += 4) {
    const code = <usize>load<u8>(norms + load<u32>(docs + i))
    store<f32>(out + i, load<f32>(inverse + (code << 2)))
  }
}

/** The frequencies at `count` places, which rise: block number times 128 and slot. */
export function freqsAt(c: usize, places: usize, count: i32, out: usize): void {
  const freqs = load<usize>(c, FREQS)
  const end = (<usize>count) << 2
  for (let i: usize = 0; i < end; ) {
    const block = load<u32>(places + i) >> 7
    decodeFreqsAt(c, block)
    for (; i < end; i += 4) {
      const place = load<u32>(places + i)
      if (place >> 7 != block) break
      store<i32>(out + i, load<i32>(freqs + ((<usize>(place & 127)) << 2)))
    }
  }
}

/**
 * Scores `count` documents at these places to `out`, rounded up to a group of four.
 * @param inverses for as many words in between
 */
export function scorePlaces(
  c: usize, docs: usize, places: usize, count: i32, inverses: usize, out: usize,
): void {
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  const end = (<usize>count) << 2
  if (isConstant(c)) {
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, weight)
    return
  }
  countScored(count)
  inversesOf(c, docs, count, inverses)
  freqsAt(c, places, count, out)
  const one = f32x4.splat(1)
  for (let i: usize = 0; i < end; i += 16) {
    const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(out + i)), v128.load(inverses + i))
    v128.store(out + i, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
  }
}

/** Adds the scores of `count` frequencies to sums, f64, rounded up to a group of four. */
export function addScores(c: usize, freqs: usize, inverses: usize, count: i32, sums: usize): void {
  countScored(count)
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  const one = f32x4.splat(1)
  const end = (<usize>count) << 2
  for (let i: usize = 0; i < end; i += 16) {
    const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(freqs + i)), v128.load(inverses + i))
    const score = f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x)))
    const at = sums + (i << 1)
    v128.store(at, f64x2.add(v128.load(at), f64x2.promote_low_f32x4(score)))
    const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(score, score, 2, 3, 2, 3))
    v128.store(at, f64x2.add(v128.load(at, 16), high), 16)
  }
}

// ---- bounds -------------------------------------------------------------------------------------

/** The bound of an impact, by the steps of a score (`maxBm25`). */
@inline export function boundOfImpact(c: usize, weight: f32, impact: f32): f64 {
  const share = weight / <f32>(1.0 + <f64>impact * load<f64>(c, DRIFT))
  return <f64>(weight - share) * SLACK
}

@inline export function hasImpacts(c: usize): bool {
  return load<usize>(c, IMPACTS) != 0
}

@inline export function impactOf(c: usize, block: i32): f32 {
  return load<f32>(load<usize>(c, IMPACTS) + ((<usize>block) << 2))
}

/** No score of the block is above; computed once while the block is the same. */
export function blockBound(c: usize, block: i32): f64 {
  if (load<i32>(c, BOUNDED) == block) return load<f64>(c, BLOCK_BOUND)
  if (!hasImpacts(c) || isConstant(c)) return boundOf(c)
  const bound = boundOfImpact(c, load<f32>(c, WEIGHT), impactOf(c, block))
  store<i32>(c, block, BOUNDED)
  store<f64>(c, bound, BLOCK_BOUND)
  return bound
}

/** A score that some document of the block attains, float32, or a little less. */
@inline export function attainedScore(c: usize, impact: f32): f32 {
  const weight = load<f32>(c, WEIGHT)
  const score = weight - weight / <f32>(1.0 + <f64>impact * load<f64>(c, ATTAINED))
  return <f32>(<f64>score / SLACK / SLACK)
}

/** Blocks looked at for the bound of a range; behind that the term's own bound serves. */
const MOST_BLOCKS: i32 = 24

/** The largest impact from `block` through the one that holds `last`; −1: use the term's bound. */
export function maxImpact(c: usize, block: i32, last: i32): f32 {
  const count = load<i32>(c, BLOCK_COUNT)
  if (block >= count) return 0
  const end = min(count, block + MOST_BLOCKS)
  let most: f32 = 0
  for (let b = block; b < end; b++) {
    most = max(most, impactOf(c, b))
    if (lastDoc(c, b) >= last) return most
  }
  return end == count ? most : -1
}

/** No score from `block` through the document `last` is above. */
export function rangeBound(c: usize, block: i32, last: i32): f64 {
  if (bitsOf(c)) return boundOf(c)
  if (block >= load<i32>(c, BLOCK_COUNT)) return 0
  if (!hasImpacts(c) || isConstant(c)) return boundOf(c)
  const impact = maxImpact(c, block, last)
  return impact < 0 ? boundOf(c) : boundOfImpact(c, load<f32>(c, WEIGHT), impact)
}

// ---- positions ----------------------------------------------------------------------------------

/** Makes ready for `startPositions` of a block's slots. */
function openPositions(c: usize, block: i32): void {
  store<i32>(c, block, SUMS_DECODED)
  sumFreqs(load<usize>(c, FREQS), load<usize>(c, SUMS))
  const small = load<i32>(c, SMALL_WIDTH)
  if (small >= 0) {
    store<usize>(c, load<usize>(c, POSITION_DATA), RUN_AT)
    store<i32>(c, small, RUN_WIDTH)
  } else {
    const offset = load<u32>(load<usize>(c, POSITION_OFFSETS) + ((<usize>block) << 2))
    store<usize>(c, load<usize>(c, POSITION_DATA) + offset, RUN_AT)
    store<i32>(c, <i32>load<u8>(load<usize>(c, POSITION_BITS) + <usize>block), RUN_WIDTH)
  }
}

/** Makes ready for reading a block's positions: its frequencies, their sums, and where the run starts. */
export function openRuns(c: usize, block: i32): void {
  decodeFreqsAt(c, block)
  if (load<i32>(c, SUMS_DECODED) != block) openPositions(c, block)
}
@inline export function runAt(c: usize): usize {
  return load<usize>(c, RUN_AT)
}
@inline export function runWidth(c: usize): u32 {
  return load<u32>(c, RUN_WIDTH)
}
/** How many positions the block has whose runs are open. */
export function runEnd(c: usize, block: i32): i32 {
  const last = <usize>(min(load<i32>(c, DOC_FREQ) - (block << 7), 128) - 1) << 2
  return load<i32>(load<usize>(c, SUMS) + last) + load<i32>(load<usize>(c, FREQS) + last)
}
@inline export function positionsOf(c: usize): usize {
  return load<usize>(c, POSITIONS)
}
@inline export function unpackedOf(c: usize): i32 {
  return load<i32>(c, UNPACKED)
}
@inline export function setUnpacked(c: usize, block: i32): void {
  store<i32>(c, block, UNPACKED)
}
/** Of a slot of the block whose runs are open: how many positions stand in front of its own. */
@inline export function runStart(c: usize, slot: i32): i32 {
  return load<i32>(load<usize>(c, SUMS) + ((<usize>slot) << 2))
}

/** Makes the positions of a slot the current ones; the block's frequencies must be decoded. */
@inline export function startPositions(c: usize, block: i32, slot: i32): void {
  if (load<i32>(c, SUMS_DECODED) != block) openPositions(c, block)
  const place = (<usize>slot) << 2
  const start = load<i32>(load<usize>(c, SUMS) + place)
  store<i32>(c, start, RUN_INDEX)
  store<i32>(c, start + load<i32>(load<usize>(c, FREQS) + place), RUN_END)
  store<i32>(c, i32.MIN_VALUE, POSITION)
}

@inline export function hasPosition(c: usize): bool {
  return load<i32>(c, RUN_INDEX) < load<i32>(c, RUN_END)
}

/**
 * How often two terms stand at their places to each other in the current document: where the first stands
 * twice at one position, twice (as Lucene's `ExactPhraseMatcher` has it).
 */
export function pairFrequency(a: usize, b: usize): i32 {
  const atA = load<usize>(a, RUN_AT)
  const atB = load<usize>(b, RUN_AT)
  const widthA = load<u32>(a, RUN_WIDTH)
  const widthB = load<u32>(b, RUN_WIDTH)
  const endA = load<i32>(a, RUN_END)
  const endB = load<i32>(b, RUN_END)
  const shift = load<i32>(b, OFFSET) - load<i32>(a, OFFSET)
  const startA = load<i32>(a, RUN_INDEX)
  const startB = load<i32>(b, RUN_INDEX)
  let i = startA
  let j = startB
  let freq = 0
  // Which of the two stands lower is as good as random.
  while (i < endA && j < endB) {
    const wanted = positionAt(atA, widthA, i) + shift
    const found = positionAt(atB, widthB, j)
    freq += <i32>(wanted == found)
    i += <i32>(wanted <= found)
    j += <i32>(found < wanted)
  }
  countPositions(i - startA + j - startB)
  return freq
}

@inline export function positionAt(at: usize, width: u32, index: i32): i32 {
  const bit = <u64>index * <u64>width
  const mask: u64 = ((<u64>1) << (<u64>width)) - 1
  return <i32>((load<u64>(at + <usize>(bit >> 3)) >> (bit & 7)) & mask)
}

/** The current document's next position, ascending. */
@inline export function nextPosition(c: usize): i32 {
  countPositions(1)
  const index = load<i32>(c, RUN_INDEX)
  const width = load<i32>(c, RUN_WIDTH)
  store<i32>(c, index + 1, RUN_INDEX)
  const bit = (<u64>index) * (<u64>width)
  const word = load<u64>(load<usize>(c, RUN_AT) + <usize>(bit >> 3)) >> (bit & 7)
  const position = <i32>(<u32>(word & (((<u64>1) << (<u64>width)) - 1)))
  store<i32>(c, position, POSITION)
  return position
}

/** The position that was read last; below every position before the first. */
@inline export function positionOf(c: usize): i32 {
  return load<i32>(c, POSITION)
}
