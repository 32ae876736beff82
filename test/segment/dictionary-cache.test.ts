import { describe, expect, it } from 'vitest'
import { DictionaryCache, skipBytesOf } from '../../src/segment/dictionary-cache.ts'
import type { SpareMemory } from '../../src/segment/spare-memory.ts'
import type { ArenaRange } from '../../src/store/arena-pool.ts'

/** Memory for some bytes, in an arena by the segment's uid. */
function memoryOf(limit: number): SpareMemory & { taken: Set<ArenaRange> } {
  const taken = new Set<ArenaRange>()
  let next = 64
  return {
    taken,
    allocateSpare(uid, bytes) {
      const used = [...taken].reduce((sum, range) => sum + range.bytes, 0)
      if (used + bytes > limit) return null
      const range = { arena: uid % 2, start: next, bytes }
      next += bytes
      taken.add(range)
      return range
    },
    free: range => void taken.delete(range),
    bytesOf: () => new Uint8Array(0),
  }
}

describe('what is derived from dictionaries', () => {
  it('is made at the second walk of a large dictionary, once', () => {
    const memory = memoryOf(1e6)
    const cache = new DictionaryCache(memory, skipBytesOf)
    const made: number[] = []
    const make = (at: number): number => {
      made.push(at)
      return 0
    }
    expect(cache.find({ uid: 1 }, 3, 2048, make)).toBe(0)
    expect(cache.find({ uid: 1 }, 4, 2048, make)).toBe(0)
    expect(cache.find({ uid: 2 }, 3, 2048, make)).toBe(0)
    expect(made).toEqual([])
    expect(cache.find({ uid: 1 }, 3, 2048, make)).toBe(64)
    expect(cache.find({ uid: 1 }, 3, 2048, make)).toBe(64)
    expect(made).toEqual([64])
    expect([...memory.taken].map(({ bytes }) => bytes)).toEqual([64 * 104])
    for (let i = 0; i < 4; i++) expect(cache.find({ uid: 1 }, 5, 2047, make)).toBe(0)
  })

  it('is nothing without room or where the dictionary is damaged, and takes nothing then', () => {
    const memory = memoryOf(64 * 104)
    const cache = new DictionaryCache(memory, skipBytesOf, { minTerms: 1, usesToMake: 1 })
    expect(cache.find({ uid: 1 }, 0, 2048, () => -1)).toBe(0)
    expect(memory.taken.size).toBe(0)
    expect(cache.find({ uid: 1 }, 1, 2049, () => 0)).toBe(0)
    expect(cache.find({ uid: 1 }, 2, 2048, () => 0)).toBe(64 + 64 * 104)
    expect(cache.find({ uid: 1 }, 3, 2048, () => 0)).toBe(0)
  })

  it('goes with its segment, and least recently used first', () => {
    const memory = memoryOf(1e6)
    const cache = new DictionaryCache(memory, skipBytesOf, { minTerms: 1, usesToMake: 1 })
    const at = (uid: number, field: number): number => cache.find({ uid }, field, 32, () => 0)
    const first = [at(1, 0), at(1, 1), at(2, 0), at(3, 0)]
    expect(new Set(first).size).toBe(4)
    expect(at(1, 0)).toBe(first[0])
    // Arena 1 has those of segments 1 and 3; field 1 of segment 1 was not used since.
    expect(cache.dropOldest(1)).toBe(true)
    expect(memory.taken.size).toBe(3)
    expect([at(1, 0), at(2, 0), at(3, 0)]).toEqual([first[0], first[2], first[3]])
    cache.forget({ uid: 1 })
    expect(memory.taken.size).toBe(2)
    expect(cache.dropOldest(null)).toBe(true)
    expect(cache.dropOldest(0)).toBe(false)
    expect(cache.dropOldest(1)).toBe(true)
    expect(cache.dropOldest(null)).toBe(false)
    expect(memory.taken.size).toBe(0)
  })
})
