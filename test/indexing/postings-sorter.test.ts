import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PostingsSorter } from '../../src/indexing/postings-sorter.ts'

it('orders documents with their frequencies and positions, few of many and most of few', () => {
  const postings = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4999 }), fc.nat(4)), {
    selector: ([doc]) => doc,
    minLength: 1,
    maxLength: 200,
  })
  // The same sorter for several terms: nothing of one may stay for the next.
  fc.assert(
    fc.property(fc.array(postings, { maxLength: 5 }), fc.boolean(), (terms, isDense) => {
      const sorter = new PostingsSorter(isDense ? 5000 : 500_000)
      for (const given of terms) {
        const docs = Int32Array.from(given, ([doc]) => doc)
        const freqs = Int32Array.from(given, ([, more]) => 1 + more)
        const positions = given.flatMap(([doc, more]) =>
          Array.from({ length: 1 + more }, (_, i) => doc * 10 + i),
        )
        sorter.sort(docs, freqs, docs.length, Int32Array.from(positions))
        const expected = [...given].sort(([a], [b]) => a - b)
        const total = positions.length
        expect([...sorter.docs.subarray(0, docs.length)]).toEqual(expected.map(([doc]) => doc))
        expect([...sorter.freqs.subarray(0, docs.length)]).toEqual(
          expected.map(([, more]) => 1 + more),
        )
        expect([...sorter.positions.subarray(0, total)]).toEqual(
          expected.flatMap(([doc, more]) =>
            Array.from({ length: 1 + more }, (_, i) => doc * 10 + i),
          ),
        )
      }
    }),
    { seed: 1, numRuns: 100 },
  )
})
