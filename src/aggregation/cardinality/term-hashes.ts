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

/** Registers of whole dictionaries, by precision; they live as long as the dictionary is open. */
const registers = new WeakMap<TermsReader, Map<number, Uint8Array>>()

/** The registers of all terms of a dictionary. @param make makes them */
export function wholeRegisters(
  terms: TermsReader,
  precision: number,
  make: () => Uint8Array,
): Uint8Array {
  const byPrecision = registers.get(terms) ?? new Map<number, Uint8Array>()
  registers.set(terms, byPrecision)
  const known = byPrecision.get(precision) ?? make()
  byPrecision.set(precision, known)
  return known
}

/** Whether bits of ords are those of all terms. */
export function areAll(bits: Uint32Array, terms: TermsReader): boolean {
  const { termCount } = terms
  const whole = termCount >>> 5
  for (let i = 0; i < whole; i++) if (bits[i] !== 0xffffffff) return false
  const rest = termCount & 31
  return rest === 0 || bits[whole] === (1 << rest) - 1
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
