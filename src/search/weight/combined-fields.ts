import { NO_NORM_CODE } from '../../codec/norms/format.ts'
import { DEFAULT_BM25, inverseNorms } from '../../codec/norms/inverse.ts'
import { floatText } from '../../util/json/float-text.ts'
import { CombinedFieldsScorer, combinedLengthCode } from '../scorer/combined-fields-scorer.ts'
import { explainIdfOf, explainScore, freqOf } from './explain-frequency.ts'
import { missOfTerm } from './explain-miss.ts'
import { step } from './explanation.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { bm25Of, factorOf } from './similarity.ts'
import { postingsOf } from './step-costs.ts'
import type { CombinedFieldsWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Terms of several fields, scored as one term of one field. */
export const combinedFieldsWeight: WeightType<CombinedFieldsWeight> = {
  ...ON_ITERATORS,
  supplier(node, context) {
    const { terms } = context.states
    const found = node.fields.flatMap(({ field, weight }, i) =>
      node.termIds[i]!.flatMap(termId => {
        const state = terms[termId] ?? null
        return state === null ? [] : [{ field, weight, state }]
      }),
    )
    if (found.length === 0) return null
    const cost = found.reduce((sum, { state }) => sum + state.docFreq, 0)
    return supplier(cost, () => {
      const postings = found.map(({ field, weight, state }) => ({
        postings: openPostings(field, state, context),
        weight,
      }))
      const lengths = node.scored ? lengthsOf(node, context.leaf) : []
      return new CombinedFieldsScorer(
        postings,
        lengths,
        node.weight,
        inverseNorms(node.average, bm25Of(node.similarity) ?? DEFAULT_BM25),
      )
    })
  },
  explainMiss: missOfTerm,
  explain(node, { score }, at) {
    const text = at.text(node)
    if (!node.scored) return step(score, text)
    let freq = 0
    node.fields.forEach(({ field, weight }, i) => {
      for (const termId of node.termIds[i]!)
        freq = Math.fround(freq + Math.fround(weight * freqOf(field, termId, at)))
    })
    const lengths = lengthsOf(node, at.leaf)
    return step(score, `weight(${text} in ${at.docId}), result of:`, [
      explainScore({
        score,
        boost: Math.fround(node.boost * factorOf(node.similarity)),
        freq,
        occurrences: step(freq, `termFreq=${floatText(freq)}`),
        idf: explainIdfOf(node.docFreq, node.docCount),
        lengthCode: lengths.length === 0 ? NO_NORM_CODE : combinedLengthCode(lengths, at.docId),
        average: node.average,
        parameters: bm25Of(node.similarity),
      }),
    ])
  },
  steps: (node, states) => postingsOf(states, node.termIds.flat()),
  clause: () => 'combined_fields',
}

function lengthsOf(
  { fields }: CombinedFieldsWeight,
  leaf: ScorerContext['leaf'],
): ConstructorParameters<typeof CombinedFieldsScorer>[1] {
  return fields.flatMap(({ field, weight }) => {
    const norms = leaf.norms(field)
    return norms === null ? [] : [{ norms, weight }]
  })
}
