import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { mergeSegments } from '../../src/indexing/merge.ts'
import { sealBuffer } from '../../src/indexing/seal.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import { documentVector, vectorParts } from '../../src/segment/document-vector.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { openWholeSegment } from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of vectors: stays here for good and must open. */
const FOLDER = join(import.meta.dirname, '../golden/segments/vectors-v1')
const FILES = ['_0.seg', '_0.sto']
const COUNT = 90
const ID = Uint8Array.from({ length: 16 }, (_, i) => i * 11)
const GAP = 100

const text = (options: object): object => ({ type: 'text', analyzer: 'loaded', ...options })
const MAPPING = {
  all: text({ term_vector: 'with_positions_offsets_payloads' }),
  offsets: text({ index_options: 'offsets' }),
  terms: text({ term_vector: 'yes', index_options: 'docs' }),
  at: text({ term_vector: 'with_positions', index_options: 'freqs' }),
  none: text({}),
}
const FIELDS = Object.keys(MAPPING)

const registry = new AnalysisRegistry(
  new Map<string, string | string[]>([
    ['index.analysis.analyzer.loaded.tokenizer', 'whitespace'],
    ['index.analysis.analyzer.loaded.filter', ['lowercase', 'loads', 'stop']],
    ['index.analysis.filter.loads.type', 'delimited_payload'],
  ]),
)

const WORDS = ['The', 'sea', 'wolf|3', 'été', 'a', 'sea|0.5', 'whale', 'Sea']

/** The values of a document; some have none. */
function valuesOf(i: number): string[] {
  if (i % 7 === 6) return []
  const value = (from: number, count: number): string =>
    Array.from({ length: count }, (_, k) => WORDS[(from * 5 + k * 3) % WORDS.length]!).join('  ')
  return i % 4 === 0 ? [value(i, 1 + (i % 5)), value(i + 1, 3)] : [value(i, 2 + (i % 9))]
}

/** @param dead numbers of documents that are superseded */
function build(
  from: number,
  to: number,
  dead: readonly number[] = [],
  properties: object = MAPPING,
): Map<string, Uint8Array> {
  const mapping = parseMapping(parseJsonTree(encodeUtf8(JSON.stringify({ properties }))), {
    limits: DEFAULT_MAPPING_LIMITS,
    hasAnalyzer: name => registry.hasAnalyzer(name),
    hasNormalizer: () => true,
    hasSimilarity: () => true,
  })
  const parser = new DocumentParser(mapping, 20)
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, registry)
  for (let i = from; i < to; i++) {
    const document = Object.fromEntries(FIELDS.map(field => [field, valuesOf(i)]))
    const source = encodeUtf8(JSON.stringify(document))
    expect(parser.parse(source, 0, source.length, `id${i}`)).toBe(true)
    buffer.addDocument(parser.document, `id${i}`, null)
  }
  const count = to - from
  const sealed = sealBuffer(buffer, {
    seqNos: Float64Array.from({ length: count }, (_, i) => from + i),
    versions: new BigInt64Array(count).fill(1n),
    primaryTerms: new Float64Array(count).fill(1),
    deadSlots: Int32Array.from(dead.map(i => i - from)),
    segmentId: ID,
    created: 1_700_000_000_000,
    sort: '',
  })
  buffer.release()
  return new Map([
    ['_0.seg', sealed.segment],
    ['_0.sto', sealed.stored],
  ])
}

const arena = testArena()

function open(files: ReadonlyMap<string, Uint8Array>): Leaf {
  const directory = new MemoryDirectory()
  for (const [name, bytes] of files) directory.write(name, bytes)
  return openWholeSegment(directory, '_0', null, arena)
}

const storedOf = (files: ReadonlyMap<string, Uint8Array>): StoredReader => {
  const stored = files.get('_0.sto')!
  return new StoredReader('_0.sto', stored.length, (at, n) => stored.subarray(at, at + n))
}

/** The vector of a document as text. */
function vectorOf(leaf: Leaf, field: string, doc: number): string[] {
  const vector = documentVector(leaf, field, doc)!
  const terms: string[] = []
  while (vector.nextTerm()) {
    const tokens: string[] = []
    while (vector.nextToken()) {
      const { position, start, end, payload } = vector
      tokens.push(`${position} ${start}-${end} ${payload === null ? '' : [...payload].join()}`)
    }
    terms.push(`${decodeUtf8(vector.term.subarray(0, vector.termLength))}: ${tokens.join('; ')}`)
  }
  return terms
}

/** The expected vectors, by analysing the values. */
function wanted(field: string, values: readonly string[]): string[] {
  const analyzer = registry.analyzer('loaded')!
  const keeps = (part: string): boolean =>
    field === 'all' || (field === 'offsets' && part !== 'payload')
  const keepsPosition = field !== 'terms'
  const terms = new Map<string, string[]>()
  let position = -1
  let offset = 0
  for (const value of values) {
    const { tokens, trailingIncrement, endOffset } = analyzer.tokens(value)
    for (const token of tokens) {
      position += token.positionIncrement
      const place = keeps('offset')
        ? `${offset + token.startOffset}-${offset + token.endOffset}`
        : '-1--1'
      const payload = keeps('payload') && token.payload !== null ? [...token.payload].join() : ''
      const own = terms.get(token.term) ?? []
      own.push(`${keepsPosition ? position : -1} ${place} ${payload}`)
      terms.set(token.term, own)
    }
    position += trailingIncrement + GAP
    offset += endOffset + 1
  }
  return [...terms]
    .sort(([a], [b]) => compareBytes(encodeUtf8(a), encodeUtf8(b)))
    .map(([term, tokens]) => `${term}: ${tokens.join('; ')}`)
}

function check(leaf: Leaf, numbers: readonly number[]): void {
  const seqNos = leaf.numericValues('_seq_no')!
  for (let doc = 0; doc < leaf.maxDoc; doc++) {
    seqNos.advanceExact(doc)
    const i = seqNos.lo()
    expect(i).toBe(numbers[doc])
    for (const field of FIELDS.filter(each => each !== 'none'))
      expect([i, field, vectorOf(leaf, field, doc)]).toEqual([i, field, wanted(field, valuesOf(i))])
  }
  expect(leaf.maxDoc).toBe(numbers.length)
  expect(vectorParts(leaf, 'none')).toBeNull()
}

function golden(): Map<string, Uint8Array> {
  if (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(FOLDER)) {
    mkdirSync(FOLDER, { recursive: true })
    for (const [name, bytes] of build(0, COUNT)) writeFileSync(join(FOLDER, name), bytes)
  }
  return new Map(FILES.map(name => [name, new Uint8Array(readFileSync(join(FOLDER, name)))]))
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i)

function merged(
  parts: readonly Map<string, Uint8Array>[],
  drops: (doc: number, part: number) => boolean,
): Leaf {
  const inputs = parts.map((files, part) => {
    const leaf = open(files)
    const live = new BitSet(leaf.maxDoc)
    for (let doc = 0; doc < leaf.maxDoc; doc++) if (!drops(doc, part)) live.add(doc)
    return { leaf, stored: storedOf(files), live }
  })
  const { segment, stored } = mergeSegments(inputs, ID, 0)
  return open(
    new Map([
      ['_0.seg', segment],
      ['_0.sto', stored],
    ]),
  )
}

describe('the golden segment of vectors', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    for (const [name, bytes] of build(0, COUNT))
      expect(Buffer.compare(bytes, golden().get(name)!), name).toBe(0)
  })

  it('opens, and holds what was written', () => {
    arena.clear()
    check(open(golden()), range(0, COUNT))
  })

  it('leaves out documents that were superseded before it was sealed', () => {
    arena.clear()
    check(
      open(build(0, COUNT, [3, 4, 88])),
      range(0, COUNT).filter(i => ![3, 4, 88].includes(i)),
    )
  })

  it('is merged by the documents that are kept', () => {
    arena.clear()
    check(
      merged([build(0, 40), build(40, COUNT)], (doc, part) => doc % 5 === part),
      range(0, COUNT).filter(i => (i < 40 ? i % 5 !== 0 : (i - 40) % 5 !== 1)),
    )
  })

  it.each([0, 1])('keeps no vectors with segments from before there were any', old => {
    arena.clear()
    const before = Object.fromEntries(FIELDS.map(field => [field, text({})]))
    const parts = [0, 1].map(part =>
      build(30 * part, 30 * part + 30, [], part === old ? before : MAPPING),
    )
    const leaf = merged(parts, () => false)
    expect(FIELDS.map(field => vectorParts(leaf, field))).toEqual(FIELDS.map(() => null))
  })
})
