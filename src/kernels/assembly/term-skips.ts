/**
 * Skips of a dictionary: of each group the bytes that its entries share, their sizes and the first bytes of their
 * own, side by side, so that a walk finds the next entry of interest without reading those between.
 *
 *   skips := group × ⌈terms / 32⌉ key × ⌈terms / 32⌉
 *   key   := the first 8 bytes of the group's first term, zeros behind a shorter one
 *   group := u8 shared × 32 · u8 size × 32 · u8 first × 32
 *      shared  bytes shared with the term before; 255 in front: an entry has a number above 127 or 255
 *              bytes, and the group has no skips
 *      size    of the entry, the two numbers in front of its bytes included; 0 behind the last term
 */
import { behindData, behindNumber, GROUP_TERMS, varint } from './dictionary-entry'

const GROUP_BYTES: usize = 96
const SIZES: usize = 32
const FIRSTS: usize = 64
/** Bytes of an entry in front of its term's own. */
const HEAD: usize = 2
const NO_SKIPS: u8 = 255

/**
 * Makes the skips of a dictionary of the format `codec/terms/format.ts`.
 * @param index of its groups
 * @param start of its section
 * @param end   of its section
 * @param flags of its header
 * @param skips where they are written, 104 bytes for each group
 * @returns 0; −1: the bytes are corrupt
 */
export function makeTermSkips(
  index: usize, start: usize, end: usize, flags: u32, termCount: i32, skips: usize,
): i32 {
  let key = keysOf(skips, (termCount + GROUP_TERMS - 1) / GROUP_TERMS)
  for (let base = 0; base < termCount; base += GROUP_TERMS) {
    const offset = <usize>load<u32>(index + (<usize>(base / GROUP_TERMS) << 4))
    if (offset >= end - start) return -1
    const count = min(GROUP_TERMS, termCount - base)
    memory.fill(skips, 0, GROUP_BYTES)
    let at = start + offset
    if (!storeKey(key, at, end)) return -1
    key += 8
    let length: usize = 0
    for (let i = 0; i < count; i++) {
      if (at + HEAD > end) return -1
      const shared = <usize>load<u8>(at)
      const rest = <usize>load<u8>(at, 1)
      if ((shared | rest) >= 0x80) {
        store<u8>(skips, NO_SKIPS)
        break
      }
      if (shared > length || at + HEAD + rest > end) return -1
      length = shared + rest
      const next = behindData(at + HEAD + rest, end, flags)
      if (next > end) return -1
      if (next - at > 255) {
        store<u8>(skips, NO_SKIPS)
        break
      }
      const entry = skips + <usize>i
      store<u8>(entry, <u8>shared)
      store<u8>(entry, <u8>(next - at), SIZES)
      store<u8>(entry, load<u8>(at, HEAD), FIRSTS)
      at = next
    }
    skips += GROUP_BYTES
  }
  return 0
}

/** The key of a group from its first entry; false: the bytes are corrupt. */
function storeKey(key: usize, at: usize, end: usize): bool {
  const length = <usize>varint(at + 1)
  if (behindNumber > end || length > end - behindNumber) return false
  store<u64>(key, 0)
  for (let i: usize = 0; i < min<usize>(length, 8); i++)
    store<u8>(key + i, load<u8>(behindNumber + i))
  return true
}

/** Where the keys stand. */
@inline export function keysOf(skips: usize, groupCount: i32): usize {
  return skips + <usize>groupCount * GROUP_BYTES
}

/** A group's skips; 0: it has none. */
@inline export function skipsOf(skips: usize, group: i32): usize {
  const found = skips + <usize>group * GROUP_BYTES
  return load<u8>(found) == NO_SKIPS ? 0 : found
}

@inline export function sharedOf(skips: usize, entry: i32): usize {
  return <usize>load<u8>(skips + <usize>entry)
}

@inline export function sizeOf(skips: usize, entry: i32): usize {
  return <usize>load<u8>(skips + <usize>entry, SIZES)
}

@inline export function firstOf(skips: usize, entry: i32): u32 {
  return <u32>load<u8>(skips + <usize>entry, FIRSTS)
}

/** The first entry from `from` on that shares less than `length` bytes; `count` if there is none. */
@inline export function nextBelow(skips: usize, from: i32, count: i32, length: usize): i32 {
  const max = i8x16.splat(<i8>min<usize>(length, 255))
  const bits =
    <u64><u32>i8x16.bitmask(i8x16.lt_u(v128.load(skips), max)) |
    (<u64><u32>i8x16.bitmask(i8x16.lt_u(v128.load(skips, 16), max)) << 16)
  const left = bits >> <u64>from
  return left == 0 ? count : min(count, from + <i32>ctz(left))
}

/** Bytes of a group's first `count` entries. */
export function bytesOf(skips: usize, count: i32): usize {
  const max = i8x16.splat(<i8>count)
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  const low = v128.and(v128.load(skips, SIZES), i8x16.lt_u(places, max))
  const high = v128.and(
    v128.load(skips, SIZES + 16),
    i8x16.lt_u(i8x16.add(places, i8x16.splat(16)), max),
  )
  const pairs = i16x8.add(
    i16x8.extadd_pairwise_i8x16_u(low),
    i16x8.extadd_pairwise_i8x16_u(high),
  )
  const sums = i32x4.extadd_pairwise_i16x8_u(pairs)
  return <usize>(
    i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)
  )
}

/**
 * The entries of a group whose terms hold some bytes, and maybe others: bit i for entry i. A term holds them where its
 * own bytes do, where the bytes that it shares end with the first of them and its own go on with the others, or where
 * it shares them all with a term that holds them.
 * @param skips of the group
 * @param from  its first entry
 * @param end   of its last one; 16 more bytes are read
 * @param bytes two or more
 */
export function holders(
  skips: usize, from: usize, end: usize, count: i32, bytes: usize, length: i32,
): u32 {
  const front = <usize>(length - 2)
  const one = i8x16.splat(load<i8>(bytes + front))
  const other = i8x16.splat(load<i8>(bytes + front, 1))
  let found: u32 = 0
  let entry = 0
  let entryAt = from
  for (let at = from + front; at + 1 < end; at += 16) {
    const both = v128.and(i8x16.eq(v128.load(at), one), i8x16.eq(v128.load(at, 1), other))
    if (!v128.any_true(both)) continue
    for (let bits = i8x16.bitmask(both); bits != 0; bits &= bits - 1) {
      const start = at + <usize>ctz(bits) - front
      if (!isSame(start, bytes, front)) continue
      while (entry + 1 < count) {
        const next = entryAt + sizeOf(skips, entry)
        if (next > start) break
        entryAt = next
        entry++
      }
      const place = <i32>load<u8>(entryAt) + <i32>start - <i32>(entryAt + HEAD)
      found |= sharers(skips, entry, count, place + length)
    }
  }
  for (let shared = 1; shared < length; shared++) {
    const first = i8x16.splat(load<i8>(bytes + <usize>shared))
    const min = i8x16.splat(<i8>shared)
    const low = startsSo(skips, first, min)
    const high = startsSo(skips + 16, first, min)
    for (let bits = low | (high << 16); bits != 0; bits &= bits - 1) {
      const at = <i32>ctz(bits)
      if (!goesOn(skips, from, at, bytes, length, shared)) continue
      found |= sharers(skips, at, count, <i32>sharedOf(skips, at) - shared + length)
    }
  }
  return found
}

/** An entry and those behind it that share so many bytes with it. */
function sharers(skips: usize, entry: i32, count: i32, length: i32): u32 {
  const behind = nextBelow(skips, entry + 1, count, <usize>length)
  return <u32>((<u64>1 << behind) - (<u64>1 << entry))
}

/** Of 16 entries, those with a first byte and a min of shared ones. */
@inline function startsSo(skips: usize, first: v128, min: v128): u32 {
  const isFirst = i8x16.eq(v128.load(skips, FIRSTS), first)
  return <u32>i8x16.bitmask(v128.and(isFirst, i8x16.ge_u(v128.load(skips), min)))
}

/** Whether the bytes lie in an entry's term, `shared` of them among those that it shares. */
function goesOn(
  skips: usize, from: usize, entry: i32, bytes: usize, length: i32, shared: i32,
): bool {
  const own = from + bytesOf(skips, entry)
  const rest = length - shared
  if (load<u8>(own, 1) < <u8>rest) return false
  if (!isSame(own + HEAD, bytes + <usize>shared, <usize>rest)) return false
  const end = sharedOf(skips, entry)
  for (let i: usize = 1; i <= <usize>shared; i++) {
    const place = end - i
    const term = termOf(skips, from, ownerOf(skips, entry, place))
    if (load<u8>(term + place) != load<u8>(bytes + <usize>shared - i)) return false
  }
  return true
}

/** The entry that a shared byte is from: the last one before whose own bytes begin there or further in front. */
@inline function ownerOf(skips: usize, entry: i32, place: usize): i32 {
  const max = i8x16.splat(<i8>place)
  const bits =
    <u32>i8x16.bitmask(i8x16.le_u(v128.load(skips), max)) |
    (<u32>i8x16.bitmask(i8x16.le_u(v128.load(skips, 16), max)) << 16)
  return 31 - <i32>clz(bits & ((<u32>1 << entry) - 1))
}

/** Where an entry's term would begin if its shared bytes stood in front of its own. */
@inline function termOf(skips: usize, from: usize, entry: i32): usize {
  return from + bytesOf(skips, entry) + HEAD - sharedOf(skips, entry)
}

/**
 * Copies the bytes that an entry shares, from one place on.
 * @param into where the term begins
 */
export function copyShared(
  skips: usize, from: usize, entry: i32, place: usize, into: usize,
): void {
  for (let end = sharedOf(skips, entry); end > place; ) {
    const owner = ownerOf(skips, entry, end - 1)
    const term = termOf(skips, from, owner)
    const first = max(sharedOf(skips, owner), place)
    for (let at = first; at < end; at++) store<u8>(into + at, load<u8>(term + at))
    end = first
  }
}

/** The fewest bytes that an entry behind `from` shares, up to the entry `to`. */
@inline export function leastShared(skips: usize, from: i32, to: i32): usize {
  let least: usize = 255
  for (let i = from + 1; i <= to; i++) least = min(least, sharedOf(skips, i))
  return least
}

@inline function isSame(at: usize, bytes: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++)
    if (load<u8>(at + i) != load<u8>(bytes + i)) return false
  return true
}
