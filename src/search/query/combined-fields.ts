import { floatText } from '../../util/json/float-text.ts'
import { averageLength, inverseDocFreq } from '../similarity/bm25.ts'
import { factorOf } from '../weight/similarity.ts'
import type { CombinedFieldsQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Terms of several fields, scored as one term of one field (BM25F). */
export const combinedFieldsQuery: QueryType<CombinedFieldsQuery> = {
  className: () => 'CombinedFieldQuery',
  text({ fields, terms }) {
    const names = fields.map(
      ({ field, weight }) => `${field}${weight === 1 ? '' : `^${floatText(weight)}`}`,
    )
    return `CombinedFieldQuery((${names.join(' ')})(${terms.join(', ')}))`
  },
  clauseCount: ({ fields, terms }) => fields.length * terms.length,
  mapInner: null,
  visitTerms({ fields, terms }, visitor) {
    for (const { field, weight } of fields)
      for (const term of terms) visitor.boosted(weight).term(field, term)
  },
  createWeight({ fields, terms, similarity }, builder, id, boost, scored) {
    const shard = builder.terms
    let [docCount, docFreq, tokens] = [0, 0, 0]
    const termIds = fields.map(({ field, weight }) => {
      shard.use(field, 'postings')
      if (scored) shard.use(field, 'norms')
      const own = shard.statisticsOf(shard.useOf(field))
      docCount = Math.max(docCount, own.docCount)
      tokens = Math.trunc(tokens + weight * own.tokens)
      return terms.map(term => {
        const termId = shard.termId(field, term)
        const freq = shard.docFreqOf(termId)
        docFreq = Math.max(docFreq, freq)
        builder.cost += freq
        builder.openPostings++
        return termId
      })
    })
    const average = averageLength(tokens, docCount)
    const idf = docFreq === 0 ? 0 : inverseDocFreq(docFreq, Math.max(docCount, docFreq))
    const weight = scored ? Math.fround(Math.fround(boost * factorOf(similarity)) * idf) : 0
    const statistics = { docCount, docFreq, boost, weight, average, similarity, scored }
    return { kind: 'combinedFields', id, fields, termIds, ...statistics }
  },
}
