/** Statistics by which similarities other than BM25 score a node's frequencies; plain data. */

/** Terms that are scored together: the sum of what each is scored. */
export interface ScoredTerms {
  readonly boost: number
  readonly field: FieldCounts
  readonly terms: readonly TermCounts[]
}

/** Counts of one field over the shard, or over all that share their statistics. */
export interface FieldCounts {
  /** Documents with the field. */
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalTermFreq: number
}

/** Counts that a term is scored with in place of its own. */
export interface GivenCounts {
  readonly docFreq: number
  /** Occurrences; or the terms of the field whose occurrences they are, together. */
  readonly occurrences: number | readonly string[]
}

/** Counts of one term over the shard, or over all that share their statistics. */
export interface TermCounts {
  readonly docFreq: number
  readonly totalTermFreq: number
}
