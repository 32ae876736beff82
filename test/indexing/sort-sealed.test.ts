import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { MergeMemory } from '../../src/indexing/merge-memory.ts'
import { type SealedSegment, sealBuffer } from '../../src/indexing/seal.ts'
import { sortSealed } from '../../src/indexing/sort-sealed.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { type IndexSort, printIndexSort, type SortKey } from '../../src/schema/index-sort.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { openWholeSegment } from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { testArena } from '../support/test-arena.ts'

const MAPPING = parseMapping(
  parseJsonTree(
    encodeUtf8(
      JSON.stringify({
        properties: {
          n: { type: 'long' },
          d: { type: 'double' },
          k: { type: 'keyword' },
          t: { type: 'text' },
          kids: { type: 'nested', properties: { n: { type: 'long' } } },
        },
      }),
    ),
  ),
  {
    limits: DEFAULT_MAPPING_LIMITS,
    hasAnalyzer: () => true,
    hasNormalizer: () => true,
    hasSimilarity: () => true,
  },
)

interface Doc {
  readonly n: readonly number[]
  readonly d: readonly number[]
  readonly k: readonly string[]
  readonly t: string
  readonly kids: readonly { readonly n: number }[]
}

const docs: fc.Arbitrary<readonly Doc[]> = fc.array(
  fc.record({
    n: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 3 }),
    d: fc.array(fc.constantFrom(-1.5, 0, 2.25, 1e300), { maxLength: 2 }),
    k: fc.array(fc.constantFrom('', 'a', 'é', 'zz'), { maxLength: 2 }),
    t: fc.constantFrom('one', 'one two', 'two two'),
    kids: fc.array(fc.record({ n: fc.integer({ min: 0, max: 9 }) }), { maxLength: 2 }),
  }),
  { maxLength: 60 },
)
const keys: fc.Arbitrary<IndexSort> = fc.uniqueArray(
  fc.record<SortKey>({
    field: fc.constantFrom('n', 'd', 'k'),
    isDescending: fc.boolean(),
    mode: fc.constantFrom('min', 'max'),
    isMissingFirst: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3, selector: ({ field }) => field },
)

/** Numbers of the live documents in the order of the sort. */
function sortedNumbers(all: readonly Doc[], dead: readonly boolean[], sort: IndexSort): number[] {
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  const keyOf = (doc: Doc, { field, mode }: SortKey): string | number | null => {
    const values = [...(doc[field as 'n'] as readonly (string | number)[])].sort(compare)
    return (mode === 'min' ? values[0] : values.at(-1)) ?? null
  }
  return [...all.keys()]
    .filter(i => !dead[i])
    .sort((i, j) => {
      for (const key of sort) {
        const [a, b] = [keyOf(all[i]!, key), keyOf(all[j]!, key)]
        if (a === null && b === null) continue
        if (a === null || b === null) return (a === null) === key.isMissingFirst ? -1 : 1
        const order = compare(a, b)
        if (order !== 0) return key.isDescending ? -order : order
      }
      return i - j
    })
}

const arena = testArena()
let place: MergeMemory
beforeAll(() => {
  place = new MergeMemory()
})
afterAll(() => place.clear())

function seal(
  all: readonly Doc[],
  dead: readonly boolean[],
  order: readonly number[],
  sort: string,
) {
  const buffer = new InvertedBuffer()
  buffer.useMapping(MAPPING, new AnalysisRegistry(new Map()))
  const parser = new DocumentParser(MAPPING, 20)
  const slots = order.map(i => {
    const source = encodeUtf8(JSON.stringify(all[i]))
    expect(parser.parse(source, 0, source.length, `id${i}`)).toBe(true)
    return buffer.addDocument(parser.document, `id${i}`, null)
  })
  const column = (of: (i: number) => number): Float64Array => {
    const values = new Float64Array(buffer.slotCount)
    for (const [at, slot] of slots.entries()) values[slot] = of(order[at]!)
    return values
  }
  const marks = { segmentId: new Uint8Array(16).fill(3), created: 0, sort }
  const sealed = sealBuffer(buffer, {
    seqNos: column(i => i),
    versions: BigInt64Array.from(
      column(i => 1 + (i % 3)),
      BigInt,
    ),
    primaryTerms: column(() => 1),
    deadSlots: Int32Array.from(slots.filter((_, at) => dead[order[at]!])).sort(),
    ...marks,
  })
  buffer.release()
  return { sealed, marks, slots }
}

function open({ segment }: SealedSegment): Leaf {
  const directory = new MemoryDirectory()
  directory.write('_0.seg', segment)
  return openWholeSegment(directory, '_0', null, arena)
}

/** Ids of the whole documents of a segment, in order. */
function idsOf(leaf: Leaf): string[] {
  const parents = leaf.parents()
  return Array.from({ length: leaf.maxDoc }, (_, doc) => doc)
    .filter(doc => parents === null || parents.has(doc))
    .map(doc => decodeUtf8(leaf.ids().id(doc)))
}

describe('a sealed segment of a sorted index', () => {
  it('is what the same documents make that come in that order', () => {
    fc.assert(
      fc.property(docs, fc.array(fc.boolean(), { maxLength: 20 }), keys, (all, dead, keyList) => {
        arena.clear()
        const sort = printIndexSort(keyList)
        const arrival = [...all.keys()]
        const { sealed, marks, slots } = seal(all, dead, arrival, sort)
        const sorted = sortSealed(sealed, marks, place)
        const order = sortedNumbers(all, dead, keyList)
        const leaf = open(sorted)
        expect(idsOf(leaf)).toEqual(order.map(i => `id${i}`))
        const expected = seal(all, [], order, sort)
        expect(Buffer.compare(sorted.stored, expected.sealed.stored)).toBe(0)
        expect(Buffer.compare(sorted.segment, expected.sealed.segment)).toBe(0)
        for (const [i, slot] of slots.entries()) {
          const doc = sorted.docOfSlot === null ? slot : sorted.docOfSlot[slot]!
          if (dead[i]) expect(doc).toBe(-1)
          else expect(decodeUtf8(leaf.ids().id(doc))).toBe(`id${i}`)
        }
      }),
      { numRuns: 60 },
    )
  })
})
