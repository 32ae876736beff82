import type { ResponseProcessorType } from '../search-processor.ts'

/**
 * `hybrid_score_explanation`: explanations tell how the scores of a hybrid query's sub-queries became one. The
 * hits of this build are explained so when they are read, where the shards are at hand, and whether the
 * processor stands in the pipeline or not: the hits that come to it have nothing missing.
 */
export const HYBRID_SCORE_EXPLANATION: ResponseProcessorType = {
  name: 'hybrid_score_explanation',
  parse: () => hits => hits,
}
