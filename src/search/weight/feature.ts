import { decodedFeature, featureScore } from '../scorer/feature-value.ts'
import { NO_BOUND } from '../scorer/scorer.ts'
import { ValueScorer } from '../scorer/value-scorer.ts'
import { freqOf } from './explain-frequency.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { constantScorer, openPostings, supplier } from './scorer-context.ts'
import { docFreqOf } from './step-costs.ts'
import type { FeatureWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents with a feature, scored by a function of its number. */
export const featureWeight: WeightType<FeatureWeight> = {
  ...ON_ITERATORS,
  supplier(node, context) {
    const { field, function: fn, boost } = node
    const state = context.states.terms[node.termId] ?? null
    if (state === null) return null
    return supplier(state.docFreq, () => {
      const postings = openPostings(field, state, context)
      if (!node.scored) return constantScorer(context, 0, postings)
      const scoreOf = (): number => featureScore(fn, boost, decodedFeature(postings.freq()))
      const isBounded = fn.kind === 'saturation' || fn.kind === 'sigmoid'
      return new ValueScorer(postings, scoreOf, isBounded ? boost : NO_BOUND)
    })
  },
  explainMiss: (node, at) => step(0, missOf(node, at)),
  explain(node, { score }, at) {
    if (!node.scored) return step(score, at.text(node))
    const value = decodedFeature(freqOf(node.field, node.termId, at))
    return explained(node, score, step(value, 'S, feature value'))
  },
  steps: (node, states) => docFreqOf(states, node.termId),
  clause: () => 'feature',
}

/** What the segment or the document lacks, in Lucene's words. */
function missOf(node: FeatureWeight, at: Explainer): string {
  const { field, shownField, feature, termId } = node
  const text = at.text(node)
  const [, fn = ''] = /function=(.*)\)$/s.exec(text) ?? []
  const whole = `weight(${text} in ${at.docId}) [${fn}]`
  // Features of one number share a field.
  const isShared = field !== shownField
  if (!isShared && at.leaf.fieldInfo(field) === null)
    return `${whole}. Field ${field} doesn't exist.`
  const isThere = (at.states.terms[termId] ?? null) !== null
  return `${whole}. Feature ${feature} ${isThere ? "isn't set" : "doesn't exist"}.`
}

const PIVOT = 'k, pivot feature value that would give a score contribution equal to w/2'
const EXPONENT =
  'a, exponent, higher values make the function grow slower before k and faster after k'

function explained(node: FeatureWeight, score: number, value: Explanation): Explanation {
  const { function: fn, feature, shownField } = node
  const weight = step(node.boost, 'w, weight of this function')
  const place = `on the ${feature} feature for the ${shownField} field, computed as`
  switch (fn.kind) {
    case 'log':
      return step(
        score,
        `Log function on the ${feature} feature, computed as w * log(a + S) from:`,
        [weight, step(fn.scalingFactor, 'a, scaling factor'), value],
      )
    case 'saturation':
      return step(score, `Saturation function ${place} w * S / (S + k) from:`, [
        weight,
        step(fn.pivot ?? 1, PIVOT),
        value,
      ])
    case 'sigmoid':
      return step(score, `Sigmoid function ${place} w * S^a / (S^a + k^a) from:`, [
        weight,
        step(fn.pivot, PIVOT),
        step(fn.exponent, EXPONENT),
        value,
      ])
    case 'linear':
      return step(score, `Linear function ${place} w * S from:`, [weight, value])
  }
}
