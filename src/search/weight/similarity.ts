/** How frequencies in a field score where that is not by BM25 with its default parameters; plain data. */
import type { Bm25Parameters } from '../../codec/norms/inverse.ts'
import type { ScoredTerms } from '../script/scored-terms.ts'
import type { ScriptPlan } from '../script/script-plan.ts'

/** BM25 with parameters of its own. */
interface OwnBm25 {
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

/** A similarity as an index defines it. */
export type DefinedSimilarity = OwnBm25 | ScriptedSimilarity<null>

/** A similarity bound to the terms of a node of weights. */
export type Similarity = OwnBm25 | ScriptedSimilarity<ScoredTerms>

/** The factor of all scores by BM25, float32. */
export function factorOf(similarity: Similarity | null): number {
  return similarity?.kind === 'bm25' ? similarity.factor : 1
}

/** The parameters of BM25; null: the default ones. */
export function bm25Of(similarity: Similarity | null): Bm25Parameters | null {
  return similarity?.kind === 'bm25' ? similarity.parameters : null
}
