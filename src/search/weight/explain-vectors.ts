/** Explanations of searches for near vectors, in the words of the engine that a field names. */
import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { floatText } from '../../util/json/float-text.ts'
import { isWalkCheaper } from '../vector/walk-vectors.ts'
import { type Explanation, step } from './explanation.ts'
import type { VectorSearch } from './weight-node.ts'

/**
 * Explains a hit of the native engine: what was searched, and how its leaf was.
 * @param score    with its boost
 * @param unboosted the vector's own
 * @param minScore of a search by radius; null: the nearest were asked for
 */
export function explainNative(
  search: VectorSearch,
  leaf: Leaf,
  score: number,
  { unboosted, minScore }: { readonly unboosted: number; readonly minScore: number | null },
): Explanation {
  return step(score, `the type of knn search executed was ${typeOf(search, minScore)}`, [
    leafStep(search, leaf, score, unboosted),
  ])
}

function typeOf(
  { space, dimension, candidates, oversample }: VectorSearch,
  minScore: number | null,
): string {
  if (minScore !== null) return `Radial with the radius of ${floatText(radiusOf(space, minScore))}`
  if (oversample === null) return 'Approximate-NN'
  return (
    `Disk-based and the first pass k was ${candidates} with vector dimension of ${dimension}, ` +
    `over sampling factor of ${floatText(oversample)}, shard level rescoring enabled`
  )
}

function leafStep(search: VectorSearch, leaf: Leaf, score: number, unboosted: number): Explanation {
  const { space, element, oversample } = search
  const reason = whyExact(search, leaf)
  const searched = reason === null ? 'Approximate-NN' : `Exact since ${reason}`
  const words =
    `the type of knn search executed at leaf was ${searched} ` +
    `with vectorDataType = ${element.toUpperCase()}, spaceType = ${space}`
  if (reason !== null || oversample !== null) return step(score, words)
  const raw = rawOf(space, unboosted)
  return step(score, `${words} where score is computed as \`${formulaOf(space, raw)}\` from:`, [
    step(raw, 'rawScore, returned from FAISS library'),
  ])
}

/**
 * Why all vectors of a leaf were compared; null: its graph was walked. A filter may have made a scan of the
 * few that it left cheaper than the walk; how many these were is not kept.
 */
function whyExact({ field, dimension, candidates }: VectorSearch, leaf: Leaf): string | null {
  const graph = leaf.vectorGraph(field)
  if (graph === null) return 'no native engine files are available'
  const all = { accepted: graph.count, groups: graph.count }
  if (candidates !== null && isWalkCheaper(graph, dimension, candidates, all)) return null
  return 'comparing all vectors takes less time than walking their graph'
}

/** The measure that the score of a space is computed from: a distance, a cosine, or a product. */
function radiusOf(space: VectorSpace, score: number): number {
  if (space === 'cosinesimil') return Math.fround(2 * score - 1)
  if (space === 'innerproduct') return Math.fround(score > 1 ? score - 1 : 1 - 1 / score)
  return Math.fround(1 / score - 1)
}

/** The number as the engine returns it: products with the other sign. */
function rawOf(space: VectorSpace, score: number): number {
  const raw = radiusOf(space, score)
  return space === 'innerproduct' ? 0 - raw : raw
}

function formulaOf(space: VectorSpace, raw: number): string {
  if (space === 'cosinesimil') return 'Math.max((2.0F - rawScore) / 2.0F, 0.0F)'
  return space === 'innerproduct' && raw < 0 ? '-rawScore + 1' : '1 / (1 + rawScore)'
}
