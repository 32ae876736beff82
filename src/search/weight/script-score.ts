import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { floatText } from '../../util/json/float-text.ts'
import { ScriptScoreScorer } from '../scorer/script-score-scorer.ts'
import { inputsOf } from '../script/leaf-script.ts'
import { scriptEngine } from '../script/script-engine.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import { type Explanation, step } from './explanation.ts'
import { explainedAs } from './function/named.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { STEPS_OF_SCRIPT } from './step-costs.ts'
import type { ScriptScoreWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** A node's documents, scored by a script. */
export const scriptScoreWeight: WeightType<ScriptScoreWeight> = {
  ...ON_ITERATORS,
  supplier({ child, script, minScore, boost }, context, of) {
    const query = of.supplier(child, context)
    if (query === null) return null
    return {
      cost: () => query.cost(),
      get(lead) {
        const scorer = query.get(lead)
        const inputs = inputsOf(context.scripts, () => scorer.score())
        const opened = scriptEngine().open(script, context.leaf, inputs)
        return new ScriptScoreScorer(scorer, docId => opened.number(docId), minScore, boost)
      },
    }
  },
  explainMiss({ child, script, minScore, name = null }, at) {
    const own = at.explain(child)
    if (own === null) return explainedAs(at.miss(child), name)
    // A match of the query is passed over for its score alone.
    const scored = explainScript(script, at.leaf, at.docId, explainedAs(own, name))
    const words =
      `Score value is too low, expected at least ${floatText(minScore ?? 0)} ` +
      `but got ${floatText(scored.value)}`
    return step(0, words, [scored])
  },
  explain({ child, script, boost, name = null }, { score }, at) {
    const own = at.explain(child)
    if (own === null) return step(score, at.text(child))
    const scored = explainScript(script, at.leaf, at.docId, explainedAs(own, name))
    if (boost === 1) return scored
    return step(score, 'Boosted score, product of:', [step(boost, 'boost'), scored])
  },
  steps: ({ child }, states, segment, of) =>
    of.steps(child, states, segment) + STEPS_OF_SCRIPT * segment.maxDoc,
  isOfAlternatives: () => false,
  isDivisible: ({ child }, of) => of.isDivisible(child),
  clause: () => 'script',
}

/**
 * Explains the score that a script gives a document, in its own words where it has some.
 * @param query explains the score of the query
 */
export function explainScript(
  script: ScriptPlan,
  leaf: Leaf,
  docId: number,
  query: Explanation,
): Explanation {
  const run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  const inputs = inputsOf(run, () => query.value)
  const opened = scriptEngine().open(script, leaf, inputs, script.lang === 'painless')
  const score = opened.number(docId)
  const own = opened.explanation
  if (own !== null) return step(score, own, script.readsScore ? [query] : [])
  const words = `script score function, computed with script:"${script.text}"`
  return step(score, words, script.readsScore ? [step(query.value, '_score: ', [query])] : [])
}
