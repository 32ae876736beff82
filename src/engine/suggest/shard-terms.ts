import type { PhraseTerms } from '../../search/suggest/phrase-terms.ts'
import { ShardWords } from '../../search/suggest/shard-words.ts'
import { VisibleWords } from '../../search/suggest/visible-words.ts'
import type { SuggestShard } from './suggester.ts'

/** Terms of a field, counted in the documents that the caller may see. */
export function wordsOf(shard: SuggestShard, field: string): PhraseTerms {
  const { visible } = shard
  return visible === null
    ? new ShardWords(shard.leaves, field)
    : new VisibleWords({ ...shard, visible }, field)
}
