/** Statistics by which scripts score a node's frequencies; plain data. */

/** Terms that are scored together: the sum of what each is scored. */
export interface ScoredTerms {
  readonly boost: number
  /** Over the shard. */
  readonly field: {
    /** Documents with the field. */
    readonly docCount: number
    readonly sumDocFreq: number
    readonly sumTotalTermFreq: number
  }
  readonly terms: readonly TermCounts[]
}

/** Counts of one term over the shard. */
export interface TermCounts {
  readonly docFreq: number
  readonly totalTermFreq: number
}
