/** Segments that stay in `test/golden` for good: how they are written, kept and opened. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { type SealedSegment, sealBuffer } from '../../src/indexing/seal.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { openWholeSegment } from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import type { TestArena } from './test-arena.ts'

/** The files of a segment, or more, by name. */
export type Files = ReadonlyMap<string, Uint8Array>

/** The same documents give the same bytes. */
export interface GoldenDocuments {
  readonly properties: object
  /** The mapping's other keys. */
  readonly root?: object
  /** Numbers of the documents, the second excluded; each has its number as its sequence number. */
  readonly range: readonly [from: number, to: number]
  readonly documentOf: (i: number) => object
  readonly routingOf?: (i: number) => string | null
  /** Numbers of documents that are superseded. */
  readonly dead?: readonly number[]
  /** The id of the segment. */
  readonly id: Uint8Array
  readonly sort?: string
  /** The least number of vectors of which a graph is made; absent: the index finds no neighbours. */
  readonly graphFrom?: number
}

/** When every golden segment was made. */
export const CREATED = 1_700_000_000_000

/** An id whose bytes rise by a step. */
export function idOf(step: number): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => i * step)
}

/** Writes documents, named `id` and their number. */
export function sealDocuments({
  properties,
  root = {},
  range: [from, to],
  documentOf,
  routingOf = () => null,
  dead = [],
  id,
  sort = '',
  graphFrom,
}: GoldenDocuments): SealedSegment {
  const mapping = parseMapping(parseJsonTree(encodeUtf8(JSON.stringify({ ...root, properties }))), {
    limits: { ...DEFAULT_MAPPING_LIMITS, isVectorIndex: graphFrom !== undefined },
    hasAnalyzer: () => true,
    hasNormalizer: () => true,
    hasSimilarity: () => true,
  })
  const parser = new DocumentParser(mapping, 20)
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, new AnalysisRegistry(new Map()))
  const slots = Array.from({ length: to - from }, (_, at) => {
    const i = from + at
    const source = encodeUtf8(JSON.stringify(documentOf(i)))
    expect(parser.parse(source, 0, source.length, `id${i}`)).toBe(true)
    return buffer.addDocument(parser.document, `id${i}`, routingOf(i))
  })
  const column = (numberOf: (i: number) => number): Float64Array => {
    const values = new Float64Array(buffer.slotCount)
    for (const [at, slot] of slots.entries()) values[slot] = numberOf(from + at)
    return values
  }
  const sealed = sealBuffer(buffer, {
    seqNos: column(i => i),
    versions: new BigInt64Array(buffer.slotCount).fill(1n),
    primaryTerms: column(() => 1),
    deadSlots: Int32Array.from(dead.map(i => slots[i - from]!)),
    segmentId: id,
    created: CREATED,
    sort,
    graphFrom: graphFrom ?? Number.POSITIVE_INFINITY,
  })
  buffer.release()
  return sealed
}

/** The files of a sealed or merged segment. */
export function filesOf({ segment, stored }: Pick<SealedSegment, 'segment' | 'stored'>): Files {
  return new Map([
    ['_0.seg', segment],
    ['_0.sto', stored],
  ])
}

const GOLDEN = join(import.meta.dirname, '../golden/segments')

/**
 * The files of a golden segment as they were written once.
 * @param folder its name
 * @param build  writes them anew where there are none, or `UPDATE_GOLDEN` is 1; null: it is of an older
 *   format, which is written no more
 */
export function goldenFiles(
  folder: string,
  build: (() => Files) | null,
  names: readonly string[] = ['_0.seg', '_0.sto'],
): Files {
  const path = join(GOLDEN, folder)
  if (build !== null && (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(path))) {
    mkdirSync(path, { recursive: true })
    for (const [name, bytes] of build()) writeFileSync(join(path, name), bytes)
  }
  return new Map(names.map(name => [name, new Uint8Array(readFileSync(join(path, name)))]))
}

/** This build writes the golden files to the byte: another byte is another version of the format. */
export function expectSameBytes(built: Files, golden: Files): void {
  expect([...built.keys()]).toEqual([...golden.keys()])
  for (const [name, bytes] of built) expect(Buffer.compare(bytes, golden.get(name)!), name).toBe(0)
}

/**
 * Cuts a segment's file or flips bits of it, a hundred times over; each time it is right or refused clearly.
 * @returns how often it was refused
 */
export function refusalsOf(whole: Files, seed: number, check: (files: Files) => void): number {
  const random = new Random(seed)
  let refused = 0
  for (let round = 0; round < 100; round++) {
    const files = new Map([...whole].map(([name, bytes]) => [name, bytes.slice()]))
    const segment = files.get('_0.seg')!
    const at = random.below(segment.length)
    if (random.below(4) === 0) files.set('_0.seg', segment.slice(0, at))
    else segment[at] = segment[at]! ^ (1 + random.below(255))
    try {
      check(files)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      refused++
    }
  }
  return refused
}

/** A directory with files. */
export function directoryOf(files: Files): MemoryDirectory {
  const directory = new MemoryDirectory()
  for (const [name, bytes] of files) directory.write(name, bytes)
  return directory
}

/** Opens a segment with all its sections. */
export function openFiles(files: Files, arena: TestArena): Leaf {
  return openWholeSegment(directoryOf(files), '_0', null, arena)
}

/** The stored fields of a segment. */
export function storedOf(files: Files): StoredReader {
  const stored = files.get('_0.sto')!
  return new StoredReader('_0.sto', stored.length, (at, n) => stored.subarray(at, at + n))
}
