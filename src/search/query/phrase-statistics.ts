/** Statistics and sections that phrases of all kinds need of a shard. */
import { inverseDocFreq } from '../similarity/bm25.ts'
import type { WeightBuilder } from './query-type.ts'

/** A phrase's field statistics and score factor. */
interface PhraseStatistics {
  /** Documents of the shard that have the field. */
  readonly docCount: number
  /** Mean field length over the shard, float32. */
  readonly average: number
  /** f32(boost · f32(sum of idfs)); 0 when no score is read. */
  readonly weight: number
}

/**
 * Records the sections that a phrase reads, and computes its weight.
 * @param termIds looked up already; terms without documents add nothing
 */
export function phraseStatistics(
  { terms }: WeightBuilder,
  field: string,
  termIds: readonly number[],
  boost: number,
  scored: boolean,
): PhraseStatistics {
  const { docCount, average } = terms.statisticsOf(terms.useOf(field))
  terms.use(field, 'postings')
  terms.use(field, 'positions')
  if (scored) terms.use(field, 'norms')
  let idfs = 0
  for (const termId of termIds) {
    const docFreq = terms.docFreqOf(termId)
    if (docFreq > 0) idfs += inverseDocFreq(docFreq, Math.max(docCount, docFreq))
  }
  const weight = scored ? Math.fround(boost * Math.fround(idfs)) : 0
  return { docCount, average, weight }
}
