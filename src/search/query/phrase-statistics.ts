/** Statistics and sections that phrases of all kinds need of a shard. */
import { inverseDocFreq } from '../similarity/bm25.ts'
import { factorOf, type Similarity } from '../weight/similarity.ts'
import type { WeightBuilder } from './query-type.ts'

/** A phrase's field statistics and score factor. */
interface PhraseStatistics {
  /** Documents of the shard that have the field. */
  readonly docCount: number
  /** Mean field length over the shard, float32. */
  readonly average: number
  /** Null: BM25 with its default parameters. */
  readonly similarity: Similarity | null
  /** f32(boost · f32(sum of idfs)); 0 when no score is read. */
  readonly weight: number
}

/**
 * Records the sections that a phrase reads, and computes its weight.
 * @param termIds looked up already; terms without documents add nothing
 */
export function phraseStatistics(
  builder: WeightBuilder,
  field: string,
  termIds: readonly number[],
  boost: number,
  scored: boolean,
): PhraseStatistics {
  const { terms } = builder
  const { docCount, average } = terms.statisticsOf(terms.useOf(field))
  terms.use(field, 'postings')
  terms.use(field, 'positions')
  if (scored) terms.use(field, 'norms')
  let idfs = 0
  for (const termId of termIds) {
    const docFreq = terms.docFreqOf(termId)
    if (docFreq > 0) idfs += inverseDocFreq(docFreq, Math.max(docCount, docFreq))
  }
  const similarity = scored ? builder.bind(field, termIds, boost) : null
  const factor = Math.fround(boost * factorOf(similarity))
  const weight = scored ? Math.fround(factor * Math.fround(idfs)) : 0
  return { docCount, average, similarity, weight }
}
