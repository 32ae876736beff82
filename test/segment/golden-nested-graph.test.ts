import { describe, expect, it } from 'vitest'
import { UNWATCHED } from '../../src/search/scorer/watch.ts'
import { queryVector } from '../../src/search/vector/comparison.ts'
import { scanVectors } from '../../src/search/vector/scan-vectors.ts'
import { VectorScores } from '../../src/search/vector/vector-scores.ts'
import { walkVectors } from '../../src/search/vector/walk-vectors.ts'
import {
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  refusalsOf,
  sealDocuments,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of nested vectors with a graph: stays here for good and must open. */
const FOLDER = 'nested-graph-v1'
const COUNT = 120
const K = 5
const FIELD = 'parts.v'
const method = { name: 'hnsw', engine: 'faiss', parameters: { m: 4, ef_construction: 20 } }
const MAPPING = {
  parts: {
    type: 'nested',
    properties: { v: { type: 'knn_vector', dimension: 4, data_type: 'byte', method } },
  },
}

function documentOf(i: number): Record<string, unknown> {
  const parts = Array.from({ length: i % 4 }, (_, part) => ({
    v: [1, 2, 3, 4].map(at => ((i * 31 + part * 7 + at * at * 13) % 200) - 100),
  }))
  return { parts }
}

const arena = testArena()

function build(): Files {
  return filesOf(
    sealDocuments({
      properties: MAPPING,
      range: [0, COUNT],
      documentOf,
      id: idOf(7),
      graphFrom: 50,
    }),
  )
}

const golden = (): Files => goldenFiles(FOLDER, () => build())

/** Searches by the graph, where there is one, and by a scan: with all as candidates they find the same. */
function check(files: Files): void {
  arena.clear()
  arena.scratch.reset()
  const leaf = openFiles(files, arena)
  const [parents, vectors, graph] = [
    leaf.parents()!,
    leaf.denseVectors(FIELD)!,
    leaf.vectorGraph(FIELD),
  ]
  const query = queryVector([5, 50, -20, 90], 'byte')
  const scores = new VectorScores('l2', query, vectors, leaf)
  const shared = { vectors, scores, limit: K, watch: UNWATCHED }
  const scanned = scanVectors({
    ...shared,
    bounds: null,
    docs: null,
    isLive: () => true,
    around: parents,
    minScore: Number.NEGATIVE_INFINITY,
  })
  expect(scanned.docs.length).toBe(K)
  expect(new Set([...scanned.docs].map(doc => parents.next(doc))).size).toBe(K)
  if (graph === null) return
  graph.verify()
  const size = { accepted: vectors.count, groups: parents.count }
  const walk = {
    ...shared,
    leaf,
    graph,
    query,
    ef: vectors.count,
    accepted: 'live',
    size,
    parents,
  } as const
  expect(walkVectors(walk)).toEqual(scanned)
}

describe('the golden segment of a graph of nested vectors', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    expectSameBytes(build(), golden())
  })

  it('opens, and its graph finds the best of each whole document', () => {
    check(golden())
    arena.clear()
    expect(openFiles(golden(), arena).vectorGraph(FIELD)?.count).toBe(180)
  })

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    expect(refusalsOf(golden(), 4721, check)).toBeGreaterThan(20)
  })
})
