import { expect, it } from 'vitest'
import { countPostings, ordsOf } from '../../../src/search/weight/term-walk.ts'
import { CorruptSegmentError } from '../../../src/util/errors.ts'
import { Random } from '../../../src/util/random.ts'
import { type PostingsList, postingsLeaf } from '../../support/postings-leaf.ts'
import { testArena } from '../../support/test-arena.ts'

const TERMS = 300
const MAX_DOC = 4000
const random = new Random(17)
const arena = testArena(16 << 20)

function listOf(count: number): PostingsList {
  const first = random.below(MAX_DOC - count + 1)
  const docs = Int32Array.from({ length: count }, (_, i) => first + i)
  const freqs = Int32Array.from(docs, () => 1 + random.below(3))
  return { docs, freqs, positions: null }
}

const sizes = Array.from({ length: TERMS }, () => [1, 2, 40, 127, 128, 129, 700][random.below(7)]!)
const name = (i: number): string => `t${i.toString().padStart(3, '0')}`
const lists = sizes.map((size, i) => [name(i), listOf(size)] as const)
const place = { uid: 0, ord: 0, docBase: 0 }
const leaf = postingsLeaf(arena, [{ name: 'f', lists, codes: null }], MAX_DOC, null, place)
const terms = leaf.terms('f')!
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

it('counts the postings of any range of terms', () => {
  for (let i = 0; i < 300; i++) {
    const from = random.below(TERMS)
    const to = random.below(TERMS + 1)
    const upper = to === TERMS ? null : encode(name(to))
    const [first, last] = ordsOf(terms, { lower: encode(name(from)), upper })
    expect([first, last]).toEqual([from, Math.max(from, to)])
    const expected = sizes.slice(from, Math.max(from, to)).reduce((sum, size) => sum + size, 0)
    expect(countPostings(leaf, 'f', Int32Array.of(first, last))).toBe(expected)
  }
})

it('takes damaged dictionaries for what they are, and leaves the module whole', () => {
  const { u8 } = arena.views
  const { start, length } = terms.section
  const groups = terms.index + 16 * terms.groupCount - start
  let refused = 0
  for (let i = 0; i < 3000; i++) {
    const at =
      start +
      (i % 3 === 0 ? 32 + random.below(length - 32) : groups + random.below(length - groups))
    const before = u8.slice(at, at + 8)
    const count = Math.min(1 + random.below(8), start + length - at)
    for (let k = 0; k < count; k++) u8[at + k] = random.below(2) === 0 ? 0xff : random.below(256)
    try {
      expect(countPostings(leaf, 'f', Int32Array.of(0, TERMS))).toBeGreaterThanOrEqual(0)
    } catch (error) {
      expect(error).toBeInstanceOf(CorruptSegmentError)
      refused++
    }
    u8.set(before.subarray(0, Math.min(8, start + length - at)), at)
  }
  expect(refused).toBeGreaterThan(300)
  expect(countPostings(leaf, 'f', Int32Array.of(0, TERMS))).toBe(
    sizes.reduce((sum, size) => sum + size, 0),
  )
})
