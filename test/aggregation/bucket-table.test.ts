import { describe, expect, it } from 'vitest'
import { BucketTable } from '../../src/aggregation/bucket-table.ts'
import { Random } from '../../src/util/random.ts'

describe('BucketTable', () => {
  it.each([0, 15, 16, 17, 40, 1000])('finds buckets behind %i appended ones', appended => {
    const table = new BucketTable()
    for (let low = 0; low < appended; low++) expect(table.append(0, 0, low)).toBe(low)
    for (let low = 0; low < 100; low++) {
      expect(table.bucketOf(1, -1, low)).toBe(appended + low)
      expect(table.bucketOf(1, -1, low)).toBe(appended + low)
    }
    expect(table.size).toBe(appended + 100)
    expect([table.owner(appended + 7), table.high(appended + 7), table.low(appended + 7)]).toEqual([
      1, -1, 7,
    ])
  })

  it('numbers keys in order of first sight, appended ones between them (seed 5)', () => {
    const random = new Random(5)
    for (let round = 0; round < 40; round++) {
      const table = new BucketTable()
      const known = new Map<string, number>()
      let size = 0
      for (let i = random.below(400); i >= 0; i--) {
        const run = random.below(3) === 0 ? random.below(60) : 0
        for (let k = 0; k < run; k++) expect(table.append(0, 1, size)).toBe(size++)
        const key = [1 + random.below(5), random.below(3) - 1, random.below(40)] as const
        const expected = known.get(key.join()) ?? size++
        known.set(key.join(), expected)
        expect(table.bucketOf(...key)).toBe(expected)
      }
      expect(table.size).toBe(size)
    }
  })

  it('charges what it takes', () => {
    let charged = 0
    const table = new BucketTable(bytes => {
      charged += bytes
    })
    for (let low = 0; low < 1000; low++) table.append(0, 0, low)
    const appended = charged
    expect(appended).toBeGreaterThanOrEqual(48 * 1000)
    table.bucketOf(1, 0, 0)
    expect(charged - appended).toBe(48 * (2048 - 16))
  })
})
