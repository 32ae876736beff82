/** Statistics that scores are made of, for a search that shares them between shards. */

/** A field: how many documents have it, and how many tokens they have in it. */
interface FieldStatistics {
  readonly docCount: number
  readonly tokens: number
}

/** Statistics of the terms and fields of a query. */
export interface TermStatistics {
  readonly fields: ReadonlyMap<string, FieldStatistics>
  /** Document frequencies by `termKey`, above 0. */
  readonly docFreqs: ReadonlyMap<string, number>
}

/** The key of a term of a field. */
export function termKey(field: string, term: string): string {
  return `${field}\u0000${term}`
}

/** The statistics of several shards as of one. */
export function sumStatistics(shards: readonly TermStatistics[]): TermStatistics {
  const fields = new Map<string, FieldStatistics>()
  const docFreqs = new Map<string, number>()
  for (const shard of shards) {
    for (const [field, { docCount, tokens }] of shard.fields) {
      const sum = fields.get(field)
      fields.set(field, {
        docCount: docCount + (sum?.docCount ?? 0),
        tokens: tokens + (sum?.tokens ?? 0),
      })
    }
    for (const [key, docFreq] of shard.docFreqs)
      docFreqs.set(key, docFreq + (docFreqs.get(key) ?? 0))
  }
  return { fields, docFreqs }
}
