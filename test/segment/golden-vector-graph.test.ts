import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readSegmentFile } from '../../src/codec/directory/reader.ts'
import { buildGraph } from '../../src/indexing/build-graph.ts'
import { mergeSegments } from '../../src/indexing/merge.ts'
import {
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  refusalsOf,
  sealDocuments,
  storedOf,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** Segments of vectors with graphs, their vectors in the first version and in this one: stay here for good and must open. */
const FIRST_FOLDER = 'vector-graph-v1'
const FOLDER = 'vector-graph-v2'
const COUNT = 300
const GRAPH_FROM = 60
const method = (m: number): object => ({
  name: 'hnsw',
  engine: 'faiss',
  parameters: { m, ef_construction: 20 },
})
const MAPPING = {
  f: { type: 'knn_vector', dimension: 5, method: method(4) },
  b: { type: 'knn_vector', dimension: 3, data_type: 'byte', method: method(2) },
  bits: {
    type: 'knn_vector',
    dimension: 16,
    data_type: 'binary',
    space_type: 'hamming',
    method: method(3),
  },
  flat: { type: 'knn_vector', dimension: 2, method: { name: 'flat', engine: 'lucene' } },
  few: { type: 'knn_vector', dimension: 2, method: method(4) },
}
const GRAPHS = ['f', 'b', 'bits']

const floatOf = (i: number, at: number): number => ((i * 37 + at * at * 13) % 641) / 8 - 4
const byteOf = (i: number, at: number): number => ((i * 31 + at * 17 * i) % 256) - 128

function documentOf(i: number): Record<string, number[]> {
  const list = (length: number, of: (i: number, at: number) => number): number[] =>
    Array.from({ length }, (_, at) => of(i, at))
  return {
    ...(i % 3 === 0 ? {} : { f: list(5, floatOf) }),
    b: list(3, byteOf),
    ...(i % 2 === 0 ? { bits: list(2, byteOf) } : {}),
    flat: list(2, floatOf),
    ...(i % 10 === 0 ? { few: list(2, floatOf) } : {}),
  }
}

const arena = testArena()

function build(range: readonly [number, number] = [0, COUNT]): Files {
  const properties = MAPPING
  return filesOf(
    sealDocuments({ properties, range, documentOf, id: idOf(13), graphFrom: GRAPH_FROM }),
  )
}

const golden = (): Files => goldenFiles(FOLDER, () => build())

/** Reads every graph whole, and each node of the lowest level from the entry on. */
function check(files: Files): void {
  arena.clear()
  const leaf = openFiles(files, arena)
  for (const name of Object.keys(MAPPING)) {
    const graph = leaf.vectorGraph(name)
    if (!GRAPHS.includes(name)) expect(graph).toBeNull()
    // A damaged one is as none: its vectors are there.
    if (graph === null) {
      expect(leaf.denseVectors(name)!.count).toBeGreaterThan(0)
      continue
    }
    graph.verify()
    expect(graph.count).toBe(leaf.denseVectors(name)!.count)
  }
}

describe('the golden segment of graphs', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    expectSameBytes(build(), golden())
  })

  it.each([
    ['this version', golden],
    ['the first version', () => goldenFiles(FIRST_FOLDER, null)],
  ])(
    'opens in %s, and has a graph of each field that asks for one and has vectors enough',
    (_version, files) => {
      check(files())
      arena.clear()
      const leaf = openFiles(files(), arena)
      expect(GRAPHS.map(name => leaf.vectorGraph(name)?.m)).toEqual([4, 2, 3])
      expect(GRAPHS.map(name => leaf.vectorGraph(name)?.space)).toEqual(['l2', 'l2', 'hamming'])
      for (const name of GRAPHS) {
        const graph = leaf.vectorGraph(name)!
        let linked = 0
        for (let ord = 0; ord < graph.count; ord++) {
          const { length } = graph.neighbours(0, ord)
          expect(length).toBeLessThanOrEqual(2 * graph.m)
          if (length > 0) linked++
        }
        expect(linked).toBe(graph.count)
      }
    },
  )

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    expect(refusalsOf(golden(), 4720, check)).toBeGreaterThan(20)
  })

  it('opens without a graph that is damaged', () => {
    const files = golden()
    const bytes = files.get('_0.seg')!.slice()
    const { directory } = readSegmentFile('_0.seg', bytes.length, (at, n) =>
      bytes.subarray(at, at + n),
    )
    const { offset, length, checksum } = directory.sections.find(
      each => each.kind === 'vectorGraph',
    )!
    bytes[offset + length - 20] = bytes[offset + length - 20]! ^ 0x40
    expect(crc32(bytes.subarray(offset, offset + length))).not.toBe(checksum)
    arena.clear()
    const leaf = openFiles(new Map([...files, ['_0.seg', bytes]]), arena)
    const there = Object.keys(MAPPING).filter(name => leaf.vectorGraph(name) !== null)
    expect(there.length).toBe(2)
    for (const name of Object.keys(MAPPING))
      expect(leaf.denseVectors(name)!.count).toBeGreaterThan(29)
  })

  it('is merged with others into one whose graph has all vectors, and takes over the largest', () => {
    arena.clear()
    const parts = [build([0, 200]), build([200, COUNT])].map(files => ({
      leaf: openFiles(files, arena),
      stored: storedOf(files),
      live: null,
    }))
    const merged = filesOf(
      mergeSegments(parts, idOf(3), 0, { kind: 'arrival' }, () => undefined, GRAPH_FROM),
    )
    const leaf = openFiles(merged, arena)
    for (const name of GRAPHS) {
      const graph = leaf.vectorGraph(name)!
      graph.verify()
      const vectors = leaf.denseVectors(name)!
      expect(graph.count).toBe(vectors.count)
      const anew = buildGraph(vectors, vectors.method!, null, () => undefined)!
      const own = Array.from({ length: graph.count }, (_, ord) => [...graph.neighbours(0, ord)])
      const width = 2 * graph.m
      const fresh = own.map((_, ord) =>
        [...anew.levels[0]!.links.subarray(ord * width, (ord + 1) * width)].filter(
          each => each < graph.count,
        ),
      )
      // It began from another graph than nothing.
      expect(own).not.toEqual(fresh)
    }
    // Without graphs in it the merged segment has none.
    const without = filesOf(mergeSegments(parts, idOf(3), 0))
    expect(openFiles(without, arena).vectorGraph('b')).toBeNull()
  })
})
