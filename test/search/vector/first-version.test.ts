import { expect, it } from 'vitest'
import { DenseVectorsReader } from '../../../src/codec/dense-vectors/reader.ts'
import { VectorGraphReader } from '../../../src/codec/vector-graph/reader.ts'
import { writeVectorGraph } from '../../../src/codec/vector-graph/writer.ts'
import { buildGraph } from '../../../src/indexing/build-graph.ts'
import { inFirstVersion } from '../../support/first-vectors.ts'
import {
  clusteredVectors,
  graphFixture,
  recallOf,
  sectionOf,
  walked,
} from '../../support/graph-fixture.ts'
import { testArena } from '../../support/test-arena.ts'

const METHOD = { space: 'l2', m: 8, efConstruction: 40 } as const

it('builds and walks graphs of vectors that were written in the first version', () => {
  const drawn = clusteredVectors(1540, 272, { clusters: 30, spread: 1, seed: 20261130 })
  const [queries, given] = [drawn.slice(0, 40), drawn.slice(40)]
  const arena = testArena(16 << 20)
  const fixture = graphFixture(arena, given, 'float', METHOD)
  const bytes = inFirstVersion(sectionOf(given, 'float', METHOD))
  const vectors = new DenseVectorsReader(arena.section(bytes))
  expect([vectors.hasTails, fixture.vectors.hasTails]).toEqual([false, true])
  for (const query of queries) {
    const found = walked(fixture, query, { k: 10, ef: 40 })
    expect(found).toHaveLength(10)
    expect(walked({ ...fixture, vectors }, query, { k: 10, ef: 40 })).toEqual(found)
  }
  const links = writeVectorGraph(buildGraph(vectors, METHOD, null, () => undefined)!)
  const graph = new VectorGraphReader(arena.section(links))
  expect(recallOf({ ...fixture, vectors, graph }, queries, 10, 40)).toBeGreaterThan(0.95)
})
