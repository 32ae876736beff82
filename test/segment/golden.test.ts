import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { readLiveDocs } from '../../src/codec/live-docs/reader.ts'
import { writeLiveDocs } from '../../src/codec/live-docs/writer.ts'
import { readManifest } from '../../src/codec/manifest/reader.ts'
import { writeManifest } from '../../src/codec/manifest/writer.ts'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { sealBuffer } from '../../src/indexing/seal.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import { openWholeSegment } from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of each format version stays here for good and must open. */
const FOLDER = join(import.meta.dirname, '../golden/segments')
const VERSIONS = ['v1', 'v2'] as const
/** What this build writes. */
const NEWEST = 'v2'
const COUNT = 700
const SEGMENT_ID = Uint8Array.from({ length: 16 }, (_, i) => i * 7)
const MAPPING = {
  properties: {
    body: { type: 'text' },
    tag: { type: 'keyword' },
    n: { type: 'long' },
    price: { type: 'double' },
  },
}

/** Document i of the golden segment: enough of one word to fill blocks, and every kind of value. */
function documentOf(i: number): Record<string, unknown> {
  const words = ['common', `w${i % 40}`, `rare${i}`]
  if (i % 3 === 0) words.push('common', 'third')
  return {
    body: words.join(' '),
    ...(i % 2 === 0 ? { tag: [`t${i % 5}`, 'even'] } : {}),
    n: i * i - 1000,
    ...(i % 7 === 0 ? { price: i / 8 } : {}),
  }
}

function build(): Map<string, Uint8Array> {
  const mapping = parseMapping(parseJsonTree(encodeUtf8(JSON.stringify(MAPPING))), {
    limits: DEFAULT_MAPPING_LIMITS,
    hasAnalyzer: () => true,
    hasNormalizer: () => true,
  })
  const parser = new DocumentParser(mapping, 20)
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, new AnalysisRegistry(new Map()))
  for (let i = 0; i < COUNT; i++) {
    const source = encodeUtf8(JSON.stringify(documentOf(i)))
    expect(parser.parse(source, 0, source.length, `id${i}`)).toBe(true)
    buffer.addDocument(parser.document, `id${i}`, i === 5 ? 'route' : null)
  }
  const sealed = sealBuffer(buffer, {
    seqNos: Float64Array.from({ length: COUNT }, (_, i) => i),
    versions: new BigInt64Array(COUNT).fill(1n),
    primaryTerms: new Float64Array(COUNT).fill(1),
    deadSlots: new Int32Array(0),
    segmentId: SEGMENT_ID,
    created: 1_700_000_000_000,
    sort: '',
  })
  const live = new BitSet(COUNT)
  live.addRange(0, COUNT)
  live.delete(13)
  const liveDocs = writeLiveDocs(SEGMENT_ID, live)
  const commit = writeManifest({
    generation: 1,
    storeId: SEGMENT_ID,
    segments: [],
    nextSegment: 1,
    maxSeqNo: COUNT - 1,
    localCheckpoint: COUNT - 1,
    primaryTerm: 1,
    logId: 'golden',
    logGeneration: 2,
    created: 1_700_000_000_000,
  })
  return new Map([
    ['_0.seg', sealed.segment],
    ['_0.sto', sealed.stored],
    ['_0_1.liv', liveDocs],
    ['commit_1', commit],
  ])
}

function golden(version: (typeof VERSIONS)[number]): Map<string, Uint8Array> {
  const folder = join(FOLDER, version)
  if (version === NEWEST && (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(folder))) {
    mkdirSync(folder, { recursive: true })
    for (const [name, bytes] of build()) writeFileSync(join(folder, name), bytes)
  }
  const names = ['_0.seg', '_0.sto', '_0_1.liv', 'commit_1']
  return new Map(names.map(name => [name, new Uint8Array(readFileSync(join(folder, name)))]))
}

const arena = testArena()

function open(files: ReadonlyMap<string, Uint8Array>) {
  arena.clear()
  const directory = new MemoryDirectory()
  for (const [name, bytes] of files) directory.write(name, bytes)
  return openWholeSegment(directory, '_0', null, arena)
}

/** Reads everything that the golden segment holds, through the readers that searches use. */
function check(files: ReadonlyMap<string, Uint8Array>): void {
  arena.scratch.reset()
  const leaf = open(files)
  expect(leaf.maxDoc).toBe(COUNT)
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
  const bodies = leaf.terms('body')!
  const common = bodies.lookup(encodeUtf8('common'))!
  expect([common.docFreq, common.totalTermFreq]).toEqual([COUNT, COUNT + Math.ceil(COUNT / 3)])
  const postings = leaf.postings('body', common)
  const numbers = leaf.numericValues('n')!
  const prices = leaf.numericValues('price')!
  const tags = leaf.ordinals('tag')!
  const tagTerms = leaf.terms('tag')!
  const seqNos = leaf.numericValues('_seq_no')!
  const stored = files.get('_0.sto')!
  const sources = new StoredReader('_0.sto', stored.length, (at, n) => stored.subarray(at, at + n))
  for (let i = 0; i < COUNT; i++) {
    expect(postings.nextDoc()).toBe(i)
    expect(postings.freq()).toBe(i % 3 === 0 ? 2 : 1)
    expect(postings.nextPosition()).toBe(0)
    if (i % 3 === 0) expect(postings.nextPosition()).toBe(3)
    const mark = arena.scratch.mark()
    const rare = leaf.postings('body', bodies.lookup(encodeUtf8(`rare${i}`))!)
    expect(rare.nextDoc()).toBe(i)
    expect(rare.nextPosition()).toBe(2)
    arena.scratch.release(mark)
    expect(numbers.advanceExact(i) && numbers.number()).toBe(i * i - 1000)
    expect(prices.advanceExact(i)).toBe(i % 7 === 0)
    expect(tags.advanceExact(i)).toBe(i % 2 === 0)
    if (i % 2 === 0) {
      const values = [0, 1].map(at => text(tagTerms.termOfOrd(tags.ord(at))))
      expect(values).toEqual(['even', `t${i % 5}`])
    }
    expect(seqNos.advanceExact(i) && seqNos.number()).toBe(i)
    expect(leaf.ids().lookup(encodeUtf8(`id${i}`))).toBe(i)
    expect(JSON.parse(text(sources.read(i)))).toEqual(documentOf(i))
  }
  expect(leaf.norms('body')!.code(0)).toBe(5)
  expect(readLiveDocs('_0_1.liv', files.get('_0_1.liv')!).deletedCount).toBe(1)
  expect(readManifest('commit_1', files.get('commit_1')!).logId).toBe('golden')
}

describe('the golden segment of the newest format', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    for (const [name, bytes] of build())
      expect(Buffer.compare(bytes, golden(NEWEST).get(name)!), name).toBe(0)
  })
})

describe.each(VERSIONS)('the golden segment of format %s', version => {
  it('opens, and holds what was written', () => {
    check(golden(version))
  })

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    const whole = golden(version)
    const seed = 4711
    const random = new Random(seed)
    let refused = 0
    for (let round = 0; round < 400; round++) {
      const files = new Map([...whole].map(([name, bytes]) => [name, bytes.slice()]))
      const names = [...files.keys()]
      const name = names[random.below(names.length)]!
      const bytes = files.get(name)!
      const at = random.below(bytes.length)
      if (random.below(3) === 0) files.set(name, bytes.slice(0, at))
      else bytes[at] = bytes[at]! ^ (1 << random.below(8))
      try {
        open(files)
        readLiveDocs('_0_1.liv', files.get('_0_1.liv')!)
        readManifest('commit_1', files.get('commit_1')!)
        const stored = files.get('_0.sto')!
        const reader = new StoredReader('_0.sto', stored.length, (start, n) =>
          stored.subarray(start, start + n),
        )
        for (let block = 0; block < reader.blockCount; block++) reader.readBlock(block)
      } catch (error) {
        expect(error, `seed ${seed}, ${name} at ${at}: ${error}`).toBeInstanceOf(EngineError)
        expect((error as EngineError).type).toBe('corrupt_index_exception')
        refused++
        continue
      }
      // Only bytes that no reader needs may pass: padding between sections, whole-file checksums.
      check(files)
    }
    expect(refused).toBeGreaterThan(300)
  })
})
