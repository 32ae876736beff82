/** Reads the values of a batch's documents in groups of up to 128, so that each stays in cache. */
import { ADDRESSES, BLOCKS, COUNT, DATA, DOCS, GROUP, PRESENCE, RANKS, RUN } from './batch-record'
import {
  BLOCK_SHIFT,
  indexOf,
  openColumn,
  rankOf,
  valueAt,
  valueWithin,
  WIDEST_AT_ONCE,
} from './column'
import { unpackColumn, unpackIntegers } from './unpack'

const GROUP_SIZE: i32 = 128
/** Unpacking writes up to so many bytes past the last value. */
const PAST_BYTES: i32 = 56

// State of the open batch. Module globals: an instance runs one call at a time.
let presence: usize = 0
let blocks: usize = 0
let data: usize = 0
let addresses: usize = 0
let docs: usize = 0
let run: i32 = 0
let count: i32 = 0
let group: usize = 0
let indexes: usize = 0
/** The next document of the batch. */
let next: i32 = 0
/** The first document of the group, and how many there are, whose indexes are still to be written. */
let first: i32 = 0
let unnamed: i32 = 0
/** Rank of the next document of a run among those with values. */
let rank: i32 = 0
/** Values of the last document that belong to the next group. */
let rest: i32 = 0
let restEnd: i32 = 0

/** Opens the batch and the column of a record. */
export function openValues(at: usize): void {
  presence = load<usize>(at, PRESENCE)
  blocks = load<usize>(at, BLOCKS)
  data = load<usize>(at, DATA)
  openColumn(presence, load<usize>(at, RANKS), blocks, data)
  addresses = load<usize>(at, ADDRESSES)
  docs = load<usize>(at, DOCS)
  run = load<i32>(at, RUN)
  count = load<i32>(at, COUNT)
  group = load<usize>(at, GROUP)
  indexes = group + (GROUP_SIZE << 3) + PAST_BYTES
  next = 0
  unnamed = 0
  rest = 0
  restEnd = 0
  rank = run < 0 || !count ? 0 : rankOf(run)
}

/** Address of the group's values, i64. */
@inline export function groupValues(): usize {
  return group
}

/** Address of the indexes of the documents that have them, ascending, i32. */
export function groupIndexes(): usize {
  if (unnamed) nameIndexes()
  return indexes
}

/** The index of the group's first document, where each has one value. */
@inline export function firstIndex(): i32 {
  return first
}

/** Whether the documents of the open batch have one value each: indexes are those of the values. */
@inline export function haveOneEach(): bool {
  return !addresses && !presence
}

/** Reads the next group; returns its number of values, 0 at the end. */
export function nextGroup(): i32 {
  if (run < 0) return addresses ? listedMany() : presence ? listed() : listedOfAll()
  if (addresses) return runOfMany()
  return presence ? runOfSome() : runOfAll()
}

@inline function has(doc: i32): bool {
  return ((load<u32>(presence + (<usize>(doc >> 5) << 2)) >> (<u32>doc & 31)) & 1) != 0
}

/** A run of documents that have one value each. */
function runOfAll(): i32 {
  const size = min(GROUP_SIZE, count - next)
  if (size <= 0) return 0
  unpack(run + next, size)
  takeNext(size)
  return size
}

/**
 * The same of values that are keys but for a base, as i32 in place of values.
 * @param limit keys are below it; others become −1
 */
export function nextIntegers(lowest: i64, limit: u32): i32 {
  const size = min(GROUP_SIZE, count - next)
  if (size <= 0) return 0
  unpackKeys(run + next, size, lowest, limit)
  takeNext(size)
  return size
}

/** Widths of blocks whose highest value is known well enough. */
const WIDEST_BOUNDED: u64 = 62

/**
 * Passes over the next group of a run of documents with one value each, if the bounds of its block tell that all
 * values are beyond a threshold.
 * @param flip xor mask of values that are compared: −1 in a descending order
 * @returns how many documents, whose values are not read; 0: it may have others
 */
export function skipBeyond(flip: i64, threshold: i64): i32 {
  const from = run + next
  const size = min(GROUP_SIZE, count - next)
  if (size <= 0 || (from & (GROUP_SIZE - 1)) + size > GROUP_SIZE) return 0
  const block = blocks + (<usize>(from >> BLOCK_SHIFT) << 4)
  const width = <u64>load<u32>(block, 12)
  const lowest = load<i64>(block)
  const highest = lowest + <i64>((<u64>1 << width) - 1)
  if (width > WIDEST_BOUNDED || highest < lowest) return 0
  if ((flip ? highest ^ flip : lowest) <= threshold) return 0
  takeNext(size)
  return size
}

/** The group has the next documents of the batch, one value each. */
@inline function takeNext(size: i32): void {
  first = next
  unnamed = size
  next += size
}

/**
 * Reads the next group of such a run, of ordinals, those alone that have buckets: as i32 in place of values, with their
 * indexes.
 * @param accepted bits of these ords; that of `limit` is 0
 * @param limit    ords are below it
 * @returns how many they are, −1 at the end
 */
export function nextAccepted(accepted: usize, limit: u32): i32 {
  if (next >= count) return -1
  const size = min(GROUP_SIZE, count - next)
  unpackKeys(run + next, size, 0, limit)
  // Up to three behind the last one are looked at too.
  store<i64>(group + (<usize>size << 2), -1)
  store<i64>(group + (<usize>size << 2), -1, 8)
  const limits = i32x4.splat(limit)
  let found: usize = 0
  for (let i: usize = 0; i < <usize>size << 2; i += 16) {
    const keys = i32x4.min_u(v128.load(group + i), limits)
    const pair = <u64>i64x2.extract_lane(keys, 0)
    const other = <u64>i64x2.extract_lane(keys, 1)
    const has0 = acceptedBit(accepted, <u32>pair)
    const has1 = acceptedBit(accepted, <u32>(pair >> 32))
    const has2 = acceptedBit(accepted, <u32>other)
    const has3 = acceptedBit(accepted, <u32>(other >> 32))
    if (!((has0 | has1 | has2 | has3) & 1)) continue
    // Each of the four is written, and kept by moving on: which ones have buckets cannot be guessed.
    const index = next + <i32>(i >> 2)
    found = keepIf(has0, found, <i32>pair, index)
    found = keepIf(has1, found, <i32>(pair >> 32), index + 1)
    found = keepIf(has2, found, <i32>other, index + 2)
    found = keepIf(has3, found, <i32>(other >> 32), index + 3)
  }
  next += size
  return <i32>(found >> 2)
}

/** The bit of a key is the lowest one; others mean nothing. */
@inline function acceptedBit(accepted: usize, key: u32): u32 {
  return <u32>load<u8>(accepted + <usize>(key >> 3)) >> (key & 7)
}

@inline function keepIf(bit: u32, found: usize, key: i32, index: i32): usize {
  store<i32>(group + found, key)
  store<i32>(indexes + found, index)
  return found + (<usize>(bit & 1) << 2)
}

/** Writes the indexes of a group whose documents have one value each: few readers want them. */
function nameIndexes(): void {
  let index = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3))
  const four = i32x4.splat(4)
  for (let i: usize = 0; i < <usize>unnamed << 2; i += 16) {
    v128.store(indexes + i, index)
    index = i32x4.add(index, four)
  }
  unnamed = 0
}

/** A run of documents, some of which have one value. */
function runOfSome(): i32 {
  let size: i32 = 0
  for (; next < count && size < GROUP_SIZE; next++) {
    store<i32>(indexes + (<usize>size << 2), next)
    size += <i32>has(run + next)
  }
  if (size) unpack(rank, size)
  rank += size
  return size
}

/** A run of documents that may have several values: those lie side by side. */
function runOfMany(): i32 {
  let size: i32 = 0
  let first = rest
  if (rest == restEnd) {
    while (next < count && presence && !has(run + next)) next++
    if (next == count) return 0
    openNext()
    first = rest
  }
  for (;;) {
    const taken = min(restEnd - rest, GROUP_SIZE - size)
    for (let i = 0; i < taken; i++) store<i32>(indexes + (<usize>(size + i) << 2), next - 1)
    size += taken
    rest += taken
    if (size == GROUP_SIZE) break
    while (next < count && presence && !has(run + next)) next++
    if (next == count) break
    openNext()
  }
  unpack(first, size)
  return size
}

/** Opens the values of the run's next document, which has some. */
@inline function openNext(): void {
  rest = load<i32>(addresses + (<usize>rank << 2))
  restEnd = load<i32>(addresses + (<usize>rank << 2), 4)
  rank++
  next++
}

/** The same of documents of a list, all of which have one value. */
function listedOfAll(): i32 {
  const size = min(GROUP_SIZE, count - next)
  if (size <= 0) return 0
  const list = docs + (<usize>next << 2)
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const doc = load<i32>(list + i)
    const block = blocks + (<usize>(doc >> BLOCK_SHIFT) << 4)
    const isWide = <u64>load<u32>(block, 12) > WIDEST_AT_ONCE
    store<i64>(group + (i << 1), isWide ? valueAt(doc) : valueWithin(block, data, doc))
  }
  takeNext(size)
  return size
}

function listed(): i32 {
  let size: i32 = 0
  for (; next < count && size < GROUP_SIZE; next++) {
    const index = indexOf(load<i32>(docs + (<usize>next << 2)))
    if (index < 0) continue
    store<i64>(group + (<usize>size << 3), valueAt(index))
    store<i32>(indexes + (<usize>size << 2), next)
    size++
  }
  return size
}

function listedMany(): i32 {
  let size: i32 = 0
  while (size < GROUP_SIZE) {
    if (rest < restEnd) {
      store<i64>(group + (<usize>size << 3), valueAt(rest++))
      store<i32>(indexes + (<usize>size << 2), next - 1)
      size++
      continue
    }
    if (next == count) break
    const index = indexOf(load<i32>(docs + (<usize>next << 2)))
    next++
    if (index < 0) continue
    rest = load<i32>(addresses + (<usize>index << 2))
    restEnd = load<i32>(addresses + (<usize>index << 2), 4)
  }
  return size
}

/** The index of the first value of a run. */
export function firstValue(): i32 {
  return addresses ? load<i32>(addresses + (<usize>rank << 2)) : rank
}

/** The index behind the last value of a run. */
export function endValue(): i32 {
  if (!count) return firstValue()
  const last = run + count - 1
  const end = rankOf(last) + (presence ? <i32>has(last) : 1)
  return addresses ? load<i32>(addresses + (<usize>end << 2)) : end
}

/** Bases of blocks to which a value of a lane may be added. */
const MAX_LOWEST: u64 = 1 << 30

/**
 * Unpacks up to 128 values from an index on, less a base, as i32, where the bounds of their blocks tell that they lie in
 * [0, 2³¹). @returns whether they do
 */
export function unpackNarrow(from: i32, size: i32, base: i64): bool {
  if (!isNarrow(from >> BLOCK_SHIFT, base)) return false
  if (!isNarrow((from + size - 1) >> BLOCK_SHIFT, base)) return false
  unpackKeys(from, size, base, MAX_NARROW)
  return true
}

const MAX_NARROW: u32 = 0x7fffffff

@inline function isNarrow(number: i32, base: i64): bool {
  const block = blocks + (<usize>number << 4)
  const width = <u64>load<u32>(block, 12)
  const lowest = <u64>(load<i64>(block) - base)
  return width <= WIDEST_IN_LANES && lowest <= MAX_LOWEST
}

/** Unpacks up to 128 values from an index on into the group. */
export function unpack(from: i32, size: i32): void {
  let out = group
  for (let index = from; index < from + size; ) {
    const end = min((index | (GROUP_SIZE - 1)) + 1, from + size)
    unpackBlock(index, end - index, out)
    out += <usize>(end - index) << 3
    index = end
  }
}

/** Unpacks up to 128 values from an index on as keys, as `nextIntegers` says. */
function unpackKeys(from: i32, size: i32, lowest: i64, limit: u32): void {
  let out = group
  for (let index = from; index < from + size; ) {
    const end = min((index | (GROUP_SIZE - 1)) + 1, from + size)
    unpackBlockKeys(index, end - index, out, lowest, limit)
    out += <usize>(end - index) << 2
    index = end
  }
}

/** Widths that are unpacked in lanes of 32 bits. */
const WIDEST_IN_LANES: u64 = 25

function unpackBlockKeys(index: i32, size: i32, out: usize, lowest: i64, limit: u32): void {
  const block = blocks + (<usize>(index >> BLOCK_SHIFT) << 4)
  const width = <u64>load<u32>(block, 12)
  const base = <u64>(load<i64>(block) - lowest)
  const end = out + (<usize>size << 2)
  // Eight values end with a byte.
  if (width == 0 || width > WIDEST_IN_LANES || base > MAX_LOWEST || index & 7) {
    for (let at = out, i = index; at < end; at += 4, i++) {
      const key = <u64>(valueAt(i) - lowest)
      store<i32>(at, key < <u64>limit ? <i32>key : -1)
    }
    return
  }
  const from = data + <usize>load<u32>(block, 8) + <usize>((index & (GROUP_SIZE - 1)) >> 3) * <usize>width
  unpackIntegers(<u32>width, from, out, end, <i32>base)
  // No key of most blocks can be beyond the limit.
  if (base + ((<u64>1) << width) <= <u64>limit) return
  const limits = i32x4.splat(limit)
  for (let at = out; at < end; at += 16) {
    const keys = v128.load(at)
    v128.store(at, v128.or(keys, i32x4.ge_u(keys, limits)))
  }
}

/** Widths of which one load of eight bytes holds four values. */
const FOUR_AT_ONCE: u64 = 14

/** Unpacks values of one block. */
function unpackBlock(index: i32, size: i32, out: usize): void {
  const block = blocks + (<usize>(index >> BLOCK_SHIFT) << 4)
  const width = load<u32>(block, 12)
  if (width == 0) {
    const bases = i64x2.splat(load<i64>(block))
    for (let i: usize = 0; i < <usize>size << 3; i += 16) v128.store(out + i, bases)
    return
  }
  // Eight values end with a byte.
  if (<u64>width > WIDEST_AT_ONCE || index & 7) {
    for (let i = 0; i < size; i++) store<i64>(out + (<usize>i << 3), valueAt(index + i))
    return
  }
  const from = data + <usize>load<u32>(block, 8) + <usize>((index & (GROUP_SIZE - 1)) >> 3) * <usize>width
  unpackColumn(width, from, out, out + (<usize>size << 3), load<i64>(block))
}

/**
 * Counts a range of values that are keys but for a base.
 * @param counts u32 by key
 * @param limit  keys are below it
 * @param room   counts that may be written: those from the limit on are nobody's
 */
export function countPlain(
  from: i32, to: i32, counts: usize, lowest: i64, limit: u32, room: u32,
): void {
  for (let index = from; index < to; ) {
    const end = min((index | (GROUP_SIZE - 1)) + 1, to)
    const block = blocks + (<usize>(index >> BLOCK_SHIFT) << 4)
    const base = <u64>(load<i64>(block) - lowest)
    const width = <u64>load<u32>(block, 12)
    // No key of most blocks can be beyond the room: only the others are compared one by one.
    const isBelow = base < <u64>limit && width < 32 && base + ((<u64>1) << width) <= <u64>room
    if (isBelow && width <= FOUR_AT_ONCE) countNarrow(index, end, base, width, counts)
    else {
      unpackBlockKeys(index, end - index, group, lowest, limit)
      countIntegers(end - index, counts)
    }
    index = end
  }
}

/** Signs of two integers of 32 bits. */
export const SIGNS: u64 = 0x8000000080000000

/** Counts the keys of a group, i32, four at once until one is negative, which is none, then one by one. */
export function countIntegers(size: i32, counts: usize): void {
  let at = group
  const end = at + (<usize>size << 2)
  for (; at + 16 <= end; at += 16) {
    const first = load<u64>(at)
    const second = load<u64>(at, 8)
    if ((first | second) & SIGNS) break
    countOne(counts, <u64><u32>first)
    countOne(counts, first >> 32)
    countOne(counts, <u64><u32>second)
    countOne(counts, second >> 32)
  }
  for (; at < end; at += 4) {
    const key = load<i32>(at)
    if (key >= 0) countOne(counts, <u64>key)
  }
}

/** Address of the batch's list of documents, i32, and behind it. */
@inline export function listStart(): usize {
  return docs
}
@inline export function listEnd(): usize {
  return docs + (<usize>count << 2)
}

/** Documents of a list in one block at the mean, up to which each looks its block up: to tell whether it is another is a branch that is often mistaken. */
const FEW_IN_BLOCK: i32 = 4

/** Whether documents of the list mostly lie in blocks of their own. */
export function isSparse(): bool {
  if (count < 2) return true
  const span = load<i32>(docs + (<usize>(count - 1) << 2)) - load<i32>(docs)
  return span * FEW_IN_BLOCK > count * GROUP_SIZE
}

/**
 * The same of the documents of a list, which have one value each. Keys are few, so that each lies in eight bytes.
 * Where many documents are listed, several lie in one block, which is looked up once.
 */
export function countListed(counts: usize, lowest: i64, limit: u32): void {
  const end = listEnd()
  let number: i32 = -1
  let base: u64 = 0
  let packed: usize = 0
  let width: u64 = 0
  let mask: u64 = 0
  for (let at = listStart(); at < end; at += 4) {
    const doc = load<i32>(at)
    if (doc >> BLOCK_SHIFT != number) {
      number = doc >> BLOCK_SHIFT
      const block = blocks + (<usize>number << 4)
      base = <u64>(load<i64>(block) - lowest)
      packed = data + <usize>load<u32>(block, 8)
      width = <u64>load<u32>(block, 12)
      mask = (<u64>1 << width) - 1
    }
    const bit = <u64>(doc & (GROUP_SIZE - 1)) * width
    const key = base + ((load<u64>(packed + <usize>(bit >> 3)) >> (bit & 7)) & mask)
    if (key < <u64>limit) countOne(counts, key)
  }
}

function countNarrow(from: i32, to: i32, base: u64, width: u64, counts: usize): void {
  const block = blocks + (<usize>(from >> BLOCK_SHIFT) << 4)
  const mask = ((<u64>1) << width) - 1
  const packed = data + <usize>load<u32>(block, 8)
  const first = counts + (<usize>base << 2)
  let bit = <u64>(from & (GROUP_SIZE - 1)) * width
  let index = from
  for (; index + 4 <= to; index += 4, bit += 4 * width) {
    const word = load<u64>(packed + <usize>(bit >> 3)) >> (bit & 7)
    countOne(first, word & mask)
    countOne(first, (word >> width) & mask)
    countOne(first, (word >> (2 * width)) & mask)
    countOne(first, (word >> (3 * width)) & mask)
  }
  for (; index < to; index++, bit += width)
    countOne(first, (load<u64>(packed + <usize>(bit >> 3)) >> (bit & 7)) & mask)
}

@inline function countOne(first: usize, key: u64): void {
  const slot = first + (<usize>key << 2)
  store<u32>(slot, load<u32>(slot) + 1)
}
