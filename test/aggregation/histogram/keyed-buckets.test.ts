import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SliceKeyed } from '../../../src/aggregation/histogram/keyed-buckets.ts'
import {
  isAscending,
  joinedRuns,
  type KeyedPartial,
  mergedRuns,
} from '../../../src/aggregation/histogram/keyed-partial.ts'

type Bucket = readonly [owner: number, key: number, count: number]

const bucket = fc.tuple(
  fc.nat({ max: 3 }),
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: 1, max: 9 }),
)
/** As leaves and slices give them: often in order, each pair once. */
const buckets = fc.oneof(
  fc.array(bucket, { maxLength: 20 }),
  fc
    .uniqueArray(bucket, { maxLength: 20, selector: ([owner, key]) => `${owner} ${key}` })
    .map(inOrder),
)

function inOrder(list: readonly Bucket[]): readonly Bucket[] {
  return [...list].sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

function partialOf(list: readonly Bucket[]): KeyedPartial {
  return {
    owners: Int32Array.from(list, ([owner]) => owner),
    keys: Float64Array.from(list, ([, key]) => key),
    counts: Float64Array.from(list, ([, , count]) => count),
  }
}

function listOf({ owners, keys, counts }: KeyedPartial): Bucket[] {
  return Array.from(owners, (owner, i) => [owner, keys[i]!, counts[i]!])
}

/** Each pair once, with all of its documents, in order. */
function summed(list: readonly Bucket[]): readonly Bucket[] {
  const sums = new Map<string, Bucket>()
  for (const [owner, key, count] of list) {
    const before = sums.get(`${owner} ${key}`)?.[2] ?? 0
    sums.set(`${owner} ${key}`, [owner, key, before + count])
  }
  return inOrder([...sums.values()])
}

const distinct = buckets.map(summed)

describe('buckets by a key', () => {
  it('two runs become one with each pair once', () => {
    fc.assert(
      fc.property(distinct, distinct, (a, b) => {
        const merged = mergedRuns(partialOf(a), partialOf(b))
        expect(listOf(merged)).toEqual(summed([...a, ...b]))
        expect(isAscending(merged.owners, merged.keys)).toBe(true)
        expect(listOf(joinedRuns(partialOf(a), partialOf(b)))).toEqual([...a, ...b])
      }),
    )
  })

  it('slices are merged by owning buckets that are renamed, and some of those stay', () => {
    let taken = 0
    fc.assert(
      fc.property(
        fc.array(fc.tuple(buckets, fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 4 })), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1 }),
        fc.boolean(),
        (slices, some, isRenamed) => {
          const merging = new SliceKeyed()
          const all: Bucket[] = []
          const numbers: [slice: readonly Bucket[], at: Int32Array][] = []
          for (const [list, names] of slices) {
            const owners = Int32Array.from(isRenamed ? names : [0, 1, 2, 3])
            const there = list.map(([owner, ...rest]): Bucket => [owners[owner]!, ...rest])
            all.push(...there)
            numbers.push([there, merging.add(partialOf(list), owners)])
          }
          // Equal pairs have one number, and no two pairs the same.
          const byNumber = new Map<number, string>()
          for (const [list, at] of numbers)
            for (const [i, [owner, key]] of list.entries()) {
              const pair = byNumber.get(at[i]!) ?? `${owner} ${key}`
              expect(`${owner} ${key}`).toBe(pair)
              byNumber.set(at[i]!, pair)
            }
          expect(byNumber.size).toBe(summed(all).length)

          const stays = isRenamed ? some : some.map((_, i) => i)
          const { own, buckets: kept } = merging.close(Int32Array.from(stays))
          const wanted = summed(all).flatMap(([owner, ...rest]): Bucket[] => {
            const at = stays.indexOf(owner)
            return at < 0 ? [] : [[at, ...rest]]
          })
          expect(inOrder(listOf(own))).toEqual(inOrder(wanted))
          const pairs = listOf(own).map(([owner, key]) => `${stays[owner]} ${key}`)
          expect(Array.from(kept, at => byNumber.get(at))).toEqual(pairs)
          if (pairs.length > 0) taken++
        },
      ),
      { numRuns: 400 },
    )
    expect(taken).toBeGreaterThan(100)
  })
})
