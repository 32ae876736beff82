import { expect } from 'vitest'
import { type DocIdIterator, NO_MORE_DOCS } from '../../../src/codec/doc-id-iterator.ts'
import type { Random } from '../../../src/util/random.ts'

/**
 * What every iterator must do, held against the documents that it should give.
 * @param make a fresh iterator, ahead of the first document
 */
export function holdDocIdIterator(
  make: () => DocIdIterator,
  expected: ArrayLike<number>,
  random: Random,
): void {
  const walked = make()
  expect(walked.docId()).toBe(-1)
  expect(walked.cost()).toBeGreaterThanOrEqual(expected.length)
  const found: number[] = []
  for (let doc = walked.nextDoc(); doc !== NO_MORE_DOCS; doc = walked.nextDoc()) {
    expect(walked.docId()).toBe(doc)
    found.push(doc)
  }
  expect(walked.docId()).toBe(NO_MORE_DOCS)
  expect(found).toEqual(Array.from(expected))

  for (let round = 0; round < 3; round++) {
    const mixed = make()
    let doc = -1
    let index = -1
    while (doc !== NO_MORE_DOCS) {
      let target: number
      if (random.below(3) === 0) {
        target = doc + 1
        doc = mixed.nextDoc()
      } else {
        const jump = index + 1 + random.below(round === 0 ? 4 : 400)
        const base = jump < expected.length ? expected[jump]! : NO_MORE_DOCS - 1
        target = Math.max(doc + 1, base - random.below(2))
        doc = mixed.advance(target)
      }
      index++
      while (index < expected.length && expected[index]! < target) index++
      expect(doc).toBe(index < expected.length ? expected[index] : NO_MORE_DOCS)
      expect(mixed.docId()).toBe(doc)
    }
  }
}
