import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { encodeLength } from '../../src/codec/norms/length-code.ts'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { forwardIndex } from '../../src/indexing/forward-index.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { type MergeInput, mergeSegments } from '../../src/indexing/merge.ts'
import { inArrivalOrder } from '../../src/indexing/merged-docs.ts'
import { type SealedSegment, sealBuffer } from '../../src/indexing/seal.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { DEFAULT_MAPPING_LIMITS, type Mapping } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import type { MergeOrder } from '../../src/schema/merge-order.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import {
  openWholeSegment,
  segmentFileName,
  storedFileName,
} from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { testArena } from '../support/test-arena.ts'

const registry = new AnalysisRegistry(
  new Map<string, string | string[]>([
    ['index.analysis.analyzer.stops.type', 'stop'],
    ['index.analysis.analyzer.stops.position_increment_gap', '7'],
  ]),
)
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const mapping: Mapping = parseMapping(
  parseJsonTree(
    encode(
      JSON.stringify({
        properties: {
          t: { type: 'text', fields: { k: { type: 'keyword', normalizer: 'lowercase' } } },
          s: { type: 'text', analyzer: 'stops' },
          bare: { type: 'text', norms: false, index_options: 'freqs' },
          k: { type: 'keyword', index_options: 'freqs' },
          dv: { type: 'keyword', index: false },
          terms: { type: 'keyword', doc_values: false },
          n: { type: 'long' },
          d: { type: 'double' },
          f: { type: 'float' },
          h: { type: 'half_float', ignore_malformed: true },
          p: { type: 'integer', doc_values: false },
          b: { type: 'boolean' },
          day: { type: 'date' },
          ip: { type: 'ip', copy_to: ['ippoints', 'ipvalues'] },
          ippoints: { type: 'ip', doc_values: false },
          ipvalues: { type: 'ip', index: false },
          geo: { type: 'geo_point' },
          geopoints: { type: 'geo_point', doc_values: false },
          lr: { type: 'long_range' },
          lrpoints: { type: 'ip_range', doc_values: false },
          bin: { type: 'binary', doc_values: true },
          x: { type: 'text', index_prefixes: { min_chars: 1 }, index_phrases: true },
          typed: { type: 'search_as_you_type' },
          flat: { type: 'flat_object' },
          big: { type: 'unsigned_long' },
          count: { type: 'token_count', analyzer: 'stops' },
          rank: { type: 'rank_feature' },
          topics: { type: 'rank_features' },
        },
      }),
    ),
  ),
  {
    limits: DEFAULT_MAPPING_LIMITS,
    hasAnalyzer: name => registry.hasAnalyzer(name),
    hasNormalizer: name => registry.hasNormalizer(name),
    hasSimilarity: () => true,
  },
)
const parser = new DocumentParser(mapping, 20)
const arena = testArena(32 << 20)

interface Doc {
  readonly id: string
  readonly routing: string | null
  readonly source: Record<string, unknown>
}

function bufferOf(docs: readonly Doc[]): InvertedBuffer {
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, registry)
  for (const { id, routing, source } of docs) {
    const bytes = encode(JSON.stringify(source))
    expect(parser.parse(bytes, 0, bytes.length, id)).toBe(true)
    buffer.addDocument(parser.document, id, routing)
  }
  return buffer
}

function seal(docs: readonly Doc[], firstSeqNo = 0, deadSlots: readonly number[] = []) {
  return sealBuffer(bufferOf(docs), {
    seqNos: Float64Array.from(docs, (_, i) => firstSeqNo + i),
    versions: BigInt64Array.from(docs, (_, i) => 1n + BigInt(i % 3)),
    primaryTerms: Float64Array.from(docs, () => 1),
    deadSlots: Int32Array.from(deadSlots),
    segmentId: new Uint8Array(16).fill(7),
    created: 1_600_000_000_000,
    sort: '',
  })
}

function open(sealed: Pick<SealedSegment, 'segment' | 'stored'>): {
  leaf: Leaf
  stored: StoredReader
} {
  const directory = new MemoryDirectory()
  directory.write(segmentFileName('_0'), sealed.segment)
  directory.write(storedFileName('_0'), sealed.stored)
  const leaf = openWholeSegment(directory, '_0', null, arena)
  const file = sealed.stored
  const stored = new StoredReader('_0.sto', file.length, (at, length) =>
    file.subarray(at, at + length),
  )
  return { leaf, stored }
}

/** All that a leaf holds, as plain data. */
function contents({ leaf, stored }: { leaf: Leaf; stored: StoredReader }): unknown {
  const fields = [...leaf.fields()].map(info => {
    const terms: unknown[] = []
    const dictionary = leaf.terms(info.name)
    const iterator = dictionary?.iterator()
    while (iterator?.next()) {
      const postings: number[][] = []
      const state = iterator.state()
      if (info.indexOptions !== 'none') {
        const mark = leaf.scratch.mark()
        const it = leaf.postings(info.name, state)
        for (let doc = it.nextDoc(); doc !== NO_MORE_DOCS; doc = it.nextDoc()) {
          const row = [doc]
          if (info.indexOptions !== 'docs') row.push(it.freq())
          if (info.indexOptions === 'positions')
            for (let i = it.freq(); i > 0; i--) row.push(it.nextPosition())
          postings.push(row)
        }
        leaf.scratch.release(mark)
      }
      terms.push([decode(iterator.term()), state, postings])
    }
    const docs = Array.from({ length: leaf.maxDoc }, (_, doc) => {
      const norms = leaf.norms(info.name)
      const values = leaf.numericValues(info.name)
      const ordinals = leaf.ordinals(info.name)
      const numbers: number[] = []
      if (values?.advanceExact(doc))
        for (let i = 0; i < values.valueCount(); i++) {
          values.select(i)
          numbers.push(values.hi(), values.lo())
        }
      const keywords: string[] = []
      if (ordinals?.advanceExact(doc))
        for (let i = 0; i < ordinals.valueCount(); i++)
          keywords.push(decode(dictionary!.termOfOrd(ordinals.ord(i))))
      return { norm: norms?.has(doc) ? norms.code(doc) : null, numbers, keywords }
    })
    const points: number[][] = []
    leaf.points(info.name)?.visitAll((doc, hi, lo) => points.push([hi, lo, doc]))
    const bytes = Array.from({ length: leaf.maxDoc }, (_, doc) => {
      const reader = leaf.bytes(info.name)
      if (!reader?.advanceExact(doc)) return []
      return Array.from({ length: reader.valueCount() }, (_, i) => [...reader.value(i)])
    })
    const boxes: number[][] = []
    leaf.boxes(info.name)?.visitAll((doc, words) => boxes.push([doc, ...words]))
    return { info, terms, docs, points, bytes, boxes }
  })
  return {
    maxDoc: leaf.maxDoc,
    fields,
    ids: Array.from({ length: leaf.maxDoc }, (_, doc) => decode(leaf.ids().id(doc))),
    found: Array.from({ length: leaf.maxDoc }, (_, doc) => leaf.ids().lookup(leaf.ids().id(doc))),
    sources: Array.from({ length: leaf.maxDoc }, (_, doc) => decode(stored.read(doc))),
  }
}

const word = fc.constantFrom('the', 'quick', 'Fox', 'fox', 'and', 'é', '一', 'quicker', 'zebra')
const text = fc.array(word, { maxLength: 12 }).map(words => words.join(' '))
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(value, fc.array(value, { maxLength: 3 }))
const source = fc.record(
  {
    t: some(text),
    s: some(text),
    bare: text,
    k: some(word),
    dv: some(word),
    terms: some(word),
    n: some(fc.integer()),
    d: some(fc.double({ noNaN: true, noDefaultInfinity: true })),
    f: fc.float({ noNaN: true, noDefaultInfinity: true }),
    h: fc.constantFrom(1.5, -2, 'bad'),
    p: some(fc.integer({ min: -9, max: 9 })),
    b: some(fc.boolean()),
    day: fc.constantFrom('2020', '1969-12-31', 5),
    ip: some(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('::1', '10.0.0.1'))),
    geo: some(fc.constantFrom('1,2', '-3,4', '89.9,-179')),
    geopoints: some(fc.constantFrom('1,2', '-3,4', '89.9,-179')),
    lr: some(fc.nat(20).map(n => ({ gte: n, lt: n + 3 }))),
    lrpoints: some(fc.constantFrom('10.0.0.0/8', '::/0', { gt: '::1' })),
    bin: some(fc.constantFrom('', 'AA==', 'AAE=', '/+8x', 'AAAA')),
    x: some(text),
    typed: text,
    flat: fc.object({ key: word, values: [word, fc.boolean()], maxDepth: 2 }),
    big: some(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)),
    count: some(text),
    rank: fc.float({ min: 1, max: 1000, noNaN: true }),
    topics: fc.dictionary(word, fc.float({ min: 1, max: 1000, noNaN: true }), { maxKeys: 3 }),
  },
  { requiredKeys: [] },
)
const collection = (maxLength: number): fc.Arbitrary<Doc[]> =>
  fc
    .array(fc.record({ source, routing: fc.option(fc.constantFrom('r1', 'r2')) }), { maxLength })
    .map(docs => docs.map((doc, i) => ({ id: `doc-${i}`, ...doc })))

describe('a sealed buffer', () => {
  it('reads back what its documents say', () => {
    fc.assert(
      fc.property(collection(40), docs => {
        arena.clear()
        const { leaf, stored } = open(seal(docs))
        expect(leaf.maxDoc).toBe(docs.length)
        for (const [doc, { id, source: json, routing }] of docs.entries()) {
          expect(leaf.ids().lookup(encode(id))).toBe(doc)
          expect(decode(stored.read(doc))).toBe(JSON.stringify(json))
          const routings = leaf.ordinals('_routing')
          const hasRouting = routings?.advanceExact(doc) ?? false
          expect(hasRouting).toBe(routing !== null)
          if (hasRouting)
            expect(decode(leaf.terms('_routing')!.termOfOrd(routings!.ord(0)))).toBe(routing)
        }
        checkText(leaf, docs)
        checkNumbers(leaf, docs)
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  it('drops dead slots as if they had never come', () => {
    fc.assert(
      fc.property(collection(30), fc.array(fc.boolean(), { maxLength: 30 }), (docs, dead) => {
        arena.clear()
        const deadSlots = docs.flatMap((_, i) => (dead[i] ? [i] : []))
        const kept = docs.filter((_, i) => !dead[i])
        const sealed = seal(docs, 0, deadSlots)
        const expected = seal(kept)
        expect(sealed.maxDoc).toBe(kept.length)
        const numbersApart = (value: unknown): unknown => {
          const plain = value as { fields: { info: { name: string; number: number } }[] }
          return {
            ...plain,
            fields: plain.fields.filter(
              ({ info }) => info.name !== '_seq_no' && info.name !== '_version',
            ),
          }
        }
        expect(numbersApart(contents(open(sealed)))).toEqual(numbersApart(contents(open(expected))))
        if (deadSlots.length > 0)
          expect([...sealed.docOfSlot!]).toEqual(
            docs.map((_, i) => (dead[i] ? -1 : i - deadSlots.filter(slot => slot < i).length)),
          )
      }),
      { seed: 2, numRuns: 40 },
    )
  })

  it('is as it was when a document fails half way', () => {
    arena.clear()
    const docs: Doc[] = [
      { id: 'a', routing: null, source: { t: 'one two', n: [3, 1], k: 'x', bin: 'AAE=' } },
      { id: 'b', routing: 'r', source: { t: 'two', n: 2, lr: { gte: 1 }, bin: '/+8x' } },
    ]
    const buffer = new InvertedBuffer()
    buffer.useMapping(mapping, registry)
    const add = (doc: Doc): number => {
      const bytes = encode(JSON.stringify(doc.source))
      parser.parse(bytes, 0, bytes.length, doc.id)
      return buffer.addDocument(parser.document, doc.id, doc.routing)
    }
    expect(add(docs[0]!)).toBe(0)
    const lost = { lr: [{ gte: 7 }, {}], bin: ['AAAA', ''], ip: '::1', geo: '1,2' }
    const bad = { t: 'lost words', n: [9, 8], b: true, ...lost, k: ['y', 'z'.repeat(32767)] }
    expect(() => add({ id: 'bad', routing: 'q', source: bad })).toThrow(
      'Document contains at least one immense term in field="k"',
    )
    expect(add(docs[1]!)).toBe(1)
    const sealed = sealBuffer(buffer, {
      seqNos: Float64Array.of(0, 1),
      versions: BigInt64Array.of(1n, 2n),
      primaryTerms: Float64Array.of(1, 1),
      deadSlots: new Int32Array(0),
      segmentId: new Uint8Array(16).fill(7),
      created: 1_600_000_000_000,
      sort: '',
    })
    expect(contents(open(sealed))).toEqual(contents(open(seal(docs))))
  })

  it('seals the same where an earlier seal was given up, at any of its checks', () => {
    const docs = Array.from({ length: 300 }, (_, i) => ({
      id: `d${i}`,
      routing: null,
      source: { t: `words of ${i} and ${i % 7}`, k: [`k${i % 11}`], n: [i, -i] },
    }))
    const buffer = bufferOf(docs)
    const marks = {
      seqNos: Float64Array.from(docs, (_, i) => i),
      versions: BigInt64Array.from(docs, () => 1n),
      primaryTerms: Float64Array.from(docs, () => 1),
      deadSlots: Int32Array.of(3, 70),
      segmentId: new Uint8Array(16).fill(7),
      created: 1_600_000_000_000,
      sort: '',
    }
    let checks = 0
    const whole = sealBuffer(buffer, { ...marks, goOn: () => void checks++ })
    expect(checks).toBeGreaterThan(10)
    for (let stopAt = 1; stopAt <= checks; stopAt++) {
      let seen = 0
      const goOn = (): void => {
        if (++seen === stopAt) throw new Error('the work was given up')
      }
      expect(() => sealBuffer(buffer, { ...marks, goOn })).toThrow('the work was given up')
    }
    const again = sealBuffer(buffer, marks)
    expect(Buffer.compare(again.segment, whole.segment)).toBe(0)
    expect(Buffer.compare(again.stored, whole.stored)).toBe(0)
  })

  it('keeps positions apart between values and where stop words were', () => {
    arena.clear()
    const docs = [
      {
        id: 'a',
        routing: null,
        source: { t: ['one two', '', 'three'], s: ['the fox the', 'fox'] },
      },
    ]
    const { leaf } = open(seal(docs))
    const positions = (field: string, term: string): number[] => {
      const it = leaf.postings(field, leaf.terms(field)!.lookup(encode(term))!)
      it.nextDoc()
      return Array.from({ length: it.freq() }, () => it.nextPosition())
    }
    expect(positions('t', 'two')).toEqual([1])
    // 1, then a gap of 100 behind each of two values, then the token's own step.
    expect(positions('t', 'three')).toEqual([202])
    expect(positions('s', 'fox')).toEqual([1, 103])
  })

  it('keeps a feature as the frequency of its term, in the upper bits of a float', () => {
    arena.clear()
    const features = [{ sport: 1, art: 0.5 }, { art: 1000.25 }]
    const docs = features.map((topics, i) => ({
      id: `${i}`,
      routing: null,
      source: { topics, rank: i + 1 },
    }))
    const { leaf } = open(seal(docs))
    const numbers = (field: string, term: string): number[] => {
      const it = leaf.postings(field, leaf.terms(field)!.lookup(encode(term))!)
      const found: number[] = []
      const float = new Float32Array(1)
      while (it.nextDoc() !== NO_MORE_DOCS) {
        new Uint32Array(float.buffer)[0] = it.freq() << 15
        found.push(float[0]!)
      }
      return found
    }
    expect(numbers('topics', 'sport')).toEqual([1])
    expect(numbers('topics', 'art')).toEqual([0.5, 1000])
    expect(numbers('rank', 'rank')).toEqual([1, 2])
  })

  it('takes a buffer without documents', () => {
    arena.clear()
    const { leaf } = open(seal([]))
    expect(leaf.maxDoc).toBe(0)
  })
})

describe('merged segments', () => {
  it('read the same as one segment of all documents', () => {
    fc.assert(
      fc.property(fc.array(collection(20), { minLength: 1, maxLength: 4 }), groups => {
        arena.clear()
        const all: Doc[] = []
        const inputs: MergeInput[] = groups.map((docs, g) => {
          const named = docs.map((doc, i) => ({ ...doc, id: `g${g}-${i}` }))
          const sealed = seal(named, all.length)
          all.push(...named)
          return { ...open(sealed), live: null }
        })
        const merged = mergeSegments(inputs, new Uint8Array(16), 1)
        const expected = open(seal(all))
        expect(versionsApart(contents(open(merged)))).toEqual(versionsApart(contents(expected)))
      }),
      { seed: 3, numRuns: 40 },
    )
  })

  it('leave deleted documents out and say where the others went', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(collection(20), fc.array(fc.boolean(), { maxLength: 20 })), {
          minLength: 1,
          maxLength: 3,
        }),
        groups => {
          arena.clear()
          const kept: Doc[] = []
          const maps: number[][] = []
          const inputs: MergeInput[] = groups.map(([docs, dead], g) => {
            const named = docs.map((doc, i) => ({ ...doc, id: `g${g}-${i}` }))
            const live = new BitSet(Math.max(docs.length, 1))
            maps.push(
              named.map((doc, i) => {
                if (dead[i]) return -1
                live.add(i)
                kept.push(doc)
                return kept.length - 1
              }),
            )
            return { ...open(seal(named)), live }
          })
          const merged = mergeSegments(inputs, new Uint8Array(16), 1)
          expect(merged.docMaps.map(map => [...map])).toEqual(maps)
          expect(versionsApart(contents(open(merged)), '_seq_no')).toEqual(
            versionsApart(contents(open(seal(kept))), '_seq_no'),
          )
        },
      ),
      { seed: 4, numRuns: 40 },
    )
  })
})

const ORDERS: readonly [string, MergeOrder][] = [
  ['bisection', { kind: 'bisection' }],
  ['an integer with several values', { kind: 'field', field: 'n' }],
  ['a keyword', { kind: 'field', field: 'k' }],
  ['a keyword that is not indexed', { kind: 'field', field: 'dv' }],
  ['a date', { kind: 'field', field: 'day' }],
  ['a field that nothing has', { kind: 'field', field: 'absent' }],
  [
    'an index that is sorted by two fields',
    {
      kind: 'sort',
      sort: [
        { field: 'k', isDescending: true, mode: 'max', isMissingFirst: false },
        { field: 'n', isDescending: false, mode: 'max', isMissingFirst: true },
      ],
    },
  ],
]

describe.each(ORDERS)('segments merged in the order of %s', (_, order) => {
  it('read the same as one segment of their live documents in that order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(collection(90), fc.array(fc.boolean(), { maxLength: 20 })), {
          minLength: 1,
          maxLength: 3,
        }),
        groups => {
          arena.clear()
          const named = groups.map(([docs], g) =>
            docs.map((doc, i) => ({ ...doc, id: `g${g}-${i}` })),
          )
          const inputs: MergeInput[] = groups.map(([docs, dead], g) => {
            const live = new BitSet(Math.max(docs.length, 1))
            for (const i of docs.keys()) if (!dead[i]) live.add(i)
            return { ...open(seal(named[g]!)), live: dead.some(Boolean) ? live : null }
          })
          const merged = mergeSegments(inputs, new Uint8Array(16), 1, order)
          const placed: Doc[] = []
          let liveCount = 0
          for (const [g, docs] of named.entries())
            for (const [i, doc] of docs.entries()) {
              const target = merged.docMaps[g]![i]!
              expect(target < 0).toBe(groups[g]![1][i] === true)
              if (target < 0) continue
              placed[target] = doc
              liveCount++
            }
          expect(Object.keys(placed).length).toBe(liveCount)
          expect(merged.maxDoc).toBe(liveCount)
          const found = open(merged)
          expect(versionsApart(contents(found), '_seq_no')).toEqual(
            versionsApart(contents(open(seal(placed))), '_seq_no'),
          )
          for (const name of ['_seq_no', '_version'])
            for (const [g, { leaf }] of inputs.entries())
              for (let i = 0; i < leaf.maxDoc; i++) {
                const target = merged.docMaps[g]![i]!
                if (target < 0) continue
                expect(numberOf(found.leaf, name, target)).toBe(numberOf(leaf, name, i))
              }
          if (order.kind === 'field') expect(placed).toEqual(sortedBy(order.field, named, groups))
        },
      ),
      { seed: 5, numRuns: 25 },
    )
  })
})

describe('the terms of each document', () => {
  // `everywhere` in all 200 documents, `w0` to `w7` in 25 each, `sixth` in 34, `rare0` and so on in 4.
  const docs = Array.from({ length: 200 }, (_, i) => ({
    id: `${i}`,
    routing: null,
    source: { t: `everywhere w${i % 8} rare${i >> 2}`, ...(i % 6 === 0 ? { k: 'sixth' } : {}) },
  }))

  it('are those that tell documents apart, the rarer ones only while there is room', () => {
    arena.clear()
    const leaves = [open(seal(docs.slice(0, 90))).leaf, open(seal(docs.slice(90))).leaf]
    const live = new BitSet(90)
    live.addRange(1, 90)
    const arrival = inArrivalOrder(leaves, [live, null])
    const { docCount, termCount, starts, terms } = forwardIndex(leaves, arrival)
    expect(docCount).toBe(199)
    expect(termCount).toBe(9)
    // The fields come by name: `sixth` of `k` is term 0, then `w0` of `t`.
    for (let doc = 0; doc < docCount; doc++) {
      const number = doc + 1
      const expected = [...(number % 6 === 0 ? [0] : []), 1 + (number % 8)]
      expect([...terms.subarray(starts[doc]!, starts[doc + 1]!)]).toEqual(expected)
    }
    const few = forwardIndex(leaves, arrival, 100)
    expect([few.termCount, few.terms.length]).toEqual([1, 33])
  })
})

/** Live documents by a field's least value, as they came where it is the same, those without last. */
function sortedBy(
  field: string,
  named: readonly (readonly Doc[])[],
  groups: readonly (readonly [unknown, readonly boolean[]])[],
): Doc[] {
  const live = named.flatMap((docs, g) => docs.filter((_, i) => !groups[g]![1][i]))
  const keyOf = ({ source: json }: Doc): string | number | null => {
    const values = [json[field] ?? []].flat() as (string | number)[]
    if (values.length === 0) return null
    if (field === 'day') return values[0] === 5 ? 5 : Date.parse(String(values[0]))
    return values.reduce((least, value) => (compare(value, least) < 0 ? value : least))
  }
  const compare = (a: string | number, b: string | number): number => {
    if (typeof a === 'number' && typeof b === 'number') return a - b
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  }
  // A stable sort.
  return live.sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return compare(x, y)
  })
}

function numberOf(leaf: Leaf, field: string, doc: number): number {
  const values = leaf.numericValues(field)!
  expect(values.advanceExact(doc)).toBe(true)
  values.select(0)
  return values.number()
}

/** Without the columns that the two ways number differently. */
function versionsApart(value: unknown, ...more: string[]): unknown {
  const plain = value as { fields: { info: { name: string } }[] }
  const left = new Set(['_version', ...more])
  return { ...plain, fields: plain.fields.filter(({ info }) => !left.has(info.name)) }
}

function checkText(leaf: Leaf, docs: readonly Doc[]): void {
  const analyzer = registry.analyzer('standard')!
  const expected = new Map<string, number[][]>()
  let docCount = 0
  let total = 0
  docs.forEach(({ source: json }, doc) => {
    const given = (json as { t?: string | string[] }).t
    if (given === undefined) return
    const values = Array.isArray(given) ? given : [given]
    let position = -1
    let length = 0
    for (const value of values) {
      const stream = analyzer.tokens(value)
      for (const token of stream.tokens) {
        position += token.positionIncrement
        length++
        const rows = expected.get(token.term) ?? []
        expected.set(token.term, rows)
        const last = rows.at(-1)
        if (last?.[0] === doc) last.push(position)
        else rows.push([doc, position])
      }
      position += stream.trailingIncrement + 100
    }
    if (length > 0) docCount++
    total += length
    if (values.length > 0) expect(leaf.norms('t')!.code(doc)).toBe(encodeLength(length))
  })
  const info = leaf.fieldInfo('t')
  expect(info?.docCount ?? 0).toBe(docCount)
  expect(info?.sumTotalTermFreq ?? 0).toBe(total)
  expect(leaf.terms('t')?.termCount ?? 0).toBe(expected.size)
  for (const [term, rows] of expected) {
    const mark = leaf.scratch.mark()
    const it = leaf.postings('t', leaf.terms('t')!.lookup(encode(term))!)
    for (const [doc, ...positions] of rows) {
      expect(it.nextDoc()).toBe(doc)
      expect(it.freq()).toBe(positions.length)
      expect(positions.map(() => it.nextPosition())).toEqual(positions)
    }
    expect(it.nextDoc()).toBe(NO_MORE_DOCS)
    leaf.scratch.release(mark)
  }
}

function checkNumbers(leaf: Leaf, docs: readonly Doc[]): void {
  const values = leaf.numericValues('n')
  docs.forEach(({ source: json }, doc) => {
    const given = [(json as { n?: number | number[] }).n ?? []].flat().sort((a, b) => a - b)
    expect(values?.advanceExact(doc) ?? false).toBe(given.length > 0)
    given.forEach((number, i) => {
      values!.select(i)
      expect(values!.number()).toBe(number)
    })
    const bools = new Set([(json as { b?: boolean | boolean[] }).b ?? []].flat())
    for (const [term, value] of [
      ['T', true],
      ['F', false],
    ] as const) {
      const state = leaf.terms('b')?.lookup(encode(term)) ?? null
      const mark = leaf.scratch.mark()
      const found = state !== null && leaf.postings('b', state).advance(doc) === doc
      leaf.scratch.release(mark)
      expect(found).toBe(bools.has(value))
    }
    const malformed = leaf.terms('_ignored')?.lookup(encode('h')) ?? null
    const mark = leaf.scratch.mark()
    const isIgnored =
      malformed !== null && leaf.postings('_ignored', malformed).advance(doc) === doc
    leaf.scratch.release(mark)
    expect(isIgnored).toBe((json as { h?: unknown }).h === 'bad')
  })
}
