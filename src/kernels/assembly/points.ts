/** Range queries over a field's points (`codec/points/format.ts`). */

/** Bytes of an index entry for values of two words. */
const ENTRY: usize = 24
const POINTS_PER_BLOCK: i32 = 512

/** The value of two words, most significant first. */
@inline function valueAt(at: usize): u64 {
  return ((<u64>load<u32>(at)) << 32) | <u64>load<u32>(at, 4)
}

@inline function packedAt(at: usize, i: i32, width: u32): u32 {
  const bit = (<u64>i) * (<u64>width)
  const mask = ((<u64>1) << (<u64>width)) - 1
  return <u32>((load<u64>(at + <usize>(bit >> 3)) >> (bit & 7)) & mask)
}

/** Bytes of `count` packed numbers of a width, padded to four. */
@inline function packedBytes(count: i32, width: u32): usize {
  return <usize>(((<u64>count * <u64>width + 31) >> 5) << 2)
}

/**
 * Sets the bits of the documents with a point in [lower, upper], given as unsigned words.
 * @param index,data the section's index and blocks
 * @param count      points of the field, of two words each
 */
export function orPoints(
  index: usize, data: usize, count: i32,
  lowerHi: u32, lowerLo: u32, upperHi: u32, upperLo: u32,
  bits: usize, maxDoc: u32,
): void {
  const lower = ((<u64>lowerHi) << 32) | <u64>lowerLo
  const upper = ((<u64>upperHi) << 32) | <u64>upperLo
  const blocks = (count + POINTS_PER_BLOCK - 1) / POINTS_PER_BLOCK
  let low = 0
  let high = blocks
  while (low < high) {
    const middle = (low + high) >>> 1
    if (valueAt(index + <usize>middle * ENTRY + 16) < lower) low = middle + 1
    else high = middle
  }
  for (let block = low; block < blocks; block++) {
    const entry = index + <usize>block * ENTRY
    const first = valueAt(entry + 8)
    if (first > upper) return
    const length = min(POINTS_PER_BLOCK, count - block * POINTS_PER_BLOCK)
    const docs = data + <usize>load<u32>(entry)
    const docBits = load<u32>(entry, 4)
    let from = 0
    let to = length
    if (first < lower || valueAt(entry + 16) > upper) {
      const hi = docs + packedBytes(length, docBits)
      const lo = hi + 8 + packedBytes(length, load<u32>(hi, 4))
      from = firstAbove(hi, lo, length, lower, false)
      to = firstAbove(hi, lo, length, upper, true)
    }
    orPacked(docs, from, to, docBits, bits, maxDoc)
  }
}

/** Max width of which one load of eight bytes, from any bit of the first, holds three numbers. */
const THREE_FIT: u32 = 19

/** Sets the bits of the packed documents with indices in [from, to). */
function orPacked(docs: usize, from: i32, to: i32, width: u32, bits: usize, maxDoc: u32): void {
  let i = from
  if (width <= THREE_FIT) {
    const mask = ((<u64>1) << (<u64>width)) - 1
    const step = <u64>width * 3
    let bit = <u64>from * <u64>width
    for (; i + 2 < to; i += 3, bit += step) {
      let word = load<u64>(docs + <usize>(bit >> 3)) >> (bit & 7)
      setBit(bits, <u32>(word & mask), maxDoc)
      word >>= <u64>width
      setBit(bits, <u32>(word & mask), maxDoc)
      word >>= <u64>width
      setBit(bits, <u32>(word & mask), maxDoc)
    }
  }
  for (; i < to; i++) setBit(bits, packedAt(docs, i, width), maxDoc)
}

@inline function setBit(bits: usize, doc: u32, maxDoc: u32): void {
  // A corrupt document past the end must not leave the set.
  if (doc >= maxDoc) return
  const byte = bits + <usize>(doc >> 3)
  store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (doc & 7)))
}

/** The index of a block's first ascending value above `value`, or at it if `past` is false. */
function firstAbove(hi: usize, lo: usize, length: i32, value: u64, past: bool): i32 {
  const hiBase = (<u64>load<u32>(hi)) << 32
  const loBase = <u64>load<u32>(lo)
  const hiBits = load<u32>(hi, 4)
  const loBits = load<u32>(lo, 4)
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    const own =
      hiBase + ((<u64>packedAt(hi + 8, middle, hiBits)) << 32) +
      loBase + <u64>packedAt(lo + 8, middle, loBits)
    if (own < value || (past && own == value)) low = middle + 1
    else high = middle
  }
  return low
}
