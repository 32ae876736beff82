/** Counts by slot, u32 each, made smaller where they stand. */

/**
 * Narrows counts to as few bytes as the largest one takes, one behind the other.
 * @returns bytes of each: 1, 2 or 4
 */
export function narrowCounts(counts: usize, size: i32): i32 {
  const bytes = <usize>size << 2
  const end = counts + bytes
  let all = i32x4.splat(0)
  let at = counts
  for (; at + 16 <= end; at += 16) all = v128.or(all, v128.load(at))
  let bits =
    i32x4.extract_lane(all, 0) | i32x4.extract_lane(all, 1) |
    i32x4.extract_lane(all, 2) | i32x4.extract_lane(all, 3)
  for (; at < end; at += 4) bits |= load<i32>(at)
  if (<u32>bits >> 16) return 4
  let out = counts
  at = counts
  if (<u32>bits >> 8) {
    for (; at + 32 <= end; at += 32, out += 16)
      v128.store(out, i16x8.narrow_i32x4_u(v128.load(at), v128.load(at, 16)))
    for (; at < end; at += 4, out += 2) store<u16>(out, <u16>load<u32>(at))
    return 2
  }
  for (; at + 64 <= end; at += 64, out += 16) {
    const low = i16x8.narrow_i32x4_u(v128.load(at), v128.load(at, 16))
    const high = i16x8.narrow_i32x4_u(v128.load(at, 32), v128.load(at, 48))
    v128.store(out, i8x16.narrow_i16x8_u(low, high))
  }
  for (; at < end; at += 4, out++) store<u8>(out, <u8>load<u32>(at))
  return 1
}

/** Turns counts into bits, lowest first: set where there is one. The last word is filled up with zeros. */
export function bitsOfCounts(counts: usize, size: i32): void {
  const end = counts + (<usize>size << 2)
  const zero = i32x4.splat(0)
  let out = counts
  let at = counts
  for (; at + 128 <= end; at += 128, out += 4) {
    let word: u32 = 0
    for (let i: u32 = 0; i < 8; i++)
      word |= <u32>i32x4.bitmask(i32x4.ne(v128.load(at + (<usize>i << 4)), zero)) << (i << 2)
    store<u32>(out, word)
  }
  if (at == end) return
  let word: u32 = 0
  for (let i: u32 = 0; at < end; at += 4, i++) word |= <u32>(load<u32>(at) != 0) << i
  store<u32>(out, word)
}
