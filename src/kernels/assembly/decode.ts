/**
 * Decoders of postings and positions. The formats are those of `codec/postings/format.ts` and
 * `codec/positions/format.ts`; `kernels/twin.ts` is the same code in TypeScript under the same
 * names, and the tests compare the two.
 */
import { unpack, unpackDocs } from './unpack'

/** Slots of a decoded block: always 128, a short tail padded with its last value. */
const BLOCK: i32 = 128
const PATCHED: u32 = 0x40
export const DENSE: u32 = 0x80
const WIDTH: u32 = 0x3f

/** Whether a block's doc IDs are stored as bits; false for a byte-coded one. */
@inline export function isDense(bits: u32): bool {
  return (bits & DENSE) != 0
}

/** Adds the high parts of a patched block's exceptions; returns the address after them. */
function patch(at: usize, width: u32, out: usize): usize {
  const count = <i32>load<u8>(at)
  let p = at + 1
  for (let i = 0; i < count; i++) {
    // A corrupt index must not leave the buffer.
    const slot = out + ((<usize>(load<u8>(p) & 127)) << 2)
    store<u32>(slot, load<u32>(slot) + ((<u32>load<u8>(p, 1)) << width))
    p += 2
  }
  return p
}

function fillOnes(out: usize): void {
  const one = i32x4.splat(1)
  for (let i: usize = 0; i < 512; i += 16) v128.store(out + i, one)
}

/** Turns 128 gaps into doc IDs after `before`. */
function sumGaps(out: usize, before: i32): void {
  let sum = i32x4.splat(before)
  const zero = i32x4.splat(0)
  for (let i: usize = 0; i < 512; i += 16) {
    let value = v128.load(out + i)
    value = i32x4.add(value, v128.shuffle<i32>(zero, value, 3, 4, 5, 6))
    value = i32x4.add(value, v128.shuffle<i32>(zero, value, 0, 1, 4, 5))
    sum = i32x4.add(value, sum)
    v128.store(out + i, sum)
    sum = v128.shuffle<i32>(sum, sum, 3, 3, 3, 3)
  }
}

/**
 * Doc IDs of up to 128 set bits, where bit i is `before + 1 + i`. Writes eight at a time, valid or
 * not: the end of a word would be mispredicted each time.
 */
function decodeDense(at: usize, byteLength: u32, before: i32, out: usize): void {
  let p = out
  const last = out + 512
  let base = before + 1
  for (let i: u32 = 0; i < byteLength; i += 8) {
    let word = load<u64>(at + i)
    const rest = byteLength - i
    if (rest < 8) word &= ((<u64>1) << (<u64>rest << 3)) - 1
    const next = p + (<usize>popcnt(word) << 2)
    for (; p < next; p += 32) {
      if (p + 32 > last) {
        for (; word != 0 && p < last; word &= word - 1, p += 4) store<i32>(p, base + <i32>ctz(word))
        break
      }
      store<i32>(p, base + <i32>ctz(word))
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 4)
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 8)
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 12)
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 16)
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 20)
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 24)
      word &= word - 1
      store<i32>(p, base + <i32>ctz(word), 28)
      word &= word - 1
    }
    p = next
    base += 64
  }
}

/**
 * Decodes the 128 doc IDs of a full block.
 * @param at     address of the block
 * @param bits   the block's `docBits`
 * @param before the last doc ID before the block, −1 at the start of the postings
 * @param last   the block's last doc ID
 * @param out    128 i32
 * @returns the address after the doc IDs, where the frequencies start
 */
export function decodeDocs(at: usize, bits: u32, before: i32, last: i32, out: usize): usize {
  if (bits & DENSE) {
    const byteLength = (<u32>(last - before) + 7) >> 3
    decodeDense(at, byteLength, before, out)
    return at + byteLength
  }
  const width = bits & WIDTH
  let end = at + ((<usize>width) << 4)
  if (bits & PATCHED) {
    if (width) unpack(width, at, out)
    else fillOnes(out)
    end = patch(end, width, out)
    sumGaps(out, before)
  } else if (width) unpackDocs(width, at, out, before)
  else {
    let value = i32x4.add(i32x4.splat(before), i32x4(1, 2, 3, 4))
    const four = i32x4.splat(4)
    for (let i: usize = 0; i < 512; i += 16) {
      v128.store(out + i, value)
      value = i32x4.add(value, four)
    }
  }
  return end
}

/**
 * Address of a full block's frequencies, without decoding its doc IDs.
 * @param at, bits, before, last as for `decodeDocs`
 */
export function freqsBehind(at: usize, bits: u32, before: i32, last: i32): usize {
  if (bits & DENSE) return at + ((<u32>(last - before) + 7) >> 3)
  const end = at + ((<usize>(bits & WIDTH)) << 4)
  return bits & PATCHED ? end + 1 + ((<usize>load<u8>(end)) << 1) : end
}

/**
 * Decodes the 128 frequencies of a full block.
 * @param at   address of the frequencies
 * @param bits the block's `freqBits`
 * @param out  128 i32, each min 1
 * @returns the address after them
 */
export function decodeFreqs(at: usize, bits: u32, out: usize): usize {
  const width = bits & WIDTH
  let end = at + ((<usize>width) << 4)
  if (width) unpack(width, at, out)
  else fillOnes(out)
  if (bits & PATCHED) end = patch(end, width, out)
  return end
}

/**
 * Decodes a byte-coded tail of 1–127 documents and pads both blocks: with the last doc ID, and with
 * frequency 1.
 * @param hasFreqs 1 when frequencies are coded, 0 when every one is 1
 * @returns the address after the tail
 */
export function decodeTail(
  at: usize, count: i32, hasFreqs: i32, before: i32, docs: usize, freqs: usize,
): usize {
  let p = at
  let doc = before
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
    let freq: u32 = 1
    if (hasFreqs) {
      if (!(code & 1)) {
        freq = 0
        let shift: u32 = 0
        for (;;) {
          const byte = <u32>load<u8>(p++)
          freq |= (byte & 0x7f) << shift
          if (!(byte & 0x80)) break
          shift += 7
        }
        freq += 2
      }
      code >>= 1
    }
    doc += <i32>code + 1
    store<i32>(docs + ((<usize>i) << 2), doc)
    store<i32>(freqs + ((<usize>i) << 2), freq)
  }
  for (let i = count; i < BLOCK; i++) {
    store<i32>(docs + ((<usize>i) << 2), doc)
    store<i32>(freqs + ((<usize>i) << 2), 1)
  }
  return p
}

/** Exclusive prefix sums of 128 frequencies: the index of each document's first position. */
export function sumFreqs(freqs: usize, out: usize): void {
  let sum = i32x4.splat(0)
  const zero = i32x4.splat(0)
  for (let i: usize = 0; i < 512; i += 16) {
    const freq = v128.load(freqs + i)
    let value = i32x4.add(freq, v128.shuffle<i32>(zero, freq, 3, 4, 5, 6))
    value = i32x4.add(value, v128.shuffle<i32>(zero, value, 0, 1, 4, 5))
    value = i32x4.add(value, sum)
    v128.store(out + i, i32x4.sub(value, freq))
    sum = v128.shuffle<i32>(value, value, 3, 3, 3, 3)
  }
}

/**
 * Copies `count` positions of a block from index `start` on. They are packed consecutively, `width`
 * (0–32) bits each.
 */
export function unpackPositions(at: usize, width: u32, start: u32, count: i32, out: usize): void {
  const mask: u64 = ((<u64>1) << (<u64>width)) - 1
  let bit: u64 = (<u64>start) * (<u64>width)
  for (let i = 0; i < count; i++) {
    const value = (load<u64>(at + <usize>(bit >> 3)) >> (bit & 7)) & mask
    store<u32>(out + ((<usize>i) << 2), <u32>value)
    bit += <u64>width
  }
}

/** Does nothing: measures the cost of a call into the module. */
export function cross(value: i32): i32 {
  return value
}
