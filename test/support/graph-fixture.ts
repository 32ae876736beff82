/** Vectors in memory with the graph of them, for tests on one thread. */
import { ByteColumn } from '../../src/codec/bytes/byte-column.ts'
import { DenseVectorsReader } from '../../src/codec/dense-vectors/reader.ts'
import { writeDenseVectors } from '../../src/codec/dense-vectors/writer.ts'
import { ParentsReader } from '../../src/codec/parents/reader.ts'
import { writeParents } from '../../src/codec/parents/writer.ts'
import { VectorGraphReader } from '../../src/codec/vector-graph/reader.ts'
import { writeVectorGraph } from '../../src/codec/vector-graph/writer.ts'
import { buildGraph } from '../../src/indexing/build-graph.ts'
import type { GraphSource } from '../../src/indexing/graph-draft.ts'
import type { GraphMethod } from '../../src/schema/knn-vector/graph-method.ts'
import { encodeVector } from '../../src/schema/knn-vector/read-vector.ts'
import type { VectorElement } from '../../src/schema/knn-vector/vector-space.ts'
import { UNWATCHED } from '../../src/search/scorer/watch.ts'
import { queryVector } from '../../src/search/vector/comparison.ts'
import { scanVectors } from '../../src/search/vector/scan-vectors.ts'
import { VectorScores } from '../../src/search/vector/vector-scores.ts'
import { type WalkSize, walkVectors } from '../../src/search/vector/walk-vectors.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { Random } from '../../src/util/random.ts'
import type { TestArena } from './test-arena.ts'

/** Vectors of a leaf, and their graph. */
export interface GraphFixture {
  readonly bytes: Uint8Array
  readonly leaf: Leaf
  readonly vectors: DenseVectorsReader
  readonly graph: VectorGraphReader
  readonly method: GraphMethod
}

/** Gaussian numbers around centres that are drawn likewise: the same for a seed. */
export function clusteredVectors(
  count: number,
  dimension: number,
  { clusters, spread, seed }: { clusters: number; spread: number; seed: number },
): number[][] {
  const random = new Random(seed)
  const uniform = (): number => (random.nextUint32() + 0.5) / 2 ** 32
  const gaussian = (): number =>
    Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  const centres = Array.from({ length: clusters }, () =>
    Array.from({ length: dimension }, gaussian),
  )
  return Array.from({ length: count }, () =>
    centres[random.below(clusters)]!.map(centre => Math.fround(centre + spread * gaussian())),
  )
}

/**
 * The bytes of vectors' section.
 * @param docs the document of each vector; null: that of its number
 */
export function sectionOf(
  vectors: readonly (readonly number[])[],
  element: VectorElement,
  method: GraphMethod | null,
  docs: readonly number[] | null = null,
): Uint8Array {
  const column = new ByteColumn()
  for (const [i, vector] of vectors.entries()) {
    const bytes = encodeVector(vector, element)
    column.push(docs?.[i] ?? i, bytes, 0, bytes.length)
  }
  const length = vectors[0]!.length
  const dimension = element === 'binary' ? 8 * length : length
  // One whole document stands behind the last nested one.
  const maxDoc = docs === null ? vectors.length : docs.at(-1)! + 2
  return writeDenseVectors({ element, dimension, method, vectors: column }, maxDoc)
}

/** Whole documents of so many nested ones each. */
export interface Wholes {
  /** Of the nested ones. */
  readonly docs: readonly number[]
  readonly parents: ParentsReader
}

/** Puts whole documents into an arena, each behind its nested ones. @param sizes how many nested ones each has; the last has some */
export function wholesOf(arena: TestArena, sizes: readonly number[]): Wholes {
  const docs: number[] = []
  const parents: number[] = []
  let doc = 0
  for (const size of sizes) {
    for (let i = 0; i < size; i++) docs.push(doc++)
    parents.push(doc++)
  }
  const bits = new BitSet(doc)
  for (const parent of parents) bits.add(parent)
  return { docs, parents: new ParentsReader(arena.section(writeParents(bits))) }
}

/** Puts vectors and a new graph of them into an arena. */
export function graphFixture(
  arena: TestArena,
  given: readonly (readonly number[])[],
  element: VectorElement,
  method: GraphMethod,
  source: GraphSource | null = null,
  docs: readonly number[] | null = null,
): GraphFixture {
  const vectors = new DenseVectorsReader(arena.section(sectionOf(given, element, method, docs)))
  const built = buildGraph(vectors, method, source, () => undefined)
  const bytes = writeVectorGraph(built!)
  const leaf = {
    scratch: arena.scratch,
    views: arena.views,
    kernels: arena.kernelsOf(0),
    record: { liveDocs: -1 },
  } as unknown as Leaf
  return { bytes, leaf, vectors, graph: new VectorGraphReader(arena.section(bytes)), method }
}

/** What a walk of the fixture's graph finds; null: it was given up. */
export function walked(
  { leaf, vectors, graph, method }: GraphFixture,
  query: readonly number[],
  {
    k,
    ef,
    accepted,
    parents = null,
  }: { k: number; ef: number; accepted?: BitSet; parents?: ParentsReader | null },
): readonly number[] | null {
  leaf.scratch.reset()
  const own = queryVector(query, vectors.element)
  const found = walkVectors({
    leaf,
    vectors,
    graph,
    query: own,
    ef,
    scores: new VectorScores(method.space, own, vectors, leaf),
    accepted: accepted ?? 'live',
    size: sizeOf(vectors, accepted ?? null, parents),
    parents,
    limit: k,
    watch: UNWATCHED,
  })
  return found === null ? null : [...found.docs]
}

/** How many vectors may be found, and of how many whole documents they are. */
function sizeOf(
  vectors: DenseVectorsReader,
  accepted: BitSet | null,
  parents: ParentsReader | null,
): WalkSize {
  const groups = new Set<number>()
  let count = 0
  for (let ord = 0; ord < vectors.count; ord++) {
    const doc = vectors.docOf(ord)
    if (accepted?.has(doc) === false) continue
    count++
    groups.add(parents?.next(doc) ?? doc)
  }
  return { accepted: count, groups: groups.size }
}

/** What a scan of the fixture's vectors finds. */
export function scanned(
  { leaf, vectors, method }: GraphFixture,
  query: readonly number[],
  k: number,
  isLive: ((doc: number) => boolean) | null = null,
  around: ParentsReader | null = null,
): readonly number[] {
  leaf.scratch.reset()
  const own = queryVector(query, vectors.element)
  const { docs } = scanVectors({
    vectors,
    scores: new VectorScores(method.space, own, vectors, leaf),
    bounds: null,
    docs: null,
    isLive,
    around,
    limit: k,
    minScore: Number.NEGATIVE_INFINITY,
    watch: UNWATCHED,
  })
  return [...docs]
}

/** Part of the exact k nearest that walks find, over all queries. */
export function recallOf(
  fixture: GraphFixture,
  queries: readonly (readonly number[])[],
  k: number,
  ef: number,
): number {
  let hits = 0
  for (const query of queries) {
    const exact = new Set(scanned(fixture, query, k))
    for (const doc of walked(fixture, query, { k, ef }) ?? []) if (exact.has(doc)) hits++
  }
  return hits / (k * queries.length)
}
