import { inverseDocFreq } from '../similarity/bm25.ts'
import { factorOf } from '../weight/similarity.ts'
import { matchNone, type SynonymQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Synonyms, scored as one term. */
export const synonymQuery: QueryType<SynonymQuery> = {
  className: () => 'SynonymQuery',
  text: query => `Synonym(${query.terms.map(term => `${query.field}:${term}`).join(' ')})`,
  clauseCount: query => query.terms.length,
  mapInner: null,
  rewrite(query) {
    const [term] = query.terms
    if (term === undefined) return matchNone('empty SynonymQuery')
    return query.terms.length === 1 ? { kind: 'term', field: query.field, term } : query
  },
  visitTerms({ field, terms }, visitor) {
    for (const term of terms) visitor.term(field, term)
  },
  createWeight({ field, terms }, builder, id, boost, scored) {
    const shard = builder.terms
    const termIds = terms.map(term => shard.termId(field, term))
    const { docCount, average } = shard.statisticsOf(shard.useOf(field))
    let docFreq = 0
    for (const termId of termIds) {
      const own = shard.docFreqOf(termId)
      docFreq = Math.max(docFreq, own)
      builder.cost += own
    }
    builder.openPostings += termIds.length
    shard.use(field, 'postings')
    if (scored) shard.use(field, 'norms')
    const idf = docFreq === 0 ? 0 : inverseDocFreq(docFreq, Math.max(docCount, docFreq))
    const similarity = scored ? builder.bindAsOne(field, termIds, boost) : null
    const weight = scored ? Math.fround(Math.fround(boost * factorOf(similarity)) * idf) : 0
    const statistics = { docCount, boost, weight, average, similarity, scored }
    return { kind: 'synonym', id, field, terms, termIds, ...statistics }
  },
}
