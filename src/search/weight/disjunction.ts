import { assert } from '../../util/assert.ts'
import type { Combination } from '../scorer/combination.ts'
import { DisjunctionScorer } from '../scorer/disjunction-scorer.ts'
import { MaxScoreScorer } from '../scorer/max-score-scorer.ts'
import type { Scorer, ScorerSupplier } from '../scorer/scorer.ts'
import type { ScorerContext } from './scorer-context.ts'

/** The scoring of a disjunction. */
export interface DisjunctionStyle {
  readonly minimum: number
  readonly combination: Combination
  readonly scored: boolean
}

/** From this many clauses on, windows pay even when nothing can be skipped. */
const MANY_CLAUSES = 8

/** With fewer postings in 1,024 documents, two or three clauses cost less without windows. */
const SPARSE_POSTINGS = 16

/**
 * A scorer for a minimum of several clauses.
 * @param leadCost how many times it will be moved; from its number of postings on it runs in
 *                 windows
 */
export function disjunction(
  clauses: readonly ScorerSupplier[],
  style: DisjunctionStyle,
  leadCost: number,
  cost: number,
  context: ScorerContext,
): Scorer {
  const scorers = clauses.map(each => each.get(Math.min(leadCost, cost)))
  const [only] = scorers
  assert(only !== undefined, 'a disjunction has clauses')
  if (scorers.length === 1) return only
  const { minimum, combination, scored } = style
  const isSparse = scorers.length <= 3 && cost * 1024 < SPARSE_POSTINGS * context.leaf.maxDoc
  // Windows have no bounds for a maximum.
  const passesOver = context.prunes && combination.kind === 'max'
  if (leadCost >= cost && !isSparse && (!passesOver || scorers.length > MANY_CLAUSES)) {
    const { windows, watch, batches, endDoc, leaf } = context
    const { maxDoc } = leaf
    const options = { minimum, combination, scored, maxDoc, endDoc, windows, watch, batches }
    const scorer = new MaxScoreScorer(scorers, options)
    context.skippers.push(scorer)
    return scorer
  }
  const scorer = new DisjunctionScorer(scorers, minimum, combination, context.watch)
  context.skippers.push(scorer.skipper)
  return scorer
}
