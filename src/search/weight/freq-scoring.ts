import { inverseNorms } from '../../codec/norms/inverse.ts'
import type { FreqScoring } from '../scorer/term-scorer.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { WeightNode } from './weight.ts'

/** Nodes that score by frequency in a field. */
export type FreqWeight = Extract<
  WeightNode,
  { readonly kind: 'term' | 'phrase' | 'synonym' | 'multiPhrase' | 'span' }
>

/** The scoring of a node's frequencies on the leaf. */
export function freqScoring(node: FreqWeight, context: ScorerContext): FreqScoring {
  const { leaf, inverses } = context
  let inverse = inverses.get(node.average)
  if (inverse === undefined) {
    inverse = inverseNorms(node.average)
    inverses.set(node.average, inverse)
  }
  const info = leaf.fieldInfo(node.field)
  return {
    weight: node.weight,
    inverse,
    norms: node.scored && info?.hasNorms === true ? leaf.norms(node.field) : null,
    average: node.average,
    impactAverage: info?.averageLength ?? 0,
  }
}
