import { NORMALIZATION_KEYS, type Normalization, normalizationOf } from './normalization.ts'
import { nameOf } from './similarity-group.ts'
import type { SimilarityModelType } from './similarity-model-type.ts'

/** Models based on information, after Clinchant and Gaussier (2010). */
export interface Ib {
  readonly kind: 'ib'
  /** Log-logistic, or a smoothed power law. */
  readonly distribution: (typeof DISTRIBUTIONS)[number]
  /** Its parameter: the share of documents with the term, or the term's occurrences for each document. */
  readonly lambda: (typeof LAMBDAS)[number]
  readonly normalization: Normalization
}

const DISTRIBUTIONS = ['ll', 'spl'] as const
const LAMBDAS = ['df', 'ttf'] as const

export const ib: SimilarityModelType<Ib> = {
  keys: ['distribution', 'lambda', ...NORMALIZATION_KEYS],
  read: group => ({
    kind: 'ib',
    distribution: nameOf(group, 'distribution', DISTRIBUTIONS, 'Distribution', false),
    lambda: nameOf(group, 'lambda', LAMBDAS, 'Lambda', false),
    normalization: normalizationOf(group),
  }),
}
