import {
  MAX_CALLING_THREAD_MILLIS,
  newDocumentRun,
  type ScriptRun,
} from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { CoveringScorer } from '../scorer/covering-scorer.ts'
import { NumberValues } from '../scorer/number-values.ts'
import { totalCost } from '../scorer/scorer.ts'
import { inputsOf } from '../script/leaf-script.ts'
import { scriptEngine } from '../script/script-engine.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { STEPS_OF_SCRIPT } from './step-costs.ts'
import type { CoveringMinimum, CoveringWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Steps of reading how many nodes a document must match. */
const STEPS_OF_MINIMUM: Readonly<Record<CoveringMinimum['kind'], number>> = {
  field: 4,
  script: STEPS_OF_SCRIPT,
}

/** Documents that match as many of several nodes as a field of theirs or a script says. */
export const coveringWeight: WeightType<CoveringWeight> = {
  ...ON_ITERATORS,
  supplier({ children, minimum }, context, of) {
    const { leaf, watch } = context
    const inner = children.flatMap(child => of.supplier(child, context) ?? [])
    if (inner.length === 0) return null
    const required = minimumOn(minimum, leaf, context.scripts)
    const cost = totalCost(inner)
    return {
      cost: () => cost,
      get: () => {
        const scorers = inner.map(each => each.get(cost))
        return new CoveringScorer(scorers, required, STEPS_OF_MINIMUM[minimum.kind], watch)
      },
    }
  },
  explainMiss({ children, minimum }, at) {
    const required = requiredAt(minimum, at)
    if (required === null) return step(0, 'minimumNumberMatch has no value on the current document')
    const { matches, details } = explainChildren(children, at)
    return step(0, `${matches} matches for ${required} required matches`, details)
  },
  explain({ children, minimum, scored }, { score }, at) {
    const required = requiredAt(minimum, at) ?? 1
    const { matches, details } = explainChildren(children, at)
    const words = `${matches} matches for ${required} required matches, sum of:`
    return step(score, words, scored ? details : [])
  },
  isOfAlternatives: () => false,
  steps: ({ children }, states, segment, of) =>
    children.reduce((sum, child) => sum + of.steps(child, states, segment), 0),
  isDivisible: ({ children }, of) => children.every(of.isDivisible),
  clause: () => 'covering',
}

/** As in Lucene, the clauses that do not match are told too. */
function explainChildren(
  children: CoveringWeight['children'],
  at: Explainer,
): { matches: number; details: readonly Explanation[] } {
  const matching = children.map(child => at.explain(child))
  const details = matching.map((each, i) => each ?? at.miss(children[i]!))
  return { matches: matching.filter(each => each !== null).length, details }
}

/** Null: the document has no number. */
function requiredAt(minimum: CoveringMinimum, { leaf, docId }: Explainer): number | null {
  const required = minimumOn(minimum, leaf, newDocumentRun(MAX_CALLING_THREAD_MILLIS))(docId)
  return Number.isFinite(required) ? Math.max(1, required) : null
}

/** How many clauses a document of a leaf must match; Infinity: it has no number. */
function minimumOn(
  minimum: CoveringMinimum,
  leaf: Leaf,
  run: ScriptRun,
): (docId: number) => number {
  if (minimum.kind === 'script') {
    const { script, termCount } = minimum
    const params = new Map([['num_terms', termCount]])
    const opened = scriptEngine().open(script, leaf, { ...inputsOf(run), params })
    return docId => Math.trunc(opened.number(docId))
  }
  const values = new NumberValues(leaf.numericValues(minimum.column.field), minimum.column)
  return docId => (values.open(docId) > 0 ? Math.trunc(values.value(0)) : Number.POSITIVE_INFINITY)
}
