import { describe, expect, it } from 'vitest'
import { hasPartAlone } from '../../../src/search/bulk/part-bits.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'

const ACCEPT = 64

/** A leaf of so many documents, with bits set behind an address. */
function leafOf(maxDoc: number, ...bits: number[]): Leaf {
  const u32 = new Uint32Array(1024)
  for (const bit of bits)
    u32[(ACCEPT >> 2) + (bit >>> 5)] = (u32[(ACCEPT >> 2) + (bit >>> 5)]! | (1 << (bit & 31))) >>> 0
  return { maxDoc, views: { u32 } } as unknown as Leaf
}

function isAlone(leaf: Leaf, minDoc: number, maxDoc: number, accept = ACCEPT): boolean {
  return hasPartAlone(leaf, { leafOrd: 0, minDoc, maxDoc }, accept)
}

describe('accepted documents', () => {
  it.each([1, 31, 32, 33, 127, 128, 129, 4096, 4100])('are those of a leaf of %i alone', count => {
    expect(isAlone(leafOf(count, 0, count - 1), 0, count)).toBe(true)
    expect(isAlone(leafOf(count), 0, count)).toBe(true)
  })

  it.each([
    [1, 1],
    [31, 31],
    [32, 32],
    [33, 63],
    [100, 127],
    [129, 130],
    [4100, 4223],
  ])('are not in a leaf of %i with bit %i', (count, bit) => {
    expect(isAlone(leafOf(count, 0, bit), 0, count)).toBe(false)
  })

  it('are not where the part is none of a whole leaf, or all documents are accepted', () => {
    expect(isAlone(leafOf(100), 1, 100)).toBe(false)
    expect(isAlone(leafOf(100), 0, 99)).toBe(false)
    expect(isAlone(leafOf(100), 0, 100, 0)).toBe(false)
  })
})
