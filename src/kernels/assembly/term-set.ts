/**
 * Frequent terms have their documents as bits too (`segment/term-sets.ts`): whether a document is among
 * them is one load, and how many stand in front of it is its place in the postings, block number times
 * 128 and slot, so that nothing need be sought or decoded.
 *
 *   set    := bits ranks supers
 *   bits   := bit i & 63 of word i >> 6 is document i, and as many words of 0 behind as a set is read past
 *   ranks  := u16 for each word: documents in front of it, from the last multiple of 65,536 on
 *   supers := u32 for each 65,536 documents: documents in front of them
 */
import { rewindAndOr } from './bits'
import { membersOf, ranksOf, supersOf } from './cursor'
import { maxDoc } from './plan'

/** What a document is asked about as: one that no leaf has, which no writer makes, is no member. */
@inline function known(doc: u32): u32 {
  return min(doc, <u32>maxDoc)
}

/** How many of the term's documents stand in front of one of them. */
@inline export function placeOf(c: usize, given: u32): u32 {
  const doc = known(given)
  const word = <usize>(doc >> 6)
  const bits = load<u64>(membersOf(c) + (word << 3)) & (((<u64>1) << (<u64>doc & 63)) - 1)
  const before = load<u32>(supersOf(c) + (<usize>(doc >> 16) << 2))
  return before + <u32>load<u16>(ranksOf(c) + (word << 1)) + <u32>popcnt(bits)
}

/** The places of `count` documents of the term. */
export function placesIn(c: usize, docs: usize, count: i32, out: usize): void {
  for (let i: usize = 0; i < (<usize>count) << 2; i += 4)
    store<u32>(out + i, placeOf(c, load<u32>(docs + i)))
}

/**
 * Writes the indices of those of `docs[from, to)` which the term has.
 * @returns how many there are
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

/** Makes the set of a cursor's documents; `words` are those of its bits. */
export function makeTermSet(
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
