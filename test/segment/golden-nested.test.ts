import { describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { mergeSegments } from '../../src/indexing/merge.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import {
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  sealDocuments,
  storedOf,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment with nested documents as the first version wrote it; it must open for good. */
const FOLDER = 'nested-v1'
const COUNT = 60
const ID = idOf(5)
const MAPPING = {
  properties: {
    word: { type: 'keyword' },
    kids: {
      type: 'nested',
      properties: {
        word: { type: 'keyword' },
        toys: { type: 'nested', properties: { n: { type: 'long' } } },
      },
    },
  },
}

/** Document i has i modulo 4 nested objects, of which the first has two of its own. */
function documentOf(i: number): object {
  const kids = Array.from({ length: i % 4 }, (_, k) => ({
    word: `k${k}`,
    ...(k === 0 ? { toys: [{ n: i }, { n: i + 1 }] } : {}),
  }))
  return { word: `w${i % 3}`, kids }
}

/** Documents of the block of document i. */
const blockSize = (i: number): number => 1 + (i % 4) + (i % 4 > 0 ? 2 : 0)

/** @param dead numbers of documents that are superseded */
function build(dead: readonly number[] = []): Files {
  const { properties } = MAPPING
  return filesOf(sealDocuments({ properties, range: [0, COUNT], documentOf, dead, id: ID }))
}

const arena = testArena()
const open = (files: Files): Leaf => openFiles(files, arena)

/** Reads everything that tells nested documents from others. @param numbers of the documents */
function check(files: Files, numbers: readonly number[]): void {
  const leaf = open(files)
  const parents = leaf.parents()!
  const sources = storedOf(files)
  const seqNos = leaf.numericValues('_seq_no')!
  let doc = 0
  for (const i of numbers) {
    const whole = doc + blockSize(i) - 1
    expect(parents.next(doc)).toBe(whole)
    expect(parents.previous(whole - 1)).toBe(doc - 1)
    for (; doc <= whole; doc++) {
      expect(parents.has(doc)).toBe(doc === whole)
      expect(decodeUtf8(leaf.ids().id(doc))).toBe(`id${i}`)
      expect(seqNos.advanceExact(doc)).toBe(true)
      expect(seqNos.number()).toBe(i)
      expect(sources.sourceLength(doc)).toBe(
        doc === whole ? JSON.stringify(documentOf(i)).length : 0,
      )
    }
    expect(leaf.ids().lookup(encodeUtf8(`id${i}`))).toBe(whole)
  }
  expect(leaf.maxDoc).toBe(doc)
  expect(parents.count).toBe(numbers.length)
  const countOf = (path: string): number => {
    const state = leaf.terms('_nested_path')!.lookupText(path)!
    const mark = arena.scratch.mark()
    const postings = leaf.postings('_nested_path', state)
    let count = 0
    while (postings.nextDoc() !== NO_MORE_DOCS) count++
    arena.scratch.release(mark)
    return count
  }
  const sum = (of: (i: number) => number): number => numbers.reduce((all, i) => all + of(i), 0)
  expect(countOf('kids')).toBe(sum(i => i % 4))
  expect(countOf('kids.toys')).toBe(sum(i => (i % 4 > 0 ? 2 : 0)))
}

const ALL = Array.from({ length: COUNT }, (_, i) => i)

describe('segments with nested documents', () => {
  it('open as the first version wrote them', () => {
    arena.clear()
    const golden = goldenFiles(FOLDER, build)
    check(golden, ALL)
    expectSameBytes(build(), golden)
  })

  it('lose whole blocks where a document is superseded', () => {
    arena.clear()
    const dead = [0, 3, 4, 31, COUNT - 1]
    check(
      build(dead),
      ALL.filter(i => !dead.includes(i)),
    )
  })

  it('are merged block by block, in any order', () => {
    arena.clear()
    const files = build()
    const inputs = [0, 1].map(() => ({ leaf: open(files), stored: storedOf(files), live: null }))
    const merge = (order: Parameters<typeof mergeSegments>[3]): Files =>
      filesOf(mergeSegments(inputs, ID, 0, order))
    const twice = merge({ kind: 'arrival' })
    const leaf = open(twice)
    expect(leaf.parents()!.count).toBe(2 * COUNT)
    expect(leaf.maxDoc).toBe(2 * inputs[0]!.leaf.maxDoc)
    // Documents by their word, each with its own nested ones.
    const sorted = open(merge({ kind: 'field', field: 'word' }))
    const parents = sorted.parents()!
    const words = sorted.ordinals('word')!
    const ids: string[] = []
    let last = -1
    for (let doc = parents.next(0); doc < sorted.maxDoc; doc = parents.next(doc + 1)) {
      const id = decodeUtf8(sorted.ids().id(doc))
      expect(doc - last).toBe(blockSize(Number(id.slice(2))))
      for (let nested = last + 1; nested < doc; nested++)
        expect(decodeUtf8(sorted.ids().id(nested))).toBe(id)
      expect(words.advanceExact(doc)).toBe(true)
      ids.push(id)
      last = doc
      if (doc + 1 >= sorted.maxDoc) break
    }
    const expected = [...ALL, ...ALL]
      .map((i, at) => ({ i, at }))
      .sort((a, b) => (a.i % 3) - (b.i % 3) || a.at - b.at)
      .map(({ i }) => `id${i}`)
    expect(ids).toEqual(expected)
  })
})
