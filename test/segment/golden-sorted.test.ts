import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { MergeMemory } from '../../src/indexing/merge-memory.ts'
import { sealBuffer } from '../../src/indexing/seal.ts'
import { sortSealed } from '../../src/indexing/sort-sealed.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { parseIndexSort, printIndexSort } from '../../src/schema/index-sort.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import { openSegmentFile, openWholeSegment } from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of a sorted index as the first version that had such wrote it; it must open for good. */
const FOLDER = join(import.meta.dirname, '../golden/segments/sorted-v1')
const COUNT = 40
const SORT = [
  { field: 'rank', isDescending: true, mode: 'max', isMissingFirst: true },
  { field: 'name', isDescending: false, mode: 'min', isMissingFirst: false },
] as const
const SORT_TEXT =
  '[{"field":"rank","order":"desc","mode":"max","missing":"_first"},' +
  '{"field":"name","order":"asc","mode":"min","missing":"_last"}]'

const documentOf = (i: number): object => ({
  ...(i % 8 === 0 ? {} : { rank: i % 5 }),
  name: `n${(i * 7) % 10}`,
})

/** Numbers of the documents in the order of the segment. */
const ORDER = Array.from({ length: COUNT }, (_, i) => i).sort((a, b) => {
  const rankOf = (i: number): number => (i % 8 === 0 ? 9 : i % 5)
  return rankOf(b) - rankOf(a) || ((a * 7) % 10) - ((b * 7) % 10) || a - b
})

function build(): Map<string, Uint8Array> {
  const body = { properties: { rank: { type: 'integer' }, name: { type: 'keyword' } } }
  const mapping = parseMapping(parseJsonTree(encodeUtf8(JSON.stringify(body))), {
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
    buffer.addDocument(parser.document, `id${i}`, null)
  }
  const marks = {
    segmentId: Uint8Array.from({ length: 16 }, (_, i) => i * 11),
    created: 1_700_000_000_000,
    sort: printIndexSort(SORT),
  }
  const sealed = sealBuffer(buffer, {
    seqNos: Float64Array.from({ length: COUNT }, (_, i) => i),
    versions: new BigInt64Array(COUNT).fill(1n),
    primaryTerms: new Float64Array(COUNT).fill(1),
    deadSlots: new Int32Array(0),
    ...marks,
  })
  buffer.release()
  const { segment, stored } = sortSealed(sealed, marks, new MergeMemory())
  return new Map([
    ['_0.seg', segment],
    ['_0.sto', stored],
  ])
}

it('opens a sorted segment as the first version wrote it', () => {
  if (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(FOLDER)) {
    mkdirSync(FOLDER, { recursive: true })
    for (const [name, bytes] of build()) writeFileSync(join(FOLDER, name), bytes)
  }
  const golden = new Map(
    ['_0.seg', '_0.sto'].map(name => [name, new Uint8Array(readFileSync(join(FOLDER, name)))]),
  )
  const directory = new MemoryDirectory()
  for (const [name, bytes] of golden) directory.write(name, bytes)
  const { file, segment } = openSegmentFile(directory, '_0.seg')
  file.close()
  expect(segment.directory.sort).toBe(SORT_TEXT)
  expect(parseIndexSort(segment.directory.sort)).toEqual(SORT)
  const leaf = openWholeSegment(directory, '_0', null, testArena())
  const ids = ORDER.map((_, doc) => decodeUtf8(leaf.ids().id(doc)))
  expect(ids).toEqual(ORDER.map(i => `id${i}`))
  expect(build()).toEqual(golden)
})

it('finds no sort in segments of before', () => {
  const directory = new MemoryDirectory()
  const old = join(import.meta.dirname, '../golden/segments/v1/_0.seg')
  directory.write('_0.seg', new Uint8Array(readFileSync(old)))
  const { file, segment } = openSegmentFile(directory, '_0.seg')
  file.close()
  expect(segment.directory.sort).toBe('')
})
