import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { ParentsReader } from '../../codec/parents/reader.ts'
import type { VectorGraphReader } from '../../codec/vector-graph/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator, DocListIterator } from '../scorer/doc-set-iterators.ts'
import { exactIterator, type ScorerSupplier } from '../scorer/scorer.ts'
import { VectorDocsIterator } from '../scorer/vector-docs-iterator.ts'
import type { ScoredDocs } from '../vector/best-vectors.ts'
import { scanVectors, stepsOfVector } from '../vector/scan-vectors.ts'
import { scoreBounds } from '../vector/score-bounds.ts'
import { VectorScores } from '../vector/vector-scores.ts'
import {
  comparedOf,
  isWalkCheaper,
  type VectorWalk,
  type WalkSize,
  walkVectors,
} from '../vector/walk-vectors.ts'
import { explainNative } from './explain-vectors.ts'
import { type Explanation, step } from './explanation.ts'
import { foundScorer } from './found-docs.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { VectorsWeight } from './weight-node.ts'
import type { WeightOps, WeightType } from './weight-type.ts'

/** Documents whose vectors are near to another one: the best of each leaf, or all that reach a score. */
export const vectorsWeight: WeightType<VectorsWeight> = {
  ...ON_ITERATORS,
  supplier: vectorsSupplier,
  explainMiss(node, { leaf, docId }) {
    if (!isRadial(node) || node.engine === 'faiss') return step(0, 'Not a match')
    const isKept = (leaf.denseVectors(node.field)?.ordOf(docId) ?? -1) >= 0
    return step(0, isKept ? 'Score below threshold' : 'No vector found for doc')
  },
  explain(node, { score }, { leaf, docId }): Explanation {
    if (isRadial(node)) {
      if (node.engine !== 'faiss') return step(score, 'Score above threshold')
      const search = { ...node, dimension: node.vector.length, oversample: null }
      const { minScore } = node
      return explainNative(search, leaf, score, { unboosted: score / node.boost, minScore })
    }
    const vectors = leaf.denseVectors(node.field)!
    const scores = new VectorScores(node.space, node.vector, vectors, leaf)
    const own = scores.of(vectors.ordOf(docId))
    const words = `score of the vector in the space [${node.space}]`
    if (node.boost === 1) return step(score, words)
    return step(score, 'product of:', [step(node.boost, 'boost'), step(own, words)])
  },
  steps: ({ vector, candidates, filter }, states, segment, of) =>
    comparedOf(segment.maxDoc, vector.length, candidates) * stepsOfVector(vector.length) +
    (filter === null ? 0 : of.steps(filter, states, segment)),
  // The best of a leaf are not those of its parts.
  isDivisible: () => false,
  clause: () => 'vectors',
}

/** Whether all near enough are asked for, of whole documents. */
function isRadial({ minScore, limit, within, bestOfWhole }: VectorsWeight): boolean {
  return minScore !== null && limit === null && within === null && !bestOfWhole
}

function vectorsSupplier(
  node: VectorsWeight,
  context: ScorerContext,
  of: WeightOps,
): ScorerSupplier | null {
  const { leaf } = context
  const vectors = leaf.denseVectors(node.field)
  const within = node.within === null ? null : node.within[leaf.ord]!.docs
  if (vectors === null || within?.length === 0) return null
  const filter =
    node.filter === null ? null : of.supplier(node.filter, { ...context, prunes: false })
  if (node.filter !== null && filter === null) return null
  return {
    cost: () => Math.min(vectors.count, filter?.cost() ?? vectors.count),
    get(lead) {
      const filtered = filter === null ? null : exactIterator(filter.get(lead), context.watch)
      const found = find(node, context, vectors, filtered)
      return foundScorer(found, node.boost, true, context)
    },
  }
}

function find(
  node: VectorsWeight,
  { leaf, watch }: ScorerContext,
  vectors: DenseVectorsReader,
  filtered: DocIdIterator | null,
): ScoredDocs {
  const { space, vector, bestOfWhole } = node
  const parents = leaf.parents()
  const isLive = livenessOf(leaf, parents)
  const docs = docsOf(node, leaf, parents, vectors, filtered)
  const scores = new VectorScores(space, vector, vectors, leaf)
  const graph = graphOf(node, leaf, vectors)
  let left: DocIdIterator | BitSet | null = docs
  if (graph !== null) {
    const wholes = bestOfWhole ? parents : null
    const accepted = acceptedDocs(vectors, docs, isLive, leaf.liveDocs !== null, parents, wholes)
    const found = walk(node, graph, { leaf, vectors, scores, watch, parents: wholes }, accepted)
    if (found !== null) return found
    left = accepted.docs
  }
  return scanVectors({
    vectors,
    scores,
    bounds: scoreBounds(space, vector, vectors, leaf),
    docs: left,
    isLive,
    // In a leaf without nested documents each stands for itself.
    around: bestOfWhole ? (parents ?? { next: doc => doc }) : null,
    limit: node.limit ?? Number.POSITIVE_INFINITY,
    minScore: node.minScore ?? Number.NEGATIVE_INFINITY,
    watch,
  })
}

/** The graph by which a leaf is searched; null: by none. */
function graphOf(
  { field, space, candidates, within }: VectorsWeight,
  leaf: Leaf,
  vectors: DenseVectorsReader,
): VectorGraphReader | null {
  if (candidates === null || within !== null) return null
  const graph = leaf.vectorGraph(field)
  return graph?.count === vectors.count && graph.space === space ? graph : null
}

/** The documents with vectors that may be found. */
interface AcceptedDocs {
  /** Null: all that are not deleted. */
  readonly docs: BitSet | null
  readonly size: WalkSize
}

/**
 * Gathers the documents that may be found.
 * @param docs       the documents that a filter leaves, which have vectors or not; null: there is no filter
 * @param hasDeletes whether some are not live, whose bits say nothing of nested ones
 * @param wholes     of whose nested documents only the best are found; null: all may be
 */
function acceptedDocs(
  vectors: DenseVectorsReader,
  docs: DocIdIterator | null,
  isLive: ((docId: number) => boolean) | null,
  hasDeletes: boolean,
  parents: ParentsReader | null,
  wholes: ParentsReader | null,
): AcceptedDocs {
  if (docs === null && !(hasDeletes && parents !== null)) {
    const { count } = vectors
    return {
      docs: null,
      size: { accepted: count, groups: Math.min(count, wholes?.count ?? count) },
    }
  }
  const own = docs ?? new VectorDocsIterator(vectors)
  const bits = new BitSet(vectors.maxDoc)
  let accepted = 0
  let groups = 0
  let whole = -1
  let ord = 0
  for (let doc = own.nextDoc(); doc !== NO_MORE_DOCS; doc = own.nextDoc()) {
    ord = vectors.lowerBound(doc, ord)
    if (ord === vectors.count) break
    if (vectors.docOf(ord) !== doc || isLive?.(doc) === false) continue
    bits.add(doc)
    accepted++
    if (doc <= whole) continue
    groups++
    whole = wholes?.next(doc) ?? doc
  }
  return { docs: bits, size: { accepted, groups } }
}

/** The parts of a walk that a leaf and a query have. */
type OpenWalk = Pick<VectorWalk, 'leaf' | 'vectors' | 'scores' | 'watch' | 'parents'>

/** Walks a leaf's graph; null where a scan is likely to take less time, or the walk found no end. */
function walk(
  { vector, limit, candidates }: VectorsWeight,
  graph: VectorGraphReader,
  { leaf, vectors, scores, watch, parents }: OpenWalk,
  { docs, size }: AcceptedDocs,
): ScoredDocs | null {
  const ef = candidates ?? 0
  if (!isWalkCheaper(graph, vector.length, ef, size)) return null
  return walkVectors({
    leaf,
    vectors,
    scores,
    watch,
    parents,
    graph,
    query: vector,
    ef,
    accepted: docs ?? 'live',
    size,
    limit: limit ?? ef,
  })
}

/** Tells which documents are not deleted: nested ones are where the whole one is not. Null: all are live. */
function livenessOf(
  { liveDocs }: Leaf,
  parents: ParentsReader | null,
): ((docId: number) => boolean) | null {
  if (liveDocs === null) return null
  if (parents === null) return doc => liveDocs.has(doc)
  return doc => liveDocs.has(parents.next(doc))
}

/** The documents that a filter leaves, of those that may be found; null: all that have a vector. */
function docsOf(
  { filtersWhole, within }: VectorsWeight,
  leaf: Leaf,
  parents: ParentsReader | null,
  vectors: DenseVectorsReader,
  filtered: DocIdIterator | null,
): DocIdIterator | null {
  if (within !== null) {
    const own = nestedList(within[leaf.ord]!.docs, parents)
    // Whole ones that were found have passed their filter.
    const kept = filtersWhole || filtered === null ? own : own.filter(passing(filtered))
    return new DocListIterator(Int32Array.from(kept))
  }
  if (!filtersWhole || filtered === null) return filtered
  const ofFiltered = nestedOf(filtered, leaf, parents)
  const bits = new BitSet(leaf.maxDoc)
  for (let ord = 0; ord < vectors.count; ord++) {
    const doc = vectors.docOf(ord)
    if (ofFiltered.has(doc)) bits.add(doc)
  }
  return new BitSetIterator(bits, bits.count())
}

/** Tells of documents in ascending order which ones an iterator has. */
function passing(docs: DocIdIterator): (docId: number) => boolean {
  return docId => (docs.docId() < docId ? docs.advance(docId) : docs.docId()) === docId
}

/** The nested documents of a few whole ones, ascending. */
function nestedList(wholes: Int32Array, parents: ParentsReader | null): number[] {
  const list: number[] = []
  for (const whole of wholes)
    for (let doc = (parents?.previous(whole - 1) ?? whole) + 1; doc < whole; doc++) list.push(doc)
  return list
}

/** The nested documents of whole ones, which stand behind them. */
function nestedOf(whole: DocIdIterator, leaf: Leaf, parents: ParentsReader | null): BitSet {
  const bits = new BitSet(leaf.maxDoc)
  if (parents === null) return bits
  for (let doc = whole.nextDoc(); doc !== NO_MORE_DOCS; doc = whole.nextDoc())
    if (parents.has(doc)) bits.addRange(parents.previous(doc - 1) + 1, doc)
  return bits
}
