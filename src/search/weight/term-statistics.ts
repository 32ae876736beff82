/** Statistics that scores are made of, for a search that shares them between shards. */
import type { TermCounts } from '../similarity/scored-terms.ts'

/** A field: how many documents have it, and how many tokens they have in it. */
interface FieldStatistics {
  readonly docCount: number
  readonly tokens: number
  /** Documents with each of its terms, added up. */
  readonly sumDocFreq: number
}

/** Statistics of the terms and fields of a query. */
export interface TermStatistics {
  readonly fields: ReadonlyMap<string, FieldStatistics>
  /** Counts by `termKey`; document frequencies are above 0. */
  readonly terms: ReadonlyMap<string, TermCounts>
}

/** The key of a term of a field. */
export function termKey(field: string, term: string): string {
  return `${field}\u0000${term}`
}

/** The statistics of several shards as of one. */
export function sumStatistics(shards: readonly TermStatistics[]): TermStatistics {
  const fields = new Map<string, FieldStatistics>()
  const terms = new Map<string, TermCounts>()
  for (const shard of shards) {
    for (const [field, { docCount, tokens, sumDocFreq }] of shard.fields) {
      const sum = fields.get(field)
      fields.set(field, {
        docCount: docCount + (sum?.docCount ?? 0),
        tokens: tokens + (sum?.tokens ?? 0),
        sumDocFreq: sumDocFreq + (sum?.sumDocFreq ?? 0),
      })
    }
    for (const [key, { docFreq, totalTermFreq }] of shard.terms) {
      const sum = terms.get(key)
      terms.set(key, {
        docFreq: docFreq + (sum?.docFreq ?? 0),
        totalTermFreq: totalTermFreq + (sum?.totalTermFreq ?? 0),
      })
    }
  }
  return { fields, terms }
}
