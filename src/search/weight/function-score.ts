import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import {
  FunctionScoreScorer,
  FunctionValue,
  type OpenFunction,
} from '../scorer/function-score-scorer.ts'
import { membership, type Scorer } from '../scorer/scorer.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { functionTypeOf } from './function/score-functions.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { FunctionScoreWeight } from './weight.ts'
import type { WeightOps, WeightType } from './weight-type.ts'

type FunctionNode = FunctionScoreWeight['functions'][number]

/** A node's documents, their scores changed by functions. */
export const functionScoreWeight: WeightType<FunctionScoreWeight> = {
  ...ON_ITERATORS,
  supplier(node, context, of) {
    const query = of.supplier(node.child, context)
    if (query === null) return null
    return {
      cost: () => query.cost(),
      get: lead => functionScorer(node, query.get(lead), query.cost(), context, of),
    }
  },
  explainMiss({ child, combination: { minScore } }, at) {
    // A match of the query is passed over for its score alone.
    const own = at.explain(child)
    if (own === null) return at.miss(child)
    return step(0, `Score value is too low, expected at least ${minScore} but got lower`, [own])
  },
  explain(node, { score }, at) {
    const own = at.explain(node.child)
    if (own === null || node.functions.length === 0) return own ?? step(score, at.text(node))
    const explained = node.functions.map(each => explainFunction(each, own, at))
    return combined(node, score, own, valueExplained(node, explained))
  },
  steps: ({ child, functions }, states, segment, of) =>
    functions.reduce(
      (sum, { filter }) => sum + (filter === null ? 0 : of.steps(filter, states, segment)),
      2 * of.steps(child, states, segment),
    ),
  isOfAlternatives: () => false,
  isDivisible: ({ child }, of) => of.isDivisible(child),
  clause: () => 'function_score',
  // Kernels find the child's documents.
  countScratch: ({ child }, counts, of) => of.countScratch(child, counts),
}

/**
 * A query's documents with their scores changed.
 * @param query  the scorer of the node's child
 * @param cost   estimated number of documents that it passes
 */
export function functionScorer(
  node: FunctionScoreWeight,
  query: Scorer,
  cost: number,
  context: ScorerContext,
  of: WeightOps,
): FunctionScoreScorer {
  const inputs = { scripts: context.scripts, score: () => query.score() }
  const functions = node.functions.map(({ filter, function: fn, weight }): OpenFunction => {
    const filtering = filter === null ? null : of.supplier(filter, context)
    const holds = filtering === null ? () => false : membership(filtering.get(cost))
    const { score, maxScore } = functionTypeOf(fn).open(fn, context.leaf, inputs)
    return {
      filter: filter === null ? null : holds,
      weight: weight ?? 1,
      isWeighted: weight !== null,
      score,
      maxScore,
    }
  })
  return new FunctionScoreScorer(query, functions, node.combination, node.readsScores)
}

/** A function that holds for the document; null for another. */
function explainFunction(
  { filter, function: fn, weight }: FunctionNode,
  query: Explanation,
  at: Explainer,
): Explanation | null {
  if (filter !== null && at.explain(filter) === null) return null
  const scripts = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  const inputs = { scripts, score: () => query.value }
  const own = functionTypeOf(fn).open(fn, at.leaf, inputs).explain(at.docId, query)
  const weighted =
    weight === null ? own : step(own.value * weight, 'product of:', [own, step(weight, 'weight')])
  if (filter === null) return weighted
  const match = step(1, `match filter: ${at.text(filter)}`)
  return step(weighted.value, 'function score, product of:', [match, weighted])
}

function valueExplained(
  { functions, combination: { scoreMode } }: FunctionScoreWeight,
  explained: readonly (Explanation | null)[],
): Explanation {
  const holding = explained.flatMap(each => each ?? [])
  const [only] = holding
  if (only === undefined) return step(1, 'No function matched')
  if (functions.length === 1 && functions[0]!.filter === null) return only
  const value = new FunctionValue()
  functions.forEach(({ weight }, i) => {
    const each = explained[i] ?? null
    if (each !== null) value.add(each.value, weight ?? 1)
  })
  return step(value.by(scoreMode), `function score, score mode [${scoreMode}]`, holding)
}

/** Words of the modes but for `multiply` and `replace`. */
const WORDS = { sum: 'sum of', avg: 'avg of', max: 'max of', min: 'min of' } as const

function combined(
  { combination: { boostMode, maxBoost } }: FunctionScoreWeight,
  score: number,
  own: Explanation,
  value: Explanation,
): Explanation {
  const bounded = step(Math.min(value.value, maxBoost), 'min of:', [
    value,
    step(maxBoost, 'maxBoost'),
  ])
  if (boostMode === 'replace') return { ...bounded, value: score }
  if (boostMode === 'multiply') return step(score, 'function score, product of:', [own, bounded])
  return step(score, WORDS[boostMode], [own, bounded])
}
