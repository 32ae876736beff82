/** Documents that a search of its own has found ahead of the shard's. */
import { DocListIterator } from '../scorer/doc-set-iterators.ts'
import type { Scorer, ScorerSupplier } from '../scorer/scorer.ts'
import { ValueScorer } from '../scorer/value-scorer.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import type { JoinedDocs } from './weight-node.ts'

/**
 * Their scorer in a leaf, by the scores that they were found with.
 * @param boost  float32; the score itself where they have none
 * @param scored false: no score is read
 */
export function foundSupplier(
  found: JoinedDocs,
  boost: number,
  scored: boolean,
  context: ScorerContext,
): ScorerSupplier | null {
  const { docs } = found
  return docs.length === 0
    ? null
    : supplier(docs.length, () => foundScorer(found, boost, scored, context))
}

/** The same for documents of which there may be none. */
export function foundScorer(
  { docs, scores }: JoinedDocs,
  boost: number,
  scored: boolean,
  context: ScorerContext,
): Scorer {
  const list = new DocListIterator(docs)
  if (scores === null || !scored) return constantScorer(context, boost, list)
  const scoreOf = (): number => Math.fround(scores[list.index]! * boost)
  return new ValueScorer(list, scoreOf, Math.fround(maxOf(scores) * boost))
}

/** Estimated steps over the documents of a leaf. */
export function stepsOfFound(found: readonly JoinedDocs[], maxDoc: number): number {
  return Math.min(
    maxDoc,
    found.reduce((sum, { docs }) => sum + docs.length, 0),
  )
}

function maxOf(scores: Float32Array): number {
  let max = 0
  for (const score of scores) if (score > max) max = score
  return max
}
