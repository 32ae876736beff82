import { phraseStatistics } from './phrase-statistics.ts'
import { matchNone, type PhraseQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Terms at given positions. */
export const phraseQuery: QueryType<PhraseQuery> = {
  className: () => 'PhraseQuery',
  text: phraseText,
  clauseCount: query => query.terms.length,
  mapInner: null,
  rewrite(query) {
    const [term] = query.terms
    if (term === undefined) return matchNone('empty PhraseQuery')
    if (query.terms.length === 1) return { kind: 'term', field: query.field, term }
    const first = query.positions[0] ?? 0
    if (first === 0) return query
    return { ...query, positions: query.positions.map(position => position - first) }
  },
  visitTerms({ field, terms, positions, slop }, visitor) {
    visitor.phrase({ field, terms: terms.map(term => [term]), positions, slop, isPrefix: false })
  },
  createWeight(query, builder, id, boost, scored) {
    const { field, terms, positions, slop } = query
    const termIds = terms.map(term => builder.terms.termId(field, term))
    for (const termId of termIds) builder.cost += 2 * builder.terms.docFreqOf(termId)
    builder.openPostings += termIds.length
    const statistics = phraseStatistics(builder, field, termIds, boost, scored)
    return {
      kind: 'phrase',
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

function phraseText(query: PhraseQuery): string {
  const words: string[] = []
  const first = query.positions[0] ?? 0
  let before = first - 1
  query.terms.forEach((term, i) => {
    const position = query.positions[i] ?? first
    // A gap of a million positions is legal, but a hundred question marks suffice.
    for (let gap = before + 1; gap < position && gap < before + 100; gap++) words.push('?')
    if (position === before && words.length > 0) words.push(`${words.pop()}|${term}`)
    else words.push(term)
    before = position
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}
