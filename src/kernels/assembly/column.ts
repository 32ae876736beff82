/** A single-valued numeric column (`codec/doc-values/format.ts`). */

/** log2 of the values of one block, and of the documents of one rank entry. */
export const BLOCK_SHIFT: i32 = 7
const RANK_SHIFT: i32 = 9

// State of the open column. Module globals: an instance runs one call at a time.
let presence: usize = 0
let ranks: usize = 0
let blocks: usize = 0
let data: usize = 0

/**
 * Opens a column.
 * @param presenceAt 0 when every document has a value
 * @param blocksAt   0 when none has
 */
export function openColumn(
  presenceAt: usize, ranksAt: usize, blocksAt: usize, dataAt: usize,
): void {
  presence = presenceAt
  ranks = ranksAt
  blocks = blocksAt
  data = dataAt
}

/** Whether no document has a value. */
@inline export function isEmpty(): bool {
  return !blocks
}
/** Whether every document has a value, so that its index equals the doc ID. */
@inline export function isFull(): bool {
  return blocks != 0 && !presence
}

/** The index of a document's value among all values; −1: it has none. */
export function indexOf(doc: i32): i32 {
  if (!blocks) return -1
  if (!presence) return doc
  const word = presence + (<usize>(doc >> 5) << 2)
  if (!((load<u32>(word) >> (<u32>doc & 31)) & 1)) return -1
  let index = load<i32>(ranks + (<usize>(doc >> RANK_SHIFT) << 2))
  for (let at = presence + (<usize>(doc >> RANK_SHIFT) << 6); at < word; at += 4)
    index += popcnt<i32>(load<i32>(at))
  return index + popcnt<u32>(load<u32>(word) & ((<u32>1 << (<u32>doc & 31)) - 1))
}

/** The number of documents before one that have a value. */
export function rankOf(doc: i32): i32 {
  if (!presence) return doc
  let rank = load<i32>(ranks + (<usize>(doc >> RANK_SHIFT) << 2))
  const word = presence + (<usize>(doc >> 5) << 2)
  for (let at = presence + (<usize>(doc >> RANK_SHIFT) << 6); at < word; at += 4)
    rank += popcnt<i32>(load<i32>(at))
  return rank + popcnt<u32>(load<u32>(word) & ((<u32>1 << (<u32>doc & 31)) - 1))
}

/** The value at an index. */
@inline export function valueAt(index: i32): i64 {
  const block = blocks + (<usize>(index >> BLOCK_SHIFT) << 4)
  return load<i64>(block) + <i64>packed(block, index)
}

/** Max width of a value that one unaligned load of eight bytes always covers. */
export const WIDEST_AT_ONCE: u64 = 57
/** Address of the metadata of the blocks. */
@inline export function blocksOfColumn(): usize {
  return blocks
}
/** Address of the packed values. */
@inline export function dataOfColumn(): usize {
  return data
}
/**
 * The value at an index of a column with the given block metadata and data; undefined if the
 * block's width exceeds `WIDEST_AT_ONCE`.
 */
@inline export function valueWithin(block: usize, dataAt: usize, index: i32): i64 {
  const width = <u64>load<u32>(block, 12)
  const bit = (<u64>index & 127) * width
  const bits = load<u64>(dataAt + <usize>load<u32>(block, 8) + <usize>(bit >> 3)) >> (bit & 7)
  return load<i64>(block) + <i64>(bits & ((<u64>1 << width) - 1))
}

/** A value minus its block's base. */
@inline function packed(block: usize, index: i32): u64 {
  const width = <u64>load<u32>(block, 12)
  if (!width) return 0
  const bit = (<u64>index & 127) * width
  const at = data + <usize>load<u32>(block, 8) + <usize>(bit >> 3)
  const shift = bit & 7
  let value = load<u64>(at) >> shift
  // Up to seven bits of a wide value are in the ninth byte.
  if (shift + width > 64) value |= (<u64>load<u8>(at, 8)) << (64 - shift)
  return value & (~(<u64>0) >> (64 - width))
}

// The record of `orValues`; `search/bulk/plan-record.ts` names the same offsets.
const PRESENCE: usize = 0
const RANKS: usize = 4
const BLOCKS: usize = 8
const DATA: usize = 12
/** Output bits, for documents in [MIN_DOC, MAX_DOC) with a value in [LOWER, UPPER], i64. */
const BITS: usize = 16
const MIN_DOC: usize = 20
const MAX_DOC: usize = 24
const LOWER: usize = 32
const UPPER: usize = 40

/** Sets the bits of a range's documents whose values lie in a closed interval. */
export function orValues(at: usize): void {
  openColumn(
    load<usize>(at, PRESENCE), load<usize>(at, RANKS), load<usize>(at, BLOCKS), load<usize>(at, DATA),
  )
  if (isEmpty()) return
  const bits = load<usize>(at, BITS)
  const lower = load<i64>(at, LOWER)
  const span = <u64>(load<i64>(at, UPPER) - lower)
  const maxDoc = load<i32>(at, MAX_DOC)
  for (let doc = load<i32>(at, MIN_DOC); doc < maxDoc; ) {
    const word = bits + (<usize>(doc >> 6) << 3)
    const end = min((doc | 63) + 1, maxDoc)
    const held = isFull() ? heldOfFull(doc, end, lower, span) : heldOfSome(doc, end, lower, span)
    store<u64>(word, load<u64>(word) | held)
    doc = end
  }
}

/** Mask of a word's documents whose value minus `lower` is at most `span`. */
function heldOfSome(from: i32, to: i32, lower: i64, span: u64): u64 {
  let held: u64 = 0
  for (let doc = from; doc < to; doc++) {
    const index = indexOf(doc)
    if (index < 0) continue
    const isWithin = <u64>(valueAt(index) - lower) <= span
    held |= (<u64>isWithin) << (<u64>doc & 63)
  }
  return held
}

/** The same when every document has a value: all lie in one block, most within eight bytes each. */
function heldOfFull(from: i32, to: i32, lower: i64, span: u64): u64 {
  const block = blocks + (<usize>(from >> BLOCK_SHIFT) << 4)
  const width = <u64>load<u32>(block, 12)
  if (width == 0 || width > WIDEST_AT_ONCE) return heldOfSome(from, to, lower, span)
  const base = load<i64>(block) - lower
  const mask = ~(<u64>0) >> (64 - width)
  const values = data + <usize>load<u32>(block, 8)
  let bit = (<u64>from & 127) * width
  let held: u64 = 0
  for (let doc = from; doc < to; doc++, bit += width) {
    const value = (load<u64>(values + <usize>(bit >> 3)) >> (bit & 7)) & mask
    const isWithin = <u64>(base + <i64>value) <= span
    held |= (<u64>isWithin) << (<u64>doc & 63)
  }
  return held
}
