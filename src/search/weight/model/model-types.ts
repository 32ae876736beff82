/** Models of similarities by kind: scores of frequencies, and their explanations. */
import type { SimilarityModel } from '../../../schema/similarity/similarity-model.ts'
import { floatText } from '../../../util/json/float-text.ts'
import type { ScoredTerms } from '../../similarity/scored-terms.ts'
import { type Explanation, step } from '../explanation.ts'
import { dfi } from './dfi.ts'
import { dfr } from './dfr.ts'
import { ib } from './ib.ts'
import { lmDirichlet } from './lm-dirichlet.ts'
import { lmJelinekMercer } from './lm-jelinek-mercer.ts'
import type { ModelType } from './model-type.ts'
import { factsOf } from './term-facts.ts'

type Kind = SimilarityModel['kind']

const TYPES: { readonly [K in Kind]: ModelType<SimilarityModel & { readonly kind: K }> } = {
  dfi,
  dfr,
  ib,
  lmDirichlet,
  lmJelinekMercer,
}

/** The score of a frequency of terms in a document of a length in tokens, float32. */
export function modelScorer(
  model: SimilarityModel,
  terms: ScoredTerms,
): (freq: number, length: number) => number {
  const type = typeOf(model)
  const scorers = factsOf(terms).map(facts => type.scorer(model, facts))
  const [only] = scorers
  if (scorers.length === 1) return (freq, length) => Math.fround(only!(freq, length))
  // The terms of a phrase are added in doubles, each rounded before.
  return (freq, length) => {
    let sum = 0
    for (const score of scorers) sum += Math.fround(score(freq, length))
    return Math.fround(sum)
  }
}

/**
 * Explains the score of a frequency.
 * @param freq   how it was counted
 * @param length of the document, tokens
 */
export function explainModel(
  model: SimilarityModel,
  terms: ScoredTerms,
  freq: Explanation,
  length: number,
): Explanation {
  const type = typeOf(model)
  const parts = factsOf(terms).map(facts => {
    const { text, details } = type.explain(model, facts, freq, length)
    const score = type.scorer(model, facts)(freq.value, length)
    return step(score, `score(${type.className}, freq=${floatText(freq.value)}), ${text}`, details)
  })
  if (parts.length === 1) return parts[0]!
  return step(modelScorer(model, terms)(freq.value, length), 'sum of:', parts)
}

function typeOf(model: SimilarityModel): ModelType<SimilarityModel> {
  return TYPES[model.kind] as ModelType<SimilarityModel>
}
