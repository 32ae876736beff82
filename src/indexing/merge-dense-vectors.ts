import { ByteColumn } from '../codec/bytes/byte-column.ts'
import type { DenseVectorColumn } from '../codec/dense-vectors/vector-column.ts'
import type { GraphMethod } from '../schema/knn-vector/graph-method.ts'
import { type GraphSource, LOST_NODES } from './graph-draft.ts'
import { forEachDoc } from './merged-docs.ts'
import { byLeaf, type MergedField } from './merged-field.ts'

/** Null when no live document has a vector of components. */
export function mergeDenseVectors(
  field: MergedField,
): { column: DenseVectorColumn; graph: GraphSource | null } | null {
  const { name, docs } = field
  const readers = byLeaf(field, ({ leaf }) => leaf.denseVectors(name))
  const first = readers.find(reader => reader !== null) ?? null
  if (first === null) return null
  const { element, dimension, method } = first
  const vectors = new ByteColumn()
  const newOrds = readers.map(reader => new Int32Array(reader?.count ?? 0).fill(-1))
  forEachDoc(docs, (leaf, doc, target) => {
    const reader = readers[leaf] ?? null
    const ord = reader === null ? -1 : reader.ordOf(doc)
    if (reader === null || ord < 0) return
    const bytes = reader.bytes(ord)
    newOrds[leaf]![ord] = vectors.length
    vectors.push(target, bytes, 0, bytes.length)
  })
  if (vectors.length === 0) return null
  const column = { element, dimension, method, vectors }
  return { column, graph: method === null ? null : largestGraph(field, method, newOrds) }
}

/**
 * The graph of the leaf with the most vectors, if it loses few of them; else null.
 * @param newOrds by leaf, new ord of each vector; −1: it is dropped
 */
function largestGraph(
  field: MergedField,
  { space, m }: GraphMethod,
  newOrds: readonly Int32Array[],
): GraphSource | null {
  const graphs = byLeaf(field, ({ leaf }) => leaf.vectorGraph(field.name))
  let largest: GraphSource | null = null
  for (const [leaf, graph] of graphs.entries()) {
    const ords = newOrds[leaf]!
    if (graph === null || graph.count !== ords.length) continue
    if (graph.m !== m || graph.space !== space) continue
    const lost = ords.reduce((sum, ord) => sum + (ord < 0 ? 1 : 0), 0)
    if (lost > LOST_NODES * graph.count) continue
    if (largest === null || graph.count > largest.graph.count) largest = { graph, ords }
  }
  return largest
}
