/** How frequencies in a field score where that is not by BM25 with its default parameters; plain data. */
import { type Bm25Parameters, DEFAULT_BM25 } from '../../codec/norms/inverse.ts'
import type { SimilarityModel } from '../../schema/similarity/similarity-model.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import type { ScoredTerms } from '../similarity/scored-terms.ts'

/** BM25 with parameters of its own. */
export interface OwnBm25 {
  readonly kind: 'bm25'
  readonly parameters: Bm25Parameters
  /** Of all scores, float32: 1 + k1 of the BM25 of older releases, otherwise 1. */
  readonly factor: number
}

/** Scores that scripts compute of statistics, a frequency and a length. */
export interface ScriptedSimilarity<Terms> {
  readonly kind: 'scripted'
  /** In the context `similarity`. */
  readonly script: ScriptPlan
  /** In the context `similarity_weight`; null: every weight is 1. */
  readonly weightScript: ScriptPlan | null
  /** Statistics that both read. */
  readonly terms: Terms
}

/** Scores that a model computes of the same. */
interface ModelSimilarity<Terms> {
  readonly kind: 'model'
  readonly model: SimilarityModel
  /** Statistics that it reads. */
  readonly terms: Terms
}

/** A similarity as an index defines it. */
export type DefinedSimilarity = OwnBm25 | ModelSimilarity<null> | ScriptedSimilarity<null>

/** A similarity bound to the terms of a node of weights. */
export type Similarity = OwnBm25 | ModelSimilarity<ScoredTerms> | ScriptedSimilarity<ScoredTerms>

/** BM25 with parameters and a factor of all scores; null: they are the default ones. */
export function bm25With(parameters: Bm25Parameters, factor: number): OwnBm25 | null {
  const { k1, b } = parameters
  const isDefault = factor === 1 && k1 === DEFAULT_BM25.k1 && b === DEFAULT_BM25.b
  return isDefault ? null : { kind: 'bm25', parameters, factor }
}

/** The factor of all scores by BM25, float32. */
export function factorOf(similarity: Similarity | null): number {
  return similarity?.kind === 'bm25' ? similarity.factor : 1
}

/** The parameters of BM25; null: the default ones. */
export function bm25Of(similarity: Similarity | null): Bm25Parameters | null {
  return similarity?.kind === 'bm25' ? similarity.parameters : null
}

/** Whether the kernels, which know BM25 alone, can score by a similarity. */
export function isBm25(similarity: Similarity | null): boolean {
  return similarity === null || similarity.kind === 'bm25'
}
