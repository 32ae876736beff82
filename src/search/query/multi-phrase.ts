import { phraseStatistics } from './phrase-statistics.ts'
import { type BooleanClause, type MultiPhraseQuery, matchNone } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Terms at given positions, several alternatives at each. */
export const multiPhraseQuery: QueryType<MultiPhraseQuery> = {
  className: () => 'MultiPhraseQuery',
  text: multiPhraseText,
  clauseCount: query => query.terms.reduce((sum, terms) => sum + terms.length, 0),
  mapInner: null,
  rewrite(query) {
    const [terms] = query.terms
    if (terms === undefined) return matchNone('empty MultiPhraseQuery')
    if (query.terms.length > 1) return query
    const { field } = query
    const clauses = terms.map(
      (term): BooleanClause => ({ occur: 'should', query: { kind: 'term', field, term } }),
    )
    return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  },
  visitTerms: ({ field, terms, positions, slop }, visitor) =>
    visitor.phrase({ field, terms, positions, slop, isPrefix: false }),
  createWeight(query, builder, id, boost, scored) {
    const { field, terms, positions, slop } = query
    const termIds = terms.map(each => each.map(term => builder.terms.termId(field, term)))
    const all = termIds.flat()
    for (const termId of all) builder.cost += 2 * builder.terms.docFreqOf(termId)
    builder.openPostings += all.length
    const statistics = phraseStatistics(builder, field, all, boost, scored)
    return {
      kind: 'multiPhrase',
      id,
      field,
      terms,
      termIds,
      boost,
      positions,
      slop,
      scored,
      ...statistics,
    }
  },
}

function multiPhraseText(query: MultiPhraseQuery): string {
  const words: string[] = []
  let before = -1
  query.terms.forEach((terms, i) => {
    const position = query.positions[i] ?? 0
    for (let gap = before + 1; i > 0 && gap < position && gap < before + 100; gap++) words.push('?')
    words.push(terms.length === 1 ? (terms[0] ?? '') : `(${terms.join(' ')})`)
    before = position
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}
