import type { Leaf } from '../../segment/leaf.ts'
import type { Turn } from '../../util/turns.ts'
import type { CountedTerms } from './similar-terms.ts'

/** How often a term occurs. */
export interface WordCount {
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** That of what is no term. */
export const NEVER: WordCount = { docFreq: 0, totalTermFreq: 0 }

/** The terms of one field of a shard with all that scores of phrases look at. */
export interface PhraseTerms extends CountedTerms {
  /** Occurrences of all terms; once the field is added up. */
  readonly totalTermFreq: number
  /** Distinct terms; in a shard of several leaves its documents, as Lucene takes it; once the field is added up. */
  readonly termCount: number
  /** Counts of a term, 0 where there is none; those asked for are remembered. */
  count(term: string): WordCount
  /** The same where it takes no longer than a look; null: `docFreq` counts it, in turns, ahead of the next call. */
  counted(term: string): WordCount | null
  /** Adds the field up, ahead of its totals and of `isEmpty`; yields where the turn is over. */
  addUp(turn: Turn): Generator<void, void, void>
}

/** Whether documents of a leaf have terms of a field. */
export function hasTerms(leaf: Leaf, field: string): boolean {
  const info = leaf.fieldInfo(field)
  return info !== null && info.indexOptions !== 'none' && info.termCount > 0
}
