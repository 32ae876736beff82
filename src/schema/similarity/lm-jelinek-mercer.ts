import { IllegalArgumentError } from '../../util/errors.ts'
import { floatOf } from './similarity-group.ts'
import type { SimilarityModelType } from './similarity-model-type.ts'

/** Language models smoothed by linear interpolation, after Zhai and Lafferty (2001). */
export interface LmJelinekMercer {
  readonly kind: 'lmJelinekMercer'
  /** The share of the collection's model: float32, above 0, at most 1. */
  readonly lambda: number
}

export const lmJelinekMercer: SimilarityModelType<LmJelinekMercer> = {
  keys: ['lambda'],
  read(group) {
    const lambda = floatOf(group, 'lambda', 0.1)
    if (lambda > 0 && lambda <= 1) return { kind: 'lmJelinekMercer', lambda }
    throw new IllegalArgumentError('lambda must be in the range (0 .. 1]')
  },
}
