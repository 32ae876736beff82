import { DEFAULT_BM25, inverseNorms } from '../../codec/norms/inverse.ts'
import { CODED_LENGTHS } from '../../codec/norms/length-code.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import type { FreqScoring } from '../scorer/term-scorer.ts'
import { scriptEngine } from '../script/script-engine.ts'
import { driftOf } from '../similarity/bm25.ts'
import { modelScorer } from './model/model-types.ts'
import type { ScorerContext } from './scorer-context.ts'
import { bm25Of, type Similarity } from './similarity.ts'
import type { WeightNode } from './weight-node.ts'

/** Nodes that score by frequency in a field. */
export type FreqWeight = Extract<
  WeightNode,
  { readonly kind: 'term' | 'phrase' | 'synonym' | 'multiPhrase' | 'span' }
>

/** The scoring of a node's frequencies on the leaf. */
export function freqScoring(node: FreqWeight, context: ScorerContext): FreqScoring {
  const { leaf, scripts } = context
  const { average, similarity } = node
  const info = leaf.fieldInfo(node.field)
  const score = node.scored ? ownScorer(similarity, scripts) : null
  return {
    weight: node.weight,
    inverse: inverseOf(node, context),
    norms: node.scored && info?.hasNorms === true ? leaf.norms(node.field) : null,
    drift: driftOf(info?.averageLength ?? 0, average, bm25Of(similarity)).most,
    own: score === null ? null : (freq, code) => score(freq, lengthOf(code)),
  }
}

/** The score of a frequency and a length in tokens, float32; null: it is BM25's. */
function ownScorer(
  similarity: Similarity | null,
  scripts: ScriptRun,
): ((freq: number, length: number) => number) | null {
  if (similarity?.kind === 'model') return modelScorer(similarity.model, similarity.terms)
  if (similarity?.kind === 'scripted') return scriptEngine().frequencies(similarity, scripts).score
  return null
}

/** The length that models and scripts see: a field without norms has one of 1. */
export function lengthOf(code: number): number {
  return CODED_LENGTHS[code] ?? 1
}

function inverseOf({ average, similarity }: FreqWeight, { inverses }: ScorerContext): Float32Array {
  const parameters = bm25Of(similarity)
  const key = parameters === null ? average : `${average} ${parameters.k1} ${parameters.b}`
  let inverse = inverses.get(key)
  if (inverse === undefined) {
    inverse = inverseNorms(average, parameters ?? DEFAULT_BM25)
    inverses.set(key, inverse)
  }
  return inverse
}
