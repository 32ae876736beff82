import type { TermFilter } from '../../api/term-vectors.ts'
import type { DocumentTerm } from './document-terms.ts'
import type { FieldStatistics } from './shard-statistics.ts'

/**
 * The terms of a field that a filter keeps, with their scores, float32: term frequency times inverse
 * document frequency. Of terms with one score, those of lower bytes are kept first.
 */
export function bestTerms(
  filter: TermFilter,
  terms: readonly DocumentTerm[],
  statistics: FieldStatistics,
): ReadonlyMap<string, number> {
  const { exists } = statistics
  // A field that the shard does not have is judged by the document alone.
  const docCount = exists ? statistics.docCount : 1
  const scored: [string, number][] = []
  for (const { term, freq } of terms) {
    if (isNoise(filter, term, freq)) continue
    const docFreq = exists ? (statistics.term(term)?.docFreq ?? 0) : 1
    if (docFreq === 0 || docFreq < filter.minDocFreq || docFreq > filter.maxDocFreq) continue
    const idf = Math.fround(Math.log((docCount + 1) / (docFreq + 1)) + 1)
    scored.push([term, Math.fround(freq * idf)])
  }
  scored.sort(([, a], [, b]) => b - a)
  return new Map(scored.slice(0, Math.max(0, filter.maxTerms)))
}

function isNoise(filter: TermFilter, { length }: string, freq: number): boolean {
  const { minWordLength, maxWordLength, minTermFreq, maxTermFreq } = filter
  return (
    (minWordLength > 0 && length < minWordLength) ||
    (maxWordLength > 0 && length > maxWordLength) ||
    freq < minTermFreq ||
    freq > maxTermFreq
  )
}
