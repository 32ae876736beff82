/** Each kernel of aggregations against a plain walk over the same documents, in both builds. */

import { describe, expect, it } from 'vitest'
import type { BucketBatch } from '../../../src/aggregation/bucket-batch.ts'
import { ChildBatch } from '../../../src/aggregation/bucket-batch.ts'
import { noteHash } from '../../../src/aggregation/cardinality/hyper-log-log.ts'
import { ExactSums, roundedSum, sumScale } from '../../../src/aggregation/exact-sum.ts'
import { CandidateBatch } from '../../../src/aggregation/kernel/candidate-batch.ts'
import { CellsBatch } from '../../../src/aggregation/kernel/cells-batch.ts'
import { ColumnBatch } from '../../../src/aggregation/kernel/column-batch.ts'
import { HashBatch } from '../../../src/aggregation/kernel/hash-batch.ts'
import { KeySteps } from '../../../src/aggregation/kernel/key-steps.ts'
import { MomentsBatch, type MomentsVisit } from '../../../src/aggregation/kernel/moments-batch.ts'
import { IntegerKeys, OrdKeys, SlotCounts } from '../../../src/aggregation/kernel/slot-counts.ts'
import type { NumberSource } from '../../../src/aggregation/value-source.ts'
import { LongColumn } from '../../../src/codec/doc-values/long-column.ts'
import { NumericValuesReader } from '../../../src/codec/doc-values/reader.ts'
import { writeNumericDocValues } from '../../../src/codec/doc-values/writer.ts'
import { newDocumentRun } from '../../../src/script/script-run.ts'
import { encodePoint, highHalf, lowHalf } from '../../../src/search/query/point-value.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { Random } from '../../../src/util/random.ts'
import { mix64, Word64 } from '../../../src/util/word64.ts'
import { postingsLeaf } from '../../support/postings-leaf.ts'
import { checkedArena, type TestArena, testArena } from '../../support/test-arena.ts'

const BUILDS: readonly [string, TestArena][] = [
  ['kernels', testArena(32 << 20)],
  ['kernels of the debug build', checkedArena(32 << 20, true)],
]
const DRAWS = 40
const OWNERS = 7

/** A column: values by document, ascending. */
type Column = readonly (readonly number[])[]

interface Shape {
  readonly isMultiValued: boolean
  readonly hasGaps: boolean
  readonly of: (random: Random) => number
}

const WHOLE: readonly ((random: Random) => number)[] = [
  () => 5,
  random => random.below(2),
  random => random.below(10) - 3,
  random => random.below(1000),
  random => random.below(30_000),
  random => 1_700_000_000_000 + random.below(20_000),
]
const FRACTIONS: readonly ((random: Random) => number)[] = [
  ...WHOLE,
  random => random.below(100_000) / 100,
  random => (random.next() - 0.5) * 1e6,
  random => (random.below(2) === 0 ? -0 : 0),
  random => 2 ** (random.below(60) - 30) * (random.below(2) === 0 ? -1 : 1),
]

const WIDE: readonly ((random: Random) => number)[] = [
  ...WHOLE,
  random => 2 ** 51 - random.below(2000),
  random => -(2 ** 51) - random.below(3),
]

function drawShape(random: Random, values: readonly ((random: Random) => number)[]): Shape {
  return {
    isMultiValued: random.below(3) === 0,
    hasGaps: random.below(2) === 0,
    of: values[random.below(values.length)]!,
  }
}

function drawColumn(random: Random, { isMultiValued, hasGaps, of }: Shape): Column {
  const docs = 300 + random.below(9000)
  return Array.from({ length: docs }, () => {
    const count = hasGaps && random.below(3) === 0 ? 0 : isMultiValued ? 1 + random.below(3) : 1
    const values = Array.from({ length: count }, () => of(random))
    return values.sort((a, b) => a - b || (Object.is(a, -0) ? -1 : 1))
  })
}

interface Opened {
  readonly leaf: Leaf
  readonly reader: NumericValuesReader
}

function open(arena: TestArena, column: Column, encoding: 'long' | 'double'): Opened {
  arena.clear()
  arena.scratch.reset()
  const docs = Int32Array.from(column.flatMap((values, doc) => values.map(() => doc)))
  const longs = new LongColumn()
  for (const value of column.flat()) {
    const stored = encodePoint(value, encoding)
    longs.push(highHalf(stored), lowHalf(stored))
  }
  const place = { uid: 1, ord: 0, docBase: 0 }
  const leaf = postingsLeaf(arena, [], column.length, null, place)
  const bytes = writeNumericDocValues(docs, longs, docs.length, column.length, encoding)
  return { leaf, reader: new NumericValuesReader(arena.section(bytes)) }
}

/** A batch of documents as a run or a list, in one owning bucket or several. */
function drawBatch(random: Random, leaf: Leaf, docs: number, isOwned: boolean): BucketBatch {
  const count = Math.min(docs, 1 + random.below(4096))
  const first = random.below(docs - count + 1)
  const isRun = random.below(2) === 0
  const all = Array.from({ length: count }, (_, i) => first + i)
  const listed = isRun ? all : all.filter(() => random.below(3) > 0)
  const owners = Int32Array.from(listed, () => random.below(OWNERS))
  return {
    leaf,
    leafOrd: 0,
    count: listed.length,
    run: isRun ? first : -1,
    docs: Int32Array.from(listed),
    docsAt: 0,
    owners: isOwned ? owners : null,
    ownersAt: 0,
    scores: null,
    weights: null,
    scripts: newDocumentRun(50),
  }
}

/** A batch of consecutive documents. @param owners null: all fell into one bucket */
function runOf(leaf: Leaf, first: number, count: number, owners: Int32Array | null): BucketBatch {
  const docs = Int32Array.from({ length: count }, (_, i) => first + i)
  const common = { leaf, leafOrd: 0, count, docsAt: 0, ownersAt: 0, scores: null, weights: null }
  return { ...common, run: first, docs, owners, scripts: newDocumentRun(50) }
}

/** Visits the values of a batch. */
function forEach(
  batch: BucketBatch,
  column: Column,
  visit: (value: number, owner: number, index: number) => void,
): void {
  for (let i = 0; i < batch.count; i++)
    for (const value of column[batch.docs[i]!]!) visit(value, batch.owners?.[i] ?? 0, i)
}

function sourceOf(encoding: 'long' | 'double'): NumberSource {
  return {
    kind: 'numbers',
    field: 'n',
    encoding,
    scale: 1,
    type: encoding,
    isNanos: false,
    missing: null,
    format: { kind: 'raw' },
  }
}

describe.each(BUILDS)('the %s of aggregations', (_, arena) => {
  it('read the values of batches', () => {
    const random = new Random(31)
    for (let draw = 0; draw < DRAWS; draw++) {
      const column = drawColumn(random, drawShape(random, FRACTIONS))
      const { leaf, reader } = open(arena, column, 'double')
      if (reader.totalValueCount === 0) continue
      const read = ColumnBatch.of(leaf, reader, 'double', 1)!
      for (let k = 0; k < 4; k++) {
        const batch = drawBatch(random, leaf, column.length, false)
        const expected: [number, number][] = []
        forEach(batch, column, (value, _owner, index) => expected.push([index, value]))
        const count = read.read(batch)
        const found = Array.from({ length: count }, (_, i) => [read.index[i], read.doubles![i]])
        if (expected.length <= 8192) expect(found).toEqual(expected)
        else expect(count).toBe(-1)
      }
    }
  })

  it('read values of every width, from any document on', () => {
    const random = new Random(41)
    for (let width = 0; width <= 52; width++) {
      const column = Array.from({ length: 700 }, () => [Math.floor(random.next() * 2 ** width)])
      const { leaf, reader } = open(arena, column, 'long')
      const values = ColumnBatch.of(leaf, reader, 'long', 1)!
      for (const first of [0, random.below(300), 8 * random.below(30)]) {
        const batch = runOf(leaf, first, 300 + random.below(100), null)
        expect(values.read(batch)).toBe(batch.count)
        const expected = column.slice(first, first + batch.count).flat()
        expect([...values.doubles!.subarray(0, batch.count)]).toEqual(expected)
      }
    }
  })

  it('count integers and steps by owning bucket', () => {
    const random = new Random(32)
    for (let draw = 0; draw < DRAWS; draw++) {
      const column = drawColumn(random, drawShape(random, WHOLE))
      const { leaf, reader } = open(arena, column, 'long')
      const isOwned = random.below(2) === 0
      const width = random.below(3) === 0 ? 4000 : 1 + random.below(400)
      const keyOf = (value: number): number => Math.floor(value / width)
      const steps = KeySteps.of(reader, sourceOf('long'), {
        of: keyOf,
        next: key => (key + 1) * width,
      })!
      const integers = IntegerKeys.of(reader, true)!
      const owners = isOwned ? OWNERS : 1
      const bySteps = SlotCounts.of(leaf, reader, steps, owners, false)!
      const byInteger = SlotCounts.of(leaf, reader, integers, owners, false)!
      const expected = [new Map<string, number>(), new Map<string, number>()] as const
      for (let k = 0; k < 4; k++) {
        const batch = drawBatch(random, leaf, column.length, isOwned)
        bySteps.count(batch)
        byInteger.count(batch)
        const seen = new Set<string>()
        forEach(batch, column, (value, owner, index) => {
          for (const [i, key] of [keyOf(value), value].entries()) {
            const once = `${i} ${index} ${key}`
            if (seen.has(once)) continue
            seen.add(once)
            const name = `${owner} ${key}`
            expected[i]!.set(name, (expected[i]!.get(name) ?? 0) + 1)
          }
        })
      }
      const foundSteps = listOf(bySteps, key => steps.keys[key]!)
      const foundIntegers = listOf(byInteger, key => Number(integers.base) + key)
      expect(foundSteps).toEqual(expected[0])
      expect(foundIntegers).toEqual(expected[1])
    }
  })

  it('tell steps of equal length apart to the last integer, up to spans where they need a table', () => {
    const random = new Random(43)
    let cut = 0
    for (let draw = 0; draw < 4 * DRAWS; draw++) {
      const length = 1 + Math.floor(random.next() * 2 ** random.below(47))
      const stepCount = 9 + random.below(60)
      const base = Math.floor((random.next() - 0.5) * 2 ** 50)
      // Of every fourth column a step somewhere is longer by one.
      const longer = draw % 4 === 0 ? base + (1 + random.below(stepCount)) * length : Infinity
      const keyOf = (value: number): number =>
        Number(BigInt(value - base - (value >= longer ? 1 : 0)) / BigInt(length))
      const first = base + random.below(2) * Math.floor(random.next() * length)
      if (first > base) cut++
      const values = [first, first + stepCount * length]
      for (let step = 1; step <= stepCount; step++)
        for (const beside of [-1, 0, 1, Math.floor(random.next() * length)]) {
          const value = base + step * length + beside
          if (value >= values[0]! && value <= values[1]!) values.push(value)
        }
      const column = values.map(value => [value])
      const { leaf, reader } = open(arena, column, 'long')
      const next = (key: number): number => base + (key + 1) * length
      const steps = KeySteps.of(reader, sourceOf('long'), { of: keyOf, next })!
      for (const owners of [1, OWNERS]) {
        const list = Int32Array.from(values, () => random.below(owners))
        const counted = SlotCounts.of(leaf, reader, steps, owners, false)!
        counted.count(runOf(leaf, 0, column.length, owners === 1 ? null : list))
        const expected = new Map<string, number>()
        for (const [i, value] of values.entries()) {
          const name = `${list[i]} ${keyOf(value)}`
          expected.set(name, (expected.get(name) ?? 0) + 1)
        }
        expect(listOf(counted, key => steps.keys[key]!)).toEqual(expected)
        arena.scratch.reset()
      }
    }
    expect(cut).toBeGreaterThan(DRAWS)
  })

  it('count few steps of blocks that lie far from one another', () => {
    const random = new Random(41)
    const places = [0, 2 ** 30 - 500, 2 ** 31 - 500, 2 ** 32, 2 ** 33, 2 ** 33 + 2 ** 31]
    for (let draw = 0; draw < DRAWS; draw++) {
      let place = 0
      const column = Array.from({ length: 4000 }, (_, doc) => {
        if (doc % 128 === 0) place = places[random.below(places.length)]!
        return [place + random.below(1000)]
      })
      const { leaf, reader } = open(arena, column, 'long')
      const length = 2 ** (30 + random.below(4)) + random.below(1000)
      const of = (value: number): number => Math.floor(value / length)
      const next = (key: number): number => (key + 1) * length
      const steps = KeySteps.of(reader, sourceOf('long'), { of, next })!
      const counted = SlotCounts.of(leaf, reader, steps, 1, false)!
      const expected = new Map<string, number>()
      for (let k = 0; k < 4; k++) {
        const batch = drawBatch(random, leaf, column.length, false)
        counted.count(batch)
        forEach(batch, column, value => {
          const name = `0 ${of(value)}`
          expected.set(name, (expected.get(name) ?? 0) + 1)
        })
      }
      expect(listOf(counted, key => steps.keys[key]!)).toEqual(expected)
    }
  })

  it('give the counts of all slots, no wider than they are', () => {
    const random = new Random(40)
    const column = [[0], [1], [1], [2]]
    const { leaf, reader } = open(arena, column, 'long')
    let batch = drawBatch(random, leaf, column.length, false)
    while (batch.count === 0) batch = drawBatch(random, leaf, column.length, false)
    const once = [0, 0, 0]
    forEach(batch, column, ord => {
      once[ord] = once[ord]! + 1
    })
    for (const [times, bytes] of [
      [1, 1],
      [256, 2],
      [65_536, 4],
    ] as const) {
      const slots = SlotCounts.of(leaf, reader, new OrdKeys(3, null), 1, false)!
      for (let i = 0; i < times; i++) slots.count(batch)
      const counts = slots.counts()
      expect([...counts]).toEqual(once.map(count => times * count))
      expect(counts.BYTES_PER_ELEMENT).toBe(bytes)
    }
  })

  it('give counts and bits of any number of slots', () => {
    const random = new Random(42)
    for (let draw = 0; draw < DRAWS; draw++) {
      const terms = 1 + random.below(300)
      const column = drawColumn(random, {
        isMultiValued: false,
        hasGaps: true,
        of: () => random.below(1 + random.below(terms)),
      })
      const { leaf, reader } = open(arena, column, 'long')
      const counted = new Uint32Array(terms)
      const slots = [0, 1].map(
        () => SlotCounts.of(leaf, reader, new OrdKeys(terms, null), 1, false)!,
      )
      for (let k = 0; k < 3; k++) {
        const batch = drawBatch(random, leaf, column.length, false)
        for (const each of slots) each.count(batch)
        forEach(batch, column, ord => {
          counted[ord] = counted[ord]! + 1
        })
      }
      expect([...slots[0]!.counts()]).toEqual([...counted])
      const bits = new Uint32Array((terms + 31) >>> 5)
      bits[0] = 1
      slots[1]!.markKeys(bits)
      const marked = Array.from(counted, (_, ord) => (bits[ord >>> 5]! >>> (ord & 31)) & 1)
      expect(marked).toEqual(Array.from(counted, (count, ord) => (count > 0 || ord === 0 ? 1 : 0)))
      expect((bits.at(-1)! >>> 1) >>> ((terms - 1) & 31)).toBe(0)
    }
  })

  it('hand documents down with the buckets of their ordinals', () => {
    const random = new Random(33)
    for (let draw = 0; draw < DRAWS; draw++) {
      const terms = 1 + random.below(3000)
      const hasGaps = random.below(2) === 0
      const of = (): number => random.below(terms)
      const column = drawColumn(random, { isMultiValued: false, hasGaps, of })
      const { leaf, reader } = open(arena, column, 'long')
      const isOwned = random.below(2) === 0
      const accepted =
        random.below(2) === 0
          ? null
          : Uint32Array.from({ length: (terms + 31) >>> 5 }, () => random.nextUint32())
      const keys = new OrdKeys(terms, accepted)
      const slots = SlotCounts.of(leaf, reader, keys, isOwned ? OWNERS : 1, true)!
      const names: string[] = []
      const handed: [number, string][] = []
      const target = {
        collect({ docs, owners, count }: BucketBatch): void {
          for (let i = 0; i < count; i++) handed.push([docs[i]!, names[owners![i]!]!])
        },
      }
      const below = new ChildBatch([target])
      const expected: [number, string][] = []
      for (let k = 0; k < 4; k++) {
        const batch = drawBatch(random, leaf, column.length, isOwned)
        const name = (owner: number, ord: number): void => {
          names.push(`${owner} ${ord}`)
        }
        slots.assign(batch, below, names.length, accepted === null, name)
        forEach(batch, column, (ord, owner, index) => {
          if (accepted === null || ((accepted[ord >>> 5]! >>> (ord & 31)) & 1) === 1)
            expected.push([batch.docs[index]!, `${owner} ${ord}`])
        })
      }
      expect(handed).toEqual(expected)
      const { buckets, counts } = slots.list()
      const sums = new Map(Array.from(buckets, (bucket, i) => [names[bucket], counts[i]]))
      const counted = new Map<string, number>()
      for (const [, name] of expected) counted.set(name, (counted.get(name) ?? 0) + 1)
      expect(sums).toEqual(counted)
    }
  })

  it('give no bucket to values that are beyond their keys', () => {
    const random = new Random(37)
    const bases = [0, 0, 0, 0, 2 ** 31, 2 ** 32, 2 ** 33, -8]
    for (let draw = 0; draw < DRAWS; draw++) {
      const terms = 1 + random.below(100)
      let value = 0
      // Blocks of some widths and bases: of most documents all lie near one another.
      const of = (): number => {
        if (random.below(400) === 0) value = bases[random.below(bases.length)]!
        return value + random.below(random.below(50) === 0 ? 2 * terms : terms + 1)
      }
      const column = drawColumn(random, { isMultiValued: false, hasGaps: draw % 4 === 0, of })
      const { leaf, reader } = open(arena, column, 'long')
      const owners = draw % 2 === 0 ? OWNERS : 1
      const keys = new OrdKeys(terms, null)
      const counted = SlotCounts.of(leaf, reader, keys, owners, false)!
      const assigned = SlotCounts.of(leaf, reader, keys, owners, true)!
      const handed: string[] = []
      const expected: string[] = []
      const totals = new Map<string, number>()
      const names: string[] = []
      const below = new ChildBatch([
        {
          collect({ docs, owners: of, count }: BucketBatch): void {
            for (let i = 0; i < count; i++) handed.push(`${docs[i]} ${names[of![i]!]}`)
          },
        },
      ])
      for (let k = 0; k < 4; k++) {
        const batch = drawBatch(random, leaf, column.length, owners > 1)
        counted.count(batch)
        assigned.assign(batch, below, names.length, false, (owner, key) =>
          names.push(`${owner} ${key}`),
        )
        forEach(batch, column, (ord, owner, index) => {
          if (ord < 0 || ord >= terms) return
          const name = `${owner} ${ord}`
          expected.push(`${batch.docs[index]} ${name}`)
          totals.set(name, (totals.get(name) ?? 0) + 1)
        })
      }
      expect(handed).toEqual(expected)
      const list = counted.list()
      const found = Array.from(list.counts, (count, i) => [
        `${list.owners[i]} ${list.keys[i]}`,
        count,
      ])
      expect(new Map(found as [string, number][])).toEqual(totals)
    }
  })

  it.each(['double', 'long'] as const)(
    'add up exactly, and find extremes, of type %s',
    encoding => {
      const random = new Random(34)
      let ran = 0
      for (let draw = 0; draw < DRAWS; draw++) {
        const values = encoding === 'long' ? WIDE : FRACTIONS
        const shape = { ...drawShape(random, values), isMultiValued: false }
        const column = drawColumn(random, shape)
        const { leaf, reader } = open(arena, column, encoding)
        const isOwned = random.below(2) === 0
        const asks = { sums: true, extremes: random.below(3) > 0 }
        const moments = MomentsBatch.of(
          leaf,
          reader,
          sourceOf(encoding),
          asks,
          isOwned ? OWNERS : 1,
        )
        if (moments === null) continue
        ran++
        const scale = sumScale({ min: -1074, max: 1023 })
        const [found, expected] = [new ExactSums(scale), new ExactSums(scale)]
        for (const sums of [found, expected]) sums.ensure(OWNERS)
        const extremes = Array.from({ length: OWNERS }, () => [0, Infinity, -Infinity])
        const seen = Array.from({ length: OWNERS }, () => [0, Infinity, -Infinity])
        const take = (
          owner: number,
          count: number,
          min: number,
          max: number,
          chunks: Float64Array,
        ): void => {
          for (const chunk of chunks) found.add(owner, chunk)
          note(seen[owner]!, count, min, max)
        }
        for (let k = 0; k < 20; k++) {
          const batch = drawBatch(random, leaf, column.length, isOwned)
          moments.add(batch, take)
          forEach(batch, column, (value, owner) => {
            expected.add(owner, value)
            const [min, max] = asks.extremes ? [value, value] : [Infinity, -Infinity]
            note(extremes[owner]!, 1, min, max)
          })
        }
        moments.empty(take)
        expect(seen).toEqual(extremes)
        for (let owner = 0; owner < OWNERS; owner++)
          expect(roundedSum(found.sum(owner))).toBe(roundedSum(expected.sum(owner)))
      }
      expect(ran).toBeGreaterThan(DRAWS / 2)
    },
  )

  it.each([
    [[-3, -0], -3, -0],
    [[-0, 0], -0, 0],
    [[-0, -0], -0, -0],
    [[0, 3], 0, 3],
    [[-0, 3], -0, 3],
  ])('tell the zeros of %j apart', (values, min, max) => {
    for (const [length, owners] of [
      [300, 1],
      [301, 1],
      [300, 2],
    ] as const) {
      const column = Array.from({ length }, (_, doc) => [values[doc % 2]!])
      const { leaf, reader } = open(arena, column, 'double')
      const asks = { sums: true, extremes: true }
      const moments = MomentsBatch.of(leaf, reader, sourceOf('double'), asks, owners)!
      const seen: number[][] = []
      const all = owners === 1 ? null : new Int32Array(column.length).fill(1)
      const take: MomentsVisit = (_owner, _count, least, most) => seen.push([least, most])
      moments.add(runOf(leaf, 0, column.length, all), take)
      moments.empty(take)
      expect(seen).toEqual([[min, max]])
    }
  })

  it.each([1, 2])('empty sums before one is rounded, of %i owning buckets', owners => {
    // Two chunks of 34 or 35 bits: of 2¹⁹ such values a double would not hold them exactly.
    const single = Array.from({ length: 4096 }, (_, doc) => [
      doc < 4095 ? 2 ** 50 - 1 - 2 * doc : 2 ** -18,
    ])
    const { leaf, reader } = open(arena, single, 'double')
    const asks = { sums: true, extremes: false }
    const moments = MomentsBatch.of(leaf, reader, sourceOf('double'), asks, owners)!
    const found = new ExactSums(sumScale({ min: -1074, max: 1023 }))
    found.ensure(owners)
    let emptied = 0
    const take: MomentsVisit = (owner, _count, _min, _max, chunks) => {
      emptied++
      for (const chunk of chunks) found.add(owner, chunk)
    }
    const of = Int32Array.from(single, (_, doc) => doc % owners)
    const times = 200
    for (let i = 0; i < times; i++)
      moments.add(runOf(leaf, 0, single.length, owners === 1 ? null : of), take)
    expect(emptied).toBeGreaterThan(0)
    moments.empty(take)
    for (let owner = 0; owner < owners; owner++) {
      const expected = new ExactSums(sumScale({ min: -1074, max: 1023 }))
      expected.ensure(1)
      single.forEach(([value], doc) => {
        if (doc % owners === owner) for (let i = 0; i < times; i++) expected.add(0, value!)
      })
      expect(roundedSum(found.sum(owner))).toBe(roundedSum(expected.sum(0)))
    }
  })

  it('list the documents that may be first', () => {
    const random = new Random(36)
    for (let draw = 0; draw < DRAWS; draw++) {
      const shape = { ...drawShape(random, WHOLE), isMultiValued: false, hasGaps: false }
      const column = drawColumn(random, shape)
      const { leaf, reader } = open(arena, column, 'long')
      const isOwned = random.below(2) === 0
      const descending = random.below(2) === 0
      const found = CandidateBatch.of(leaf, reader, descending, isOwned ? OWNERS : 1)!
      const limits = new Map<number, number>()
      const counts = new Uint32Array(isOwned ? OWNERS : 1)
      for (let k = 0; k < 6; k++) {
        const batch = drawBatch(random, leaf, column.length, isOwned)
        const expected: number[] = []
        forEach(batch, column, (value, owner, index) => {
          counts[owner] = counts[owner]! + 1
          const limit = limits.get(owner)
          if (limit === undefined || (descending ? value > limit : value < limit))
            expected.push(index)
        })
        const listed: number[] = []
        found.forEach(batch, index => listed.push(index))
        expect(listed).toEqual(expected)
        const owner = random.below(counts.length)
        const limit = shape.of(random)
        limits.set(owner, limit)
        found.limit(owner, BigInt(limit))
      }
      expect(found.counts()).toEqual(counts)
    }
  })

  it('note hashes and cells', () => {
    const random = new Random(35)
    for (let draw = 0; draw < DRAWS; draw++) {
      const column = drawColumn(random, { ...drawShape(random, FRACTIONS), isMultiValued: false })
      const { leaf, reader } = open(arena, column, 'double')
      const precision = 4 + random.below(9)
      const level = random.below(60)
      const hashes = HashBatch.of(leaf, reader, sourceOf('double'), precision)!
      const cells = CellsBatch.of(leaf, reader, sourceOf('double'))!
      cells.open(level)
      const registers = new Uint8Array(2 ** precision)
      const expected = new Map<bigint, number[]>()
      const others: number[] = []
      const word = new Word64()
      const doubles = new BigInt64Array(1)
      const numbers = new Float64Array(doubles.buffer)
      const found: number[] = []
      for (let k = 0; k < 4; k++) {
        const batch = drawBatch(random, leaf, column.length, false)
        hashes.add(batch)
        found.push(...cells.add(batch))
        forEach(batch, column, value => {
          numbers[0] = value
          word.set(highHalf(doubles[0]!), lowHalf(doubles[0]!))
          mix64(word)
          noteHash(registers, precision, word.high, word.low)
          const cell = encodePoint(value, 'double') >> BigInt(level)
          const held = expected.get(cell) ?? [0, Infinity, -Infinity]
          note(held, 1, value, value)
          expected.set(cell, held)
          others.push(value)
        })
      }
      expect(hashes.registers).toEqual(registers)
      const { mins, maxs, counts } = cells.found()
      const kept = Array.from(mins, (min, i) => [counts[i]!, min, maxs[i]!])
      const held = new Set(Array.from(mins, min => encodePoint(min, 'double') >> BigInt(level)))
      const order = [...expected].sort(([a], [b]) => (a < b ? -1 : 1))
      expect(kept).toEqual(order.filter(([cell]) => held.has(cell)).map(([, each]) => each))
      expect(found).toEqual(
        others.filter(value => !held.has(encodePoint(value, 'double') >> BigInt(level))),
      )
    }
  })
})

function note(held: number[], count: number, min: number, max: number): void {
  held[0] = held[0]! + count
  held[1] = Math.min(held[1]!, min)
  held[2] = Math.max(held[2]!, max)
}

/** Counts by owning bucket and key. */
function listOf(slots: SlotCounts, keyOf: (key: number) => number): Map<string, number> {
  const { owners, keys, counts } = slots.list()
  return new Map(Array.from(keys, (key, i) => [`${owners[i]} ${keyOf(key)}`, counts[i]!]))
}
