import { describe, expect, it } from 'vitest'
import { mergeSegments } from '../../src/indexing/merge.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { decodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
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

/** A segment whose records have stored fields behind their sources; it must open for good. */
const FOLDER = 'stored-v2'
const COUNT = 70
const ID = idOf(3)
const PROPERTIES = {
  kept: { type: 'keyword' },
  gone: { type: 'keyword', store: true },
  from: { type: 'keyword', copy_to: 'all' },
  all: { type: 'text', store: true },
  kids: {
    type: 'nested',
    properties: { n: { type: 'long', store: true }, m: { type: 'long' } },
  },
}
const ROOT = { _source: { excludes: ['gone', 'kids'] } }

const documentOf = (i: number): object => ({
  kept: `k${i}`,
  ...(i % 5 === 0 ? {} : { gone: [`g${i}`, 'g'], from: `f${i}` }),
  ...(i % 3 === 0 ? { kids: [{ n: i, m: 1 }, { m: 2 }] } : {}),
})

/** The record of a document: its source, and what is kept for its stored fields. */
const recordOf = (i: number): readonly [string, string] => {
  const { kept, kids, ...rest } = documentOf(i) as {
    kept: string
    from?: string
    kids?: readonly { readonly n?: number }[]
  }
  const from = rest.from === undefined ? {} : { from: rest.from }
  const nested = kids === undefined ? {} : { kids: [{ n: i }, {}] }
  return [JSON.stringify({ kept, ...from }), JSON.stringify({ ...rest, ...nested })]
}

function build(range: readonly [number, number] = [0, COUNT], dead: readonly number[] = []): Files {
  return filesOf(
    sealDocuments({ properties: PROPERTIES, root: ROOT, range, documentOf, dead, id: ID }),
  )
}

const arena = testArena()

function check(files: Files, numbers: readonly number[]): void {
  const leaf = openFiles(files, arena)
  const parents = leaf.parents()!
  const stored = storedOf(files)
  const found: (readonly [string, string])[] = []
  for (let doc = 0; doc < leaf.maxDoc; doc++) {
    const block = stored.readBlock(stored.blockOf(doc))
    const record = [stored.sourceIn(block, doc), stored.besideIn(block, doc)].map(decodeUtf8)
    if (parents.has(doc)) found.push(record as [string, string])
    else expect(record).toEqual(['', ''])
  }
  expect(found).toEqual(numbers.map(recordOf))
}

const ALL = Array.from({ length: COUNT }, (_, i) => i)

describe('the golden segment of stored fields beside sources', () => {
  it('opens as it was written once, and is still written so', () => {
    arena.clear()
    const golden = goldenFiles(FOLDER, build)
    check(golden, ALL)
    expectSameBytes(build(), golden)
  })

  it('leaves out documents that were superseded before it was sealed', () => {
    arena.clear()
    check(
      build([0, COUNT], [0, 6, 9]),
      ALL.filter(i => ![0, 6, 9].includes(i)),
    )
  })

  it('is merged by the documents that are kept', () => {
    arena.clear()
    const parts = [build([0, 30]), build([30, COUNT])]
    const inputs = parts.map(files => {
      const leaf = openFiles(files, arena)
      const live = new BitSet(leaf.maxDoc)
      const seqNos = leaf.numericValues('_seq_no')!
      for (let doc = 0; doc < leaf.maxDoc; doc++)
        if (seqNos.advanceExact(doc) && seqNos.number() % 7 !== 2) live.add(doc)
      return { leaf, stored: storedOf(files), live }
    })
    const merged = filesOf(mergeSegments(inputs, ID, 0))
    check(
      merged,
      ALL.filter(i => i % 7 !== 2),
    )
  })

  it('answers right or says that it is damaged, whatever byte of it changes', () => {
    const files = goldenFiles(FOLDER, build)
    const intact = storedOf(files)
    const whole = files.get('_0.sto')!
    const expected = Array.from({ length: intact.maxDoc }, (_, doc) => decodeUtf8(intact.read(doc)))
    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice()
      bytes[at]! ^= 1 << (at & 7)
      try {
        const reader = storedOf(new Map([['_0.sto', bytes]]))
        const sources = expected.map((_, doc) => decodeUtf8(reader.read(doc)))
        expect(sources).toEqual(expected)
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError)
      }
    }
  })
})
