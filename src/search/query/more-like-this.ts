import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import {
  type BooleanClause,
  boosted,
  type MoreLikeThisQuery,
  matchNone,
  type Query,
} from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents with the words that are typical of a text, as Lucene's `MoreLikeThis` chooses them. */
export const moreLikeThisQuery: QueryType<MoreLikeThisQuery> = {
  className: () => 'MoreLikeThisQuery',
  text({ parts }) {
    const fields = new Set(parts.flatMap(part => part.flatMap(words => words.fields)))
    return `like:[${[...fields].join(', ')}]`
  },
  clauseCount: () => 1,
  mapInner: null,
  onShard(query, leaves): Query {
    const clauses = query.parts.flatMap((part): readonly BooleanClause[] => {
      const chosen = part.flatMap(words => clausesOf(words, query, leaves))
      if (chosen.length === 0) return []
      const kept = chosen.slice(0, query.maxClauses)
      const minimumShouldMatch = query.minimums[kept.length] ?? 0
      return [{ occur: 'should', query: { kind: 'boolean', clauses: kept, minimumShouldMatch } }]
    })
    if (clauses.length === 0) return matchNone('empty MoreLikeThisQuery')
    return clauses.length === 1
      ? clauses[0]!.query
      : { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  },
  createWeight(query, builder, id, boost, scored) {
    return builder.createAs(id, this.onShard!(query, builder.leaves), boost, scored)
  },
}

/** A word with what speaks for it. */
interface RatedWord {
  readonly field: string
  readonly word: string
  /** Frequency in the text times inverse document frequency, float32. */
  readonly score: number
}

/** The best words as clauses, the best last. */
function clausesOf(
  { fields, words }: MoreLikeThisQuery['parts'][number][number],
  query: MoreLikeThisQuery,
  leaves: readonly Leaf[],
): BooleanClause[] {
  // Nested documents count as any others, as in Lucene.
  const numDocs = leaves.reduce((sum, leaf) => sum + leaf.keptDocs, 0)
  const rated: RatedWord[] = []
  for (const [word, freq] of words) {
    if (freq < query.minTermFreq) continue
    let field = fields[0]!
    let docFreq = 0
    for (const each of fields) {
      const own = docFreqIn(each, word, leaves)
      if (own > docFreq) [field, docFreq] = [each, own]
    }
    if (docFreq === 0 || docFreq < query.minDocFreq || docFreq > query.maxDocFreq) continue
    const idf = Math.fround(Math.log((numDocs + 1) / (docFreq + 1)) + 1)
    rated.push({ field, word, score: Math.fround(freq * idf) })
  }
  rated.sort((a, b) => b.score - a.score || compareBytes(encodeUtf8(a.word), encodeUtf8(b.word)))
  const best = rated.slice(0, query.maxTerms).reverse()
  const lowest = best[0]?.score ?? 1
  return best.map(({ field, word, score }): BooleanClause => {
    const term: Query = { kind: 'term', field, term: word }
    const { boostTerms } = query
    const factor = Math.fround(Math.fround(boostTerms * score) / lowest)
    return { occur: 'should', query: boostTerms === 0 ? term : boosted(term, factor) }
  })
}

function docFreqIn(field: string, term: string, leaves: readonly Leaf[]): number {
  let docFreq = 0
  for (const leaf of leaves)
    if ((leaf.fieldInfo(field)?.indexOptions ?? 'none') !== 'none')
      docFreq += leaf.terms(field)?.lookupText(term)?.docFreq ?? 0
  return docFreq
}
