/**
 * Intersection of ascending documents with a term's block. A block of bits, or of consecutive
 * documents, is not decoded for it.
 */
import { BYTE_CODED, countOf, docsOf, lastDoc } from './cursor'
import { blockAt, decode, docBefore, docBitsOf, isDecoded } from './cursor-blocks'
import { isDense } from './decode'
import { intersect } from './intersect'

/**
 * Finds those of `docs[from, to)`, max 128 and none above the block's last doc, that the block
 * holds. Writes their indices in the list to `outA` and their slots in the block to `outB`.
 * @returns their number
 */
export function findMembers(
  c: usize, block: i32, docs: usize, from: i32, to: i32, outA: usize, outB: usize,
): i32 {
  if (!isDecoded(c, block)) {
    const bits = docBitsOf(c, block)
    if (bits == 0) return findInRun(docBefore(c, block) + 1, docs, from, to, outA, outB)
    if (bits != BYTE_CODED && isDense(bits))
      return findInBits(c, block, docs, from, to, outA, outB)
    decode(c, block)
  }
  return intersect(docs, from, to, docsOf(c), countOf(c), outA, outB)
}

/** For a block of the 128 consecutive documents from `first` on. */
function findInRun(
  first: i32, docs: usize, from: i32, to: i32, outA: usize, outB: usize,
): i32 {
  let found: usize = 0
  for (let i = from; i < to; i++) {
    const slot = load<i32>(docs + ((<usize>i) << 2)) - first
    store<i32>(outA + found, i)
    store<i32>(outB + found, slot)
    found += (<usize>(<u32>slot < 128)) << 2
  }
  return <i32>(found >> 2)
}

function findInBits(
  c: usize, block: i32, docs: usize, from: i32, to: i32, outA: usize, outB: usize,
): i32 {
  const at = blockAt(c, block)
  const first = docBefore(c, block) + 1
  const length = <u32>(lastDoc(c, block) - first + 1)
  let found: usize = 0
  // Running count of the slots in the words before the current one.
  let word: u32 = 0
  let slots = 0
  let current = load<u64>(at)
  for (let i = from; i < to; i++) {
    const bit = <u32>(load<i32>(docs + ((<usize>i) << 2)) - first)
    // Corrupt, non-ascending documents must not lead out of the block.
    if (bit >= length) continue
    while (word < bit >> 6) {
      slots += <i32>popcnt(current)
      word++
      current = load<u64>(at + ((<usize>word) << 3))
    }
    const mask = (<u64>1) << (<u64>bit & 63)
    store<i32>(outA + found, i)
    store<i32>(outB + found, (slots + <i32>popcnt(current & (mask - 1))) & 127)
    found += (<usize>((current & mask) != 0)) << 2
  }
  return <i32>(found >> 2)
}
