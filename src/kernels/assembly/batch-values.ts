/** Reads the values of a batch's documents in groups of up to 128, so that each stays in cache. */
import { ADDRESSES, BLOCKS, COUNT, DATA, DOCS, GROUP, PRESENCE, RANKS, RUN } from './batch-record'
import { indexOf, openColumn, rankOf, valueAt, valueWithin, WIDEST_AT_ONCE } from './column'
import { unpackColumn } from './unpack'

const GROUP_SIZE: i32 = 128
const BLOCK_SHIFT: i32 = 7
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
  rest = 0
  restEnd = 0
  rank = run < 0 || !count ? 0 : rankOf(run)
}

/** Address of the group's values, i64. */
@inline export function groupValues(): usize {
  return group
}

/** Address of the indexes of the documents that have them, ascending, i32. */
@inline export function groupIndexes(): usize {
  return indexes
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
  nameIndexes(size)
  next += size
  return size
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
  const first = run + next
  const size = min((first | (GROUP_SIZE - 1)) + 1, run + count) - first
  const block = blocks + (<usize>(first >> BLOCK_SHIFT) << 4)
  const width = <u64>load<u32>(block, 12)
  const isWide = width > WIDEST_AT_ONCE
  const base = load<i64>(block)
  const mask = ((<u64>1) << width) - 1
  const packed = data + <usize>load<u32>(block, 8)
  let bit = <u64>(first & (GROUP_SIZE - 1)) * width
  let found: usize = 0
  for (let i = 0; i < size; i++, bit += width) {
    const ord = isWide
      ? <u64>valueAt(first + i)
      : <u64>base + ((load<u64>(packed + <usize>(bit >> 3)) >> (bit & 7)) & mask)
    // Each is written, and kept by moving on: most have no bucket, and which ones do cannot be guessed.
    const key = <usize>min<u64>(ord, limit)
    store<i32>(group + found, <i32>key)
    store<i32>(indexes + found, next + i)
    found += ((load<u32>(accepted + ((key >> 5) << 2)) >> (<u32>key & 31)) & 1) << 2
  }
  next += size
  return <i32>(found >> 2)
}

/** Gives the values of a group the next documents of the batch, one each. */
@inline function nameIndexes(size: i32): void {
  let index = i32x4.add(i32x4.splat(next), i32x4(0, 1, 2, 3))
  const four = i32x4.splat(4)
  for (let i: usize = 0; i < <usize>size << 2; i += 16) {
    v128.store(indexes + i, index)
    index = i32x4.add(index, four)
  }
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
  nameIndexes(size)
  next += size
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

const MAX_LOWEST: u64 = 1 << 31

/** Whether values from an index on, of which there are up to 128, less a base lie in [0, 2³¹). */
export function areNarrow(from: i32, size: i32, base: i64): bool {
  return isNarrow(from >> BLOCK_SHIFT, base) && isNarrow((from + size - 1) >> BLOCK_SHIFT, base)
}

@inline function isNarrow(number: i32, base: i64): bool {
  const block = blocks + (<usize>number << 4)
  const width = load<u32>(block, 12)
  const lowest = <u64>(load<i64>(block) - base)
  return width < 31 && lowest <= MAX_LOWEST && lowest + ((<u64>1) << <u64>width) <= MAX_LOWEST
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
      unpackBlock(index, end - index, group)
      for (let i: usize = 0; i < <usize>(end - index) << 3; i += 8) {
        const key = <u64>(load<i64>(group + i) - lowest)
        if (key >= <u64>limit) continue
        const slot = counts + (<usize>key << 2)
        store<u32>(slot, load<u32>(slot) + 1)
      }
    }
    index = end
  }
}

/** Address of the batch's list of documents, i32, and behind it. */
@inline export function listStart(): usize {
  return docs
}
@inline export function listEnd(): usize {
  return docs + (<usize>count << 2)
}

/** The value of a document of a list, which has one. @param at its address in the list */
@inline export function listedValue(at: usize): i64 {
  const doc = load<i32>(at)
  const block = blocks + (<usize>(doc >> BLOCK_SHIFT) << 4)
  const isWide = <u64>load<u32>(block, 12) > WIDEST_AT_ONCE
  return isWide ? valueAt(doc) : valueWithin(block, data, doc)
}

/** The same of the documents of a list, which have one value each. */
export function countListed(counts: usize, lowest: i64, limit: u32): void {
  const end = listEnd()
  for (let at = listStart(); at < end; at += 4) {
    const key = <u64>(listedValue(at) - lowest)
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
