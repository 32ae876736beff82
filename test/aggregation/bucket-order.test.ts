import { expect, it } from 'vitest'
import {
  type BucketOrder,
  compareBuckets,
  firstCounted,
} from '../../src/aggregation/bucket-order.ts'
import { Random } from '../../src/util/random.ts'

it('finds the first buckets of all that have a min count, as sorting them does (seed 902)', () => {
  const random = new Random(902)
  const orders: readonly (readonly BucketOrder[])[] = [
    [
      { by: 'count', descending: true },
      { by: 'key', descending: false },
    ],
    [
      { by: 'count', descending: false },
      { by: 'key', descending: true },
    ],
    [{ by: 'key', descending: true }],
  ]
  for (const order of orders)
    for (const length of [0, 1, 7, 500])
      for (const size of [1, 3, 40, 500, 2 ** 31 - 1])
        for (const limit of [1, 4, 1000]) {
          const counts = Uint16Array.from({ length }, () => random.below(limit + 1))
          const min = 1 + random.below(3)
          const ascends = random.below(2) === 0
          const keyOf = (bucket: number): number => (ascends ? bucket : -bucket)
          const compare = compareBuckets(
            order,
            { count: bucket => counts[bucket]!, compareKeys: (a, b) => keyOf(a) - keyOf(b) },
            [],
          )
          const all = Array.from(counts, (_, bucket) => bucket).filter(
            bucket => counts[bucket]! >= min,
          )
          const { best, sum } = firstCounted(counts, min, size, compare, order, ascends)
          expect([...best]).toEqual(all.sort(compare).slice(0, size))
          expect(sum).toBe(all.reduce((total, bucket) => total + counts[bucket]!, 0))
        }
})
