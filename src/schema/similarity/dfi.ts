import { nameOf } from './similarity-group.ts'
import type { SimilarityModelType } from './similarity-model-type.ts'

/** Divergence from independence, after Kocabaş, Dinçer and Karaoğlan (2013). */
export interface Dfi {
  readonly kind: 'dfi'
  /** How far a frequency is from the one that is expected. */
  readonly measure: (typeof MEASURES)[number]
}

// In the order in which the real server lists them.
const MEASURES = ['standardized', 'saturated', 'chisquared'] as const

export const dfi: SimilarityModelType<Dfi> = {
  keys: ['independence_measure'],
  read: group => ({
    kind: 'dfi',
    measure: nameOf(group, 'independence_measure', MEASURES, 'IndependenceMeasure', true),
  }),
}
