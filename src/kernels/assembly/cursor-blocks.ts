/** A cursor's blocks: seeking one by document, and decoding it into the cursor's buffers. */
import { countDecoded } from './counters'
import {
  BLOCK,
  BLOCK_COUNT,
  BLOCK_OFFSETS,
  BYTE_CODED,
  COUNT,
  DATA,
  DECODED,
  DOC_BITS,
  DOC_FREQ,
  DOCS,
  FREQ_BITS,
  FREQS,
  FREQS_AT,
  FREQS_DECODED,
  HAS_FREQS,
  LAST_DOCS,
  lastDoc,
  rewind,
} from './cursor'
import { decodeDocs, decodeFreqs, decodeTail, DENSE, freqsBehind } from './decode'

/**
 * Number of blocks from the one found by the last `seek` to the one that holds `last`; the cursor
 * stays.
 */
export function blocksThrough(c: usize, last: i32): i32 {
  const block = load<i32>(c, BLOCK)
  const end = seek(c, last)
  store<i32>(c, block, BLOCK)
  return end - block + 1
}

/**
 * Moves forward to the first block whose last doc is at or above `target`.
 * @returns its ord; the number of blocks if there is none
 */
export function seek(c: usize, target: i32): i32 {
  const count = load<i32>(c, BLOCK_COUNT)
  const lasts = load<usize>(c, LAST_DOCS)
  let low = load<i32>(c, BLOCK)
  if (low >= count) return low
  // Usually one of the next eight; comparing all of them avoids an unpredictable branch. Entries
  // behind the term's last block are undefined.
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

/** Moves a doc-only cursor to another term of its field. */
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

/** Address of a block, the width of its doc IDs, and the doc ID before it. */
@inline export function blockAt(c: usize, block: i32): usize {
  return load<usize>(c, DATA) + load<u32>(load<usize>(c, BLOCK_OFFSETS) + ((<usize>block) << 2))
}
/** The coded width of a block’s doc IDs. */
@inline export function docBitsOf(c: usize, block: i32): u32 {
  return <u32>load<u8>(load<usize>(c, DOC_BITS) + <usize>block)
}
/** The last document of the previous block; −1 at the start. */
@inline export function docBefore(c: usize, block: i32): i32 {
  return block == 0 ? -1 : lastDoc(c, block - 1)
}
/** Whether the buffer of doc IDs holds a block. */
@inline export function isDecoded(c: usize, block: i32): bool {
  return load<i32>(c, DECODED) == block
}

/** Address of a block coded as bits, the first for the doc after the previous block; else 0. */
export function denseBlock(c: usize, block: i32): usize {
  // A small term is decoded already.
  if (!load<usize>(c, DOC_BITS)) return 0
  const bits = docBitsOf(c, block)
  return bits == BYTE_CODED || !(bits & DENSE) ? 0 : blockAt(c, block)
}

/** Decodes a block's doc IDs, unless they are in the buffer. */
export function decode(c: usize, block: i32): void {
  if (load<i32>(c, DECODED) == block) return
  countDecoded()
  store<i32>(c, block, DECODED)
  const at = blockAt(c, block)
  const bits = docBitsOf(c, block)
  const before = docBefore(c, block)
  const docs = load<usize>(c, DOCS)
  if (bits == BYTE_CODED) {
    // Corrupt postings (a misplaced tail) must not overflow the buffers.
    const count = min(load<i32>(c, DOC_FREQ) - (block << 7), 127)
    decodeTail(at, count, load<i32>(c, HAS_FREQS), before, docs, load<usize>(c, FREQS))
    store<i32>(c, block, FREQS_DECODED)
    store<i32>(c, count, COUNT)
    return
  }
  store<usize>(c, decodeDocs(at, bits, before, lastDoc(c, block), docs), FREQS_AT)
  store<i32>(c, 128, COUNT)
}

/** Decodes the frequencies of the block whose doc IDs are in the buffer. */
export function decodeFreqsOf(c: usize): void {
  const block = load<i32>(c, DECODED)
  if (load<i32>(c, FREQS_DECODED) == block) return
  if (docBitsOf(c, block) == BYTE_CODED) {
    // A tail codes both together, and another block's frequencies were decoded in between.
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

/** Decodes the frequencies of any block; the buffer of doc IDs may change. */
export function decodeFreqsAt(c: usize, block: i32): void {
  if (load<i32>(c, FREQS_DECODED) == block) return
  const bits = docBitsOf(c, block)
  if (bits == BYTE_CODED) {
    // A tail codes both together, and one of them was overwritten.
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

/**
 * First of the 128 decoded slots with a doc at or above `target`, which must not exceed the last
 * doc.
 */
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
