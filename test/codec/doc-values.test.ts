import { describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { compareLongs, LongColumn } from '../../src/codec/doc-values/long-column.ts'
import { NumericValuesReader } from '../../src/codec/doc-values/reader.ts'
import {
  doubleToSortable,
  floatToSortable,
  halfFloatToSortable,
  sortable,
  sortableToDouble,
  sortableToFloat,
  sortableToHalfFloat,
} from '../../src/codec/doc-values/sortable.ts'
import { writeNumericDocValues } from '../../src/codec/doc-values/writer.ts'
import { longOf, longWords, PointsReader } from '../../src/codec/points/reader.ts'
import { writePoints } from '../../src/codec/points/writer.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena()

function bigOf(hi: number, lo: number): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo)
}

/** Random values by document: none, one or several each. */
function randomColumn(random: Random, maxDoc: number, style: number) {
  const docs: number[] = []
  const values = new LongColumn()
  const byDoc = new Map<number, bigint[]>()
  for (let doc = 0; doc < maxDoc; doc++) {
    const count =
      style === 0 || style === 4
        ? 1
        : style === 1 || style === 5
          ? random.below(2)
          : random.below(4)
    const list: [number, number][] = []
    for (let i = 0; i < count; i++) {
      const kind = random.below(4)
      if (kind === 0) list.push([random.nextUint32() | 0, random.nextUint32()])
      else if (kind === 1) list.push([0, random.below(10)])
      else if (kind === 2) list.push([-1, 0xfffffff0 + random.below(16)])
      else list.push([random.below(2), random.nextUint32()])
    }
    if (style === 3) for (const value of list) value.fill(0).splice(1, 1, 1_000_000 + doc)
    if (style === 4) list[0] = [7, 4_000_000_000 + doc]
    if (style === 5) for (const value of list) value.splice(0, 2, -3, 5)
    list.sort((a, b) => compareLongs(a[0], a[1], b[0], b[1]))
    for (const [hi, lo] of list) {
      docs.push(doc)
      values.push(hi, lo)
    }
    if (list.length > 0)
      byDoc.set(
        doc,
        list.map(([hi, lo]) => bigOf(hi, lo)),
      )
  }
  return { docs: Int32Array.from(docs), values, byDoc }
}

describe('numeric doc values', () => {
  it.each(
    [0, 1, 2, 3, 4, 5].flatMap(style =>
      [1, 127, 128, 129, 700, 9000].map(maxDoc => [style, maxDoc]),
    ),
  )('come back as they were written (style %i, %i documents)', (style, maxDoc) => {
    const random = new Random(style * 10_000 + maxDoc)
    const { docs, values, byDoc } = randomColumn(random, maxDoc!, style!)
    arena.clear()
    // Evenly spaced values need no bytes of their own; any others are left to the blocks.
    const isEven = style! >= 4
    const bytes = writeNumericDocValues(docs, values, docs.length, maxDoc!, 'long', isEven)
    if (isEven) expect(bytes.length).toBeLessThan(300 + maxDoc! / 5)
    else
      expect(
        maxDoc! < 3 || docs.length < 3
          ? bytes
          : writeNumericDocValues(docs, values, docs.length, maxDoc!, 'long', true),
      ).toEqual(bytes)
    const reader = new NumericValuesReader(arena.section(bytes))
    expect(reader.docCount).toBe(byDoc.size)
    const order = Array.from({ length: maxDoc! }, (_, i) => i)
    for (let i = 0; i < 200; i++) order.push(random.below(maxDoc!))
    for (const doc of order) {
      const expected = byDoc.get(doc)
      expect(reader.advanceExact(doc)).toBe(expected !== undefined)
      if (expected === undefined) continue
      expect(reader.valueCount()).toBe(expected.length)
      for (let i = 0; i < expected.length; i++) {
        reader.select(i)
        expect(bigOf(reader.hi(), reader.lo())).toBe(expected[i])
        if (BigInt(Number(expected[i])) === expected[i] && Math.abs(Number(expected[i])) < 2 ** 53)
          expect(reader.number()).toBe(Number(expected[i]))
      }
    }
    const found: number[] = []
    const iterator = reader.docs()
    for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc())
      found.push(doc)
    expect(found).toEqual([...byDoc.keys()])
    for (let start = 0; start < maxDoc!; start += 4096) {
      const inSpan = [...byDoc].filter(([doc]) => doc >= start && doc < start + 4096)
      const all = inSpan.flatMap(([, list]) => list)
      const span = reader.spanOf(start)
      expect(span === null).toBe(all.length === 0)
      if (span === null) continue
      const sorted = [...all].sort((a, b) => (a < b ? -1 : 1))
      expect(bigOf(span.minHi, span.minLo)).toBe(sorted[0])
      expect(bigOf(span.maxHi, span.maxLo)).toBe(sorted.at(-1))
      expect(span.valueCount).toBe(all.length)
      expect(span.docCount).toBe(inSpan.length)
    }
    // The sum of all values as a signed 128-bit integer stands at byte 64 of the header.
    const words = new DataView(bytes.buffer, bytes.byteOffset)
    let sum = 0n
    for (let i = 3; i >= 0; i--) sum = (sum << 32n) | BigInt(words.getUint32(64 + 4 * i, true))
    const all = [...byDoc.values()].flat()
    expect(BigInt.asIntN(128, sum)).toBe(all.reduce((a, b) => a + b, 0n))
  })

  it('keep the exponent bounds that an exact sum of doubles needs', () => {
    const values = new LongColumn()
    for (const value of [0, 3, -0.75, 1024]) {
      doubleToSortable(value)
      values.push(sortable.hi, sortable.lo)
    }
    const bytes = writeNumericDocValues(Int32Array.of(0, 1, 2, 3), values, 4, 4, 'double')
    const header = new DataView(bytes.buffer)
    expect(header.getInt32(80, true)).toBe(10)
    expect(header.getInt32(84, true)).toBe(-2)
  })
})

describe('sortable numbers', () => {
  it('order as the numbers do and come back', () => {
    const numbers = [-Infinity, -1e300, -1.5, -1e-300, -0, 0, 5e-324, 0.1, 1, 1e10, Infinity]
    for (let i = 1; i < numbers.length; i++) {
      doubleToSortable(numbers[i - 1]!)
      const { hi, lo } = sortable
      doubleToSortable(numbers[i]!)
      expect(compareLongs(hi, lo, sortable.hi, sortable.lo)).toBeLessThan(0)
      expect(sortableToDouble(sortable.hi, sortable.lo)).toBe(numbers[i])
      const float = Math.fround(numbers[i]!)
      expect(sortableToFloat(floatToSortable(float))).toBe(float)
    }
    for (const half of [0, -0, 1, -1.5, 65504, 2 ** -24, 2 ** -14, 0.0999755859375])
      expect(sortableToHalfFloat(halfFloatToSortable(half))).toBe(half)
    expect(sortableToHalfFloat(halfFloatToSortable(0.1))).toBe(0.0999755859375)
    expect(sortableToHalfFloat(halfFloatToSortable(1e6))).toBe(Infinity)
  })
})

describe('points', () => {
  it.each([1, 511, 512, 513, 5000])('find every value of a range (%i points)', count => {
    const random = new Random(count)
    const { docs, values } = randomColumn(random, count, 2)
    arena.clear()
    const reader = new PointsReader(arena.section(writePoints(docs, values, docs.length, count)))
    expect(reader.docCount).toBe(new Set(docs).size)
    for (let round = 0; round < 50; round++) {
      const pick = (): [number, number] => {
        const i = random.below(Math.max(docs.length, 1))
        return random.below(3) === 0
          ? [random.nextUint32() | 0, random.nextUint32()]
          : [values.hi[i]!, values.lo[i]!]
      }
      const [lowHi, lowLo] = pick()
      const [highHi, highLo] = pick()
      const expected: number[] = []
      for (let i = 0; i < docs.length; i++)
        if (
          compareLongs(values.hi[i]!, values.lo[i]!, lowHi, lowLo) >= 0 &&
          compareLongs(values.hi[i]!, values.lo[i]!, highHi, highLo) <= 0
        )
          expected.push(docs[i]!)
      const found: number[] = []
      reader.intersect(longWords(lowHi, lowLo), longWords(highHi, highLo), doc => found.push(doc))
      expect(found.sort((a, b) => a - b)).toEqual(expected)
      const estimate = reader.estimate(longWords(lowHi, lowLo), longWords(highHi, highLo))
      expect(Math.abs(estimate - expected.length)).toBeLessThanOrEqual(512)
    }
  })

  it.each([1, 511, 512, 513, 5000])('tell ranks and values in order (%i points)', count => {
    const random = new Random(count + 1)
    const { docs, values } = randomColumn(random, count, 2)
    arena.clear()
    const reader = new PointsReader(arena.section(writePoints(docs, values, docs.length, count)))
    const all = Array.from(docs, (_, i) => longOf(longWords(values.hi[i]!, values.lo[i]!)))
    all.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    expect(all.map((_, i) => longOf(reader.valueAt(i)))).toEqual(all)
    const sought: bigint[] = []
    for (let round = 0; round < 50; round++) {
      const value =
        random.below(3) === 0
          ? BigInt.asIntN(64, (BigInt(random.nextUint32()) << 32n) | 7n)
          : all[random.below(all.length)]! + BigInt(random.below(3) - 1)
      sought.push(value)
      const found = reader.countBelow(
        longWords(Number(value >> 32n) | 0, Number(value & 0xffffffffn)),
      )
      expect(found).toBe(all.filter(each => each < value).length)
    }
    // Several at once, from few far apart to many of one block.
    for (const size of [0, 1, 5, 50]) {
      const some = [...sought.slice(0, size), ...(size === 50 ? all : [])]
      some.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      const words = some.flatMap(value => [
        ...longWords(Number(value >> 32n) | 0, Number(value & 0xffffffffn)),
      ])
      const ranks = some.map(value => all.findIndex(each => each >= value))
      expect([...reader.countsBelow(Uint32Array.from(words))]).toEqual(
        ranks.map(rank => (rank < 0 ? all.length : rank)),
      )
    }
  })

  it('lie the same in whatever order they come', () => {
    const random = new Random(77)
    const { docs, values } = randomColumn(random, 3000, 2)
    const places = Array.from(docs, (_, i) => i)
    for (let i = places.length - 1; i > 0; i--) {
      const j = random.below(i + 1)
      const place = places[i]!
      places[i] = places[j]!
      places[j] = place
    }
    const shuffled = new LongColumn()
    for (const place of places) shuffled.push(values.hi[place]!, values.lo[place]!)
    const shuffledDocs = Int32Array.from(places, place => docs[place]!)
    expect(writePoints(shuffledDocs, shuffled, docs.length, 3000)).toEqual(
      writePoints(docs, values, docs.length, 3000),
    )
  })
})
