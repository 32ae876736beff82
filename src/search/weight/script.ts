import { AllDocsIterator } from '../scorer/doc-set-iterators.ts'
import { inputsOf } from '../script/leaf-script.ts'
import { scriptEngine } from '../script/script-engine.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { constantScorer, supplier } from './scorer-context.ts'
import { STEPS_OF_SCRIPT } from './step-costs.ts'
import type { ScriptWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that a script takes, asked of those alone which every other clause takes. */
export const scriptWeight: WeightType<ScriptWeight> = {
  ...ON_ITERATORS,
  supplier({ script, score }, context) {
    const { leaf, scripts } = context
    return supplier(leaf.maxDoc, () => {
      const approximation = new AllDocsIterator(leaf.maxDoc)
      const opened = scriptEngine().open(script, leaf, inputsOf(scripts))
      return constantScorer(context, score, approximation, {
        approximation,
        matches: () => opened.holds(approximation.docId()),
        matchCost: () => STEPS_OF_SCRIPT,
      })
    })
  },
  explainMiss: missOfConstant,
  explain: explainConstant,
  steps: (_node, _states, segment) => STEPS_OF_SCRIPT * segment.maxDoc,
  clause: () => 'script',
}
