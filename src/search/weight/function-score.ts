import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import { floatText } from '../../util/json/float-text.ts'
import {
  boostedScore,
  FunctionScoreScorer,
  FunctionValue,
  type OpenFunction,
} from '../scorer/function-score-scorer.ts'
import { membership, type Scorer } from '../scorer/scorer.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { explainedAs, nameBehind } from './function/named.ts'
import { functionTypeOf } from './function/score-functions.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { FunctionScoreWeight } from './weight-node.ts'
import type { WeightOps, WeightType } from './weight-type.ts'

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
  explainMiss(node, at) {
    const { child, combination, names } = node
    const own = at.explain(child)
    if (own === null) return explainedAs(at.miss(child), names?.query ?? null)
    // A match of the query is passed over for its score alone.
    const scored = explainScore(node, own, at)
    const words =
      `Score value is too low, expected at least ${floatText(combination.minScore ?? 0)} ` +
      `but got ${floatText(scored.value)}`
    return step(0, words, [scored])
  },
  explain(node, { score }, at) {
    const own = at.explain(node.child)
    return own === null ? step(score, at.text(node)) : explainScore(node, own, at)
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

/** @param query explains the score of the query alone */
function explainScore(node: FunctionScoreWeight, query: Explanation, at: Explainer): Explanation {
  const own = explainedAs(query, node.names?.query ?? null)
  if (node.functions.length === 0) return own
  const explained = node.functions.map((_, i) => explainFunction(node, i, own, at))
  return combined(node, own, explainValue(node, explained))
}

/** A function at a document. */
interface Explained {
  /** In double, as scores are made of it. */
  readonly value: number
  readonly weight: number
  readonly explanation: Explanation
}

/** A function that holds for the document; null for another. */
function explainFunction(
  { functions, names }: FunctionScoreWeight,
  i: number,
  query: Explanation,
  at: Explainer,
): Explained | null {
  const { filter, function: fn, weight } = functions[i]!
  if (filter !== null && at.explain(filter) === null) return null
  const scripts = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  const inputs = { scripts, score: () => query.value }
  const opened = functionTypeOf(fn).open(fn, at.leaf, inputs)
  const value = opened.score(at.docId)
  const own = opened.explain(at.docId, query, names?.functions[i] ?? null)
  const explanation =
    weight === null ? own : step(own.value * weight, 'product of:', [own, step(weight, 'weight')])
  const weighted = { value: weight === null ? value : value * weight, weight: weight ?? 1 }
  if (filter === null) return { ...weighted, explanation }
  const match = step(1, `match filter${nameBehind(names?.filters[i] ?? null)}: ${at.text(filter)}`)
  const both = step(explanation.value, 'function score, product of:', [match, explanation])
  return { ...weighted, explanation: both }
}

function explainValue(
  { functions, combination: { scoreMode } }: FunctionScoreWeight,
  explained: readonly (Explained | null)[],
): Explained {
  const holding = explained.flatMap(each => each ?? [])
  const [only] = holding
  if (only === undefined)
    return { value: 1, weight: 1, explanation: step(1, 'No function matched') }
  if (functions.length === 1 && functions[0]!.filter === null) return only
  const all = new FunctionValue()
  for (const { value, weight } of holding) all.add(value, weight)
  const value = all.by(scoreMode)
  const steps = holding.map(({ explanation }) => explanation)
  const words = `function score, score mode [${scoreMode}]`
  return { value, weight: 1, explanation: step(value, words, steps) }
}

/** Words of the modes but for `multiply` and `replace`. */
const WORDS = { sum: 'sum of', avg: 'avg of', max: 'max of:', min: 'min of' } as const

function combined(
  { combination }: FunctionScoreWeight,
  own: Explanation,
  { value, explanation }: Explained,
): Explanation {
  const { boostMode, maxBoost } = combination
  const score = boostedScore(own.value, value, combination)
  const bounded = step(Math.min(value, maxBoost), 'min of:', [
    explanation,
    step(maxBoost, 'maxBoost'),
  ])
  if (boostMode === 'replace') return bounded
  if (boostMode === 'multiply') return step(score, 'function score, product of:', [own, bounded])
  return step(score, WORDS[boostMode], [own, bounded])
}
