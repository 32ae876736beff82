import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { ParentsReader } from '../../codec/parents/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator, DocListIterator } from '../scorer/doc-set-iterators.ts'
import { exactIterator, type ScorerSupplier } from '../scorer/scorer.ts'
import { VectorDocsIterator } from '../scorer/vector-docs-iterator.ts'
import type { ScoredDocs } from '../vector/best-vectors.ts'
import { scanVectors, stepsOfVector } from '../vector/scan-vectors.ts'
import { scoreBounds } from '../vector/score-bounds.ts'
import { VectorScores } from '../vector/vector-scores.ts'
import { type Explanation, step } from './explanation.ts'
import { foundScorer } from './found-docs.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { VectorsWeight } from './weight.ts'
import type { WeightOps, WeightType } from './weight-type.ts'

/** Documents whose vectors are near to another one: the best of each leaf, or all that reach a score. */
export const vectorsWeight: WeightType<VectorsWeight> = {
  ...ON_ITERATORS,
  supplier: vectorsSupplier,
  explainMiss: () => step(0, 'Not a match'),
  explain(node, { score }, { leaf, docId }): Explanation {
    const vectors = leaf.denseVectors(node.field)!
    const scores = new VectorScores(node.space, node.vector, vectors, leaf)
    const own = scores.of(vectors.ordOf(docId))
    const words = `score of the vector in the space [${node.space}]`
    if (node.boost === 1) return step(score, words)
    return step(score, 'product of:', [step(node.boost, 'boost'), step(own, words)])
  },
  steps: ({ vector, filter }, states, segment, of) =>
    segment.maxDoc * stepsOfVector(vector.length) +
    (filter === null ? 0 : of.steps(filter, states, segment)),
  // The best of a leaf are not those of its parts.
  isDivisible: () => false,
  clause: () => 'vectors',
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
  return scanVectors({
    vectors,
    scores: new VectorScores(space, vector, vectors, leaf),
    bounds: scoreBounds(space, vector, vectors, leaf),
    docs: docsOf(node, leaf, parents, vectors, filtered),
    isLive: livenessOf(leaf, parents),
    // In a leaf without nested documents each stands for itself.
    around: bestOfWhole ? (parents ?? { next: doc => doc }) : null,
    limit: node.limit ?? Number.POSITIVE_INFINITY,
    minScore: node.minScore ?? Number.NEGATIVE_INFINITY,
    watch,
  })
}

/** Tells which documents are not deleted: nested ones are where the whole one is not. */
function livenessOf({ liveDocs }: Leaf, parents: ParentsReader | null): (docId: number) => boolean {
  if (liveDocs === null) return () => true
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
  if (filtered === null && within === null) return null
  const own = filtersWhole || filtered === null ? new VectorDocsIterator(vectors) : filtered
  const ofFiltered = filtersWhole && filtered !== null ? nestedOf(filtered, leaf, parents) : null
  const ofFound =
    within === null ? null : nestedOf(new DocListIterator(within[leaf.ord]!.docs), leaf, parents)
  if (ofFiltered === null && ofFound === null) return own
  const bits = new BitSet(leaf.maxDoc)
  for (let doc = own.nextDoc(); doc !== NO_MORE_DOCS; doc = own.nextDoc())
    if ((ofFiltered?.has(doc) ?? true) && (ofFound?.has(doc) ?? true)) bits.add(doc)
  return new BitSetIterator(bits, bits.count())
}

/** The nested documents of whole ones, which stand behind them. */
function nestedOf(whole: DocIdIterator, leaf: Leaf, parents: ParentsReader | null): BitSet {
  const bits = new BitSet(leaf.maxDoc)
  if (parents === null) return bits
  for (let doc = whole.nextDoc(); doc !== NO_MORE_DOCS; doc = whole.nextDoc())
    if (parents.has(doc)) bits.addRange(parents.previous(doc - 1) + 1, doc)
  return bits
}
