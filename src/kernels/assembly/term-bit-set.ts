/**
 * Bit sets of frequent terms, beside their postings (`segment/term-bit-sets.ts`): one load tests a
 * document, and its rank is its posting ord, block · 128 + slot, so that no block is sought or
 * decoded.
 *
 *   set    := bits ranks supers
 *   bits   := bit i & 63 of word i >> 6 is document i; then as many words of 0 as reads may run past it
 *   ranks  := u16 for each word: documents before it, counted from the last multiple of 65,536
 *   supers := u32 for each 65,536 documents: documents before them
 */
import { rewindAndOr } from './bits'
import { membersOf, ranksOf, supersOf } from './cursor'
import { maxDoc } from './plan'

/** Clamps a corrupt document, beyond every leaf, to one that is no member. */
@inline function known(doc: u32): u32 {
  return min(doc, <u32>maxDoc)
}

/** The rank of a document: the number of the term's documents before it. */
@inline export function ordOf(c: usize, given: u32): u32 {
  const doc = known(given)
  const word = <usize>(doc >> 6)
  const bits = load<u64>(membersOf(c) + (word << 3)) & (((<u64>1) << (<u64>doc & 63)) - 1)
  const before = load<u32>(supersOf(c) + (<usize>(doc >> 16) << 2))
  return before + <u32>load<u16>(ranksOf(c) + (word << 1)) + <u32>popcnt(bits)
}

/** The ranks of `count` documents of the term. */
export function ordsIn(c: usize, docs: usize, count: i32, out: usize): void {
  for (let i: usize = 0; i < (<usize>count) << 2; i += 4)
    store<u32>(out + i, ordOf(c, load<u32>(docs + i)))
}

/**
 * Writes the indices of those of `docs[from, to)` that the term has.
 * @returns their number
 */
export function membersAmong(c: usize, docs: usize, from: i32, to: i32, out: usize): i32 {
  const bits = membersOf(c)
  let found: usize = 0
  for (let i = from; i < to; i++) {
    const doc = known(load<u32>(docs + ((<usize>i) << 2)))
    store<i32>(out + found, i)
    found += <usize>((<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1) << 2
  }
  return <i32>(found >> 2)
}

/** Makes the bit set of a cursor's documents; `words` is the length of its bits. */
export function makeTermBitSet(
  c: usize, bits: usize, words: i32, ranks: usize, supers: usize, docs: i32,
): void {
  memory.fill(bits, 0, (<usize>words) << 3)
  rewindAndOr(c, bits, 0, docs)
  let before: u32 = 0
  let base: u32 = 0
  for (let word = 0; word < words; word++) {
    if ((word & 1023) == 0) {
      base = before
      store<u32>(supers + (<usize>(word >> 10) << 2), base)
    }
    store<u16>(ranks + ((<usize>word) << 1), <u16>(before - base))
    before += <u32>popcnt(load<u64>(bits + ((<usize>word) << 3)))
  }
}
