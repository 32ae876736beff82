import type { TermsReader } from '../../codec/terms/reader.ts'
import { countOnes } from '../../util/bits.ts'
import { murmur128First } from '../../util/murmur128.ts'
import { Word64 } from '../../util/word64.ts'

/** Below this share of its terms those that are wanted are hashed for themselves. */
const SPARSE_SHARE = 1 / 16

/** Hashes live as long as the dictionary is open. */
const kept = new WeakMap<TermsReader, Int32Array>()

const word = new Word64()

/**
 * Hashes of the terms of a dictionary by ord, upper and lower halves in turn.
 * @param wanted bits of the ords that will be read; the others may be 0
 */
export function termHashes(terms: TermsReader, wanted: Uint32Array): Int32Array {
  const known = kept.get(terms)
  if (known !== undefined) return known
  const hashes = new Int32Array(2 * terms.termCount)
  if (countOf(wanted) < SPARSE_SHARE * terms.termCount) {
    wanted.forEach((bits, i) => {
      for (let rest = bits; rest !== 0; rest &= rest - 1) {
        const ord = 32 * i + 31 - Math.clz32(rest & -rest)
        put(hashes, ord, terms.termOfOrd(ord))
      }
    })
    return hashes
  }
  const each = terms.iterator()
  for (let ord = 0; each.next(); ord++) put(hashes, ord, each.term())
  kept.set(terms, hashes)
  return hashes
}

function put(hashes: Int32Array, ord: number, term: Uint8Array): void {
  murmur128First(term, word)
  hashes[2 * ord] = word.high
  hashes[2 * ord + 1] = word.low
}

function countOf(words: Uint32Array): number {
  let count = 0
  for (const bits of words) count += countOnes(bits)
  return count
}
