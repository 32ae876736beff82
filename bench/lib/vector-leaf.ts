/** Vectors alone in memory, as a leaf holds them, for benches on one thread. */
import { ByteColumn } from '../../dist/codec/bytes/byte-column.js'
import { DenseVectorsReader } from '../../dist/codec/dense-vectors/reader.js'
import { writeDenseVectors } from '../../dist/codec/dense-vectors/writer.js'
import { ParentsReader } from '../../dist/codec/parents/reader.js'
import { writeParents } from '../../dist/codec/parents/writer.js'
import { VectorGraphReader } from '../../dist/codec/vector-graph/reader.js'
import { writeVectorGraph } from '../../dist/codec/vector-graph/writer.js'
import { buildGraph } from '../../dist/indexing/build-graph.js'
import { instantiateKernels } from '../../dist/kernels/kernel-module.js'
import type { GraphMethod } from '../../dist/schema/knn-vector/graph-method.js'
import { encodeVector } from '../../dist/schema/knn-vector/read-vector.js'
import type { VectorElement } from '../../dist/schema/knn-vector/vector-space.js'
import type { Leaf } from '../../dist/segment/leaf.js'
import { Scratch } from '../../dist/segment/scratch.js'
import { createMemory, viewsOf } from '../../dist/store/arena.js'
import { BitSet } from '../../dist/util/bit-set.js'

const PAGE_BYTES = 65536
const SCRATCH_BYTES = 4 << 20

/** Vectors, and their graph where there is one. */
export interface VectorLeaf {
  readonly leaf: Leaf
  readonly reader: DenseVectorsReader
  readonly graph: VectorGraphReader | null
  /** Null: the documents are whole ones. */
  readonly parents: ParentsReader | null
  /** Of the section of vectors, and of that of the graph. */
  readonly vectorBytes: number
  readonly graphBytes: number
  /** Of the graph alone. */
  readonly buildMillis: number
}

/**
 * Opens vectors; each has the document of its place.
 * @param method of their graph; null: none is made
 * @param nested how many are those of nested documents of one whole one, which stands behind them; 0: all are whole
 */
export function vectorLeaf(
  vectors: Iterable<readonly number[] | Float32Array>,
  element: VectorElement,
  method: GraphMethod | null,
  nested = 0,
): VectorLeaf {
  const column = new ByteColumn()
  let length = 0
  let maxDoc = 0
  for (const vector of vectors) {
    const bytes = encodeVector(vector, element)
    column.push(maxDoc++, bytes, 0, bytes.length)
    if (nested > 0 && column.length % nested === 0) maxDoc++
    length = vector.length
  }
  const dimension = element === 'binary' ? 8 * length : length
  const rows = writeDenseVectors({ element, dimension, method, vectors: column }, maxDoc)
  const wholes = new BitSet(maxDoc)
  for (let doc = nested; nested > 0 && doc < maxDoc; doc += nested + 1) wholes.add(doc)
  const parents = nested > 0 ? writeParents(wholes) : new Uint8Array(0)
  const own = new DenseVectorsReader({
    views: viewsOf(rows.buffer),
    start: 0,
    length: rows.length,
    name: 'bench',
  })
  const started = performance.now()
  const built = method === null ? null : buildGraph(own, method, null, () => undefined)
  const buildMillis = performance.now() - started
  const links = built === null ? new Uint8Array(0) : writeVectorGraph(built)
  const start = PAGE_BYTES + SCRATCH_BYTES
  const behind = start + Math.ceil(rows.length / 64) * 64
  const after = behind + Math.ceil(links.length / 64) * 64
  const memory = createMemory(Math.ceil((after + parents.length) / PAGE_BYTES) * PAGE_BYTES)
  const views = viewsOf(memory.buffer)
  views.u8.set(rows, start)
  views.u8.set(links, behind)
  views.u8.set(parents, after)
  const leaf = {
    views,
    scratch: new Scratch(PAGE_BYTES, SCRATCH_BYTES),
    kernels: instantiateKernels(memory),
    record: { liveDocs: -1 },
  } as unknown as Leaf
  const section = { views, name: 'bench' }
  return {
    leaf,
    reader: new DenseVectorsReader({ ...section, start, length: rows.length }),
    graph:
      built === null
        ? null
        : new VectorGraphReader({ ...section, start: behind, length: links.length }),
    parents:
      nested > 0 ? new ParentsReader({ ...section, start: after, length: parents.length }) : null,
    vectorBytes: rows.length,
    graphBytes: links.length,
    buildMillis,
  }
}
