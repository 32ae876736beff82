/**
 * Bit sets of documents: document i is bit i & 31 of word i >> 5. Addresses and lengths are
 * multiples of 16.
 */
import { blockCount, countOf, docsOf, lastDoc, membersOf, rewind } from './cursor'
import { decode, denseBlock, seek, slotOf } from './cursor-blocks'

/** Fills a run of bytes with one value: 0 or 255. */
export function fillBits(bits: usize, byteLength: i32, value: i32): void {
  memory.fill(bits, <u8>value, byteLength)
}

/** bits &= other */
export function andBits(bits: usize, other: usize, byteLength: i32): void {
  for (let i: usize = 0; i < <usize>byteLength; i += 16)
    v128.store(bits + i, v128.and(v128.load(bits + i), v128.load(other + i)))
}

/** bits |= other */
export function orBits(bits: usize, other: usize, byteLength: i32): void {
  for (let i: usize = 0; i < <usize>byteLength; i += 16)
    v128.store(bits + i, v128.or(v128.load(bits + i), v128.load(other + i)))
}

/** bits &= ~other */
export function andNotBits(bits: usize, other: usize, byteLength: i32): void {
  for (let i: usize = 0; i < <usize>byteLength; i += 16)
    v128.store(bits + i, v128.andnot(v128.load(bits + i), v128.load(other + i)))
}

/** Counts the bits set in `byteLength` bytes, a multiple of 8. */
export function countBits(bits: usize, byteLength: i32): i32 {
  let sum: i64 = 0
  for (let i: usize = 0; i < <usize>byteLength; i += 8) sum += popcnt<u64>(load<u64>(bits + i))
  return <i32>sum
}

/**
 * Lists the bits set in `byteLength` bytes, a multiple of 8, as `first` + their number; returns how
 * many there are. Writes two integers past them.
 */
export function listBits(bits: usize, byteLength: i32, first: i32, out: usize): i32 {
  let end = out
  for (let i: usize = 0; i < <usize>byteLength; i += 8) {
    let held = load<u64>(bits + i)
    const base = first + <i32>(i << 3)
    const next = end + (<usize>popcnt(held) << 2)
    // Two at a time, valid or not, and at least two: a wrong guess of the end costs more.
    do {
      store<i32>(end, base + <i32>ctz(held))
      held &= held - 1
      store<i32>(end, base + <i32>ctz(held), 4)
      held &= held - 1
      end += 8
    } while (end < next)
    end = next
  }
  return <i32>((end - out) >> 2)
}

/** Sets the bits of a cursor's documents in [from, to); bit 0 of `bits` is the document `base`. */
export function orPostings(c: usize, bits: usize, base: i32, from: i32, to: i32): void {
  if (membersOf(c)) {
    orWords(membersOf(c), bits, base, from, to)
    return
  }
  const blocks = blockCount(c)
  const docs = docsOf(c)
  // Corrupt postings (documents out of order) must not write outside the set.
  const limit = <u32>(to - base)
  for (let b = seek(c, from); b < blocks; b++) {
    const last = lastDoc(c, b)
    const before = b == 0 ? -1 : lastDoc(c, b - 1)
    if (before >= from - 1 && last < to && before < last) {
      const dense = denseBlock(c, b)
      if (dense) {
        orDense(dense, last - before, bits, before + 1 - base)
        if (last >= to - 1) return
        continue
      }
    }
    decode(c, b)
    let at = load<i32>(docs) < from ? slotOf(docs, from) : 0
    const end = last < to ? countOf(c) : slotOf(docs, to)
    for (; at < end; at++) {
      const bit = <u32>(load<i32>(docs + ((<usize>at) << 2)) - base)
      if (bit >= limit) continue
      // A byte, not a word: neighbours seldom share one, so stores do not wait for each other.
      const byte = bits + <usize>(bit >> 3)
      store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (bit & 7)))
    }
    if (last >= to - 1) return
  }
}

/**
 * Sets the bits of [from, to) that a set has; bit 0 of `bits` is the document `base`, a multiple of
 * 64.
 */
export function orWords(held: usize, bits: usize, base: i32, from: i32, to: i32): void {
  for (let word = from >> 6; word << 6 < to; word++) {
    const at = bits + ((<usize>(word - (base >> 6))) << 3)
    store<u64>(at, load<u64>(at) | wordOf(held, word, from, to))
  }
}

/** Copies `count` set bits from `at`; the first of them becomes the bit `first`. */
function orDense(at: usize, count: i32, bits: usize, first: i32): void {
  const shift = <u64>first & 63
  let word = bits + (<usize>(first >> 6) << 3)
  for (let left = count; left > 0; left -= 64, at += 8, word += 8) {
    let held = load<u64>(at)
    if (left < 64) held &= ~(<u64>0) >> <u64>(64 - left)
    store<u64>(word, load<u64>(word) | (held << shift))
    // The remaining bits go to the next word; without any, that word may be past the set's end.
    const over = shift ? held >> (64 - shift) : 0
    if (over) store<u64>(word, load<u64>(word, 8) | over, 8)
  }
}

/** Sets the bits of a byte-coded tail's `count` documents, all below `maxDoc`. */
export function orTail(at: usize, count: i32, hasFreqs: i32, bits: usize, maxDoc: i32): void {
  let p = at
  let doc = -1
  for (let i = 0; i < count; i++) {
    let code: u32 = <u32>load<u8>(p++)
    if (code & 0x80) {
      code &= 0x7f
      let shift: u32 = 7
      for (;;) {
        const byte = <u32>load<u8>(p++)
        code |= (byte & 0x7f) << shift
        if (!(byte & 0x80)) break
        shift += 7
      }
    }
    if (hasFreqs) {
      // Skip the frequency, coded here because it is above one.
      if (!(code & 1)) while (load<u8>(p++) & 0x80) {}
      code >>= 1
    }
    doc += <i32>code + 1
    if (<u32>doc >= <u32>maxDoc) return
    const word = bits + ((<usize>(doc >> 6)) << 3)
    store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>doc & 63)))
  }
}

/** `orPostings` from a cursor's start, for a whole leaf. */
export function rewindAndOr(c: usize, bits: usize, from: i32, to: i32): void {
  rewind(c)
  orPostings(c, bits, 0, from, to)
}

/** The bits of 64 documents, those outside [from, to) cleared. */
@inline export function wordOf(bits: usize, word: i32, from: i32, to: i32): u64 {
  return load<u64>(bits + ((<usize>word) << 3)) & inRange(word, from, to)
}

/** Mask of a word's 64 documents: the bits of those in [from, to) are set. */
@inline export function inRange(word: i32, from: i32, to: i32): u64 {
  const first = word << 6
  let mask = ~(<u64>0)
  if (from > first) mask &= ~(<u64>0) << <u64>(from - first)
  if (to < first + 64) mask &= ~(<u64>0) >> <u64>(first + 64 - to)
  return mask
}
