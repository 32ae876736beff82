import { nonNegativeOf } from './similarity-group.ts'
import type { SimilarityModelType } from './similarity-model-type.ts'

/** Language models smoothed by a Dirichlet prior, after Zhai and Lafferty (2001). */
export interface LmDirichlet {
  readonly kind: 'lmDirichlet'
  /** Float32, 0 or more. */
  readonly mu: number
}

export const lmDirichlet: SimilarityModelType<LmDirichlet> = {
  keys: ['mu'],
  read: group => ({ kind: 'lmDirichlet', mu: nonNegativeOf(group, 'mu', 2000, 'mu') }),
}
