import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect, type ForwardIndex } from '../../src/indexing/bisection.ts'
import { Random } from '../../src/util/random.ts'

function indexOf(docs: readonly (readonly number[])[], termCount: number): ForwardIndex {
  const starts = new Float64Array(docs.length + 1)
  docs.forEach((terms, doc) => {
    starts[doc + 1] = starts[doc]! + terms.length
  })
  return { docCount: docs.length, termCount, starts, terms: Int32Array.from(docs.flat()) }
}

/** Bits that the gaps of all terms take. */
function gapBits(docs: readonly (readonly number[])[], order: ArrayLike<number>): number {
  const last = new Map<number, number>()
  let bits = 0
  for (let place = 0; place < order.length; place++)
    for (const term of docs[order[place]!]!) {
      bits += Math.log2(place - (last.get(term) ?? -1))
      last.set(term, place)
    }
  return bits
}

/** Documents of topics that take turns; a word in ten is of another topic. */
function topicDocs(count: number, topicCount: number, seed: number): number[][] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => {
    const topic = random.below(topicCount)
    const words = new Set<number>()
    for (let i = 0; i < 12; i++) {
      const from = random.below(10) === 0 ? random.below(topicCount) : topic
      words.add(from * 50 + random.below(50))
    }
    return [...words].sort((a, b) => a - b)
  })
}

const collection = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 12 }), {
  maxLength: 300,
})

describe('the order by bisection', () => {
  it('has every document once, the same each time', () => {
    fc.assert(
      fc.property(collection, docs => {
        const order = bisect(indexOf(docs, 30))
        expect([...order].sort((a, b) => a - b)).toEqual(docs.map((_, i) => i))
        expect(bisect(indexOf(docs, 30))).toEqual(order)
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  it('leaves documents as they came where nothing tells them apart', () => {
    const docs = Array.from({ length: 500 }, () => [1, 2])
    expect([...bisect(indexOf(docs, 3))]).toEqual(docs.map((_, i) => i))
    expect([...bisect(indexOf(Array(33).fill([]), 0))]).toEqual(Array.from(Array(33).keys()))
  })

  it('puts documents of a topic together', () => {
    const random = new Random(2)
    const topics = Array.from({ length: 1024 }, () => random.below(4))
    const docs = topics.map(topic => [topic, 4 + topic])
    const order = bisect(indexOf(docs, 8))
    let changes = 0
    for (let i = 1; i < order.length; i++)
      if (topics[order[i]!] !== topics[order[i - 1]!]) changes++
    // The cuts do not fall where topics end.
    expect(changes).toBeLessThan(40)
  })

  it('makes gaps smaller in a mixed collection', () => {
    const docs = topicDocs(4000, 16, 3)
    const before = gapBits(
      docs,
      docs.map((_, i) => i),
    )
    expect(gapBits(docs, bisect(indexOf(docs, 800)))).toBeLessThan(0.6 * before)
  })
})
