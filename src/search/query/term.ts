import { inverseDocFreq } from '../similarity/bm25.ts'
import { sectionBit } from '../weight/section-use.ts'
import { factorOf } from '../weight/similarity.ts'
import type { TermQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

const POSTINGS = sectionBit('postings')
const NORMS = sectionBit('norms')

/** One term, scored by BM25. */
export const termQuery: QueryType<TermQuery> = {
  className: () => 'TermQuery',
  text: query => `${query.field}:${query.term}`,
  clauseCount: () => 1,
  mapInner: null,
  visitTerms: ({ field, term }, visitor) => visitor.term(field, term),
  createWeight({ field, term, counts: given }, builder, id, boost, scored) {
    const { terms } = builder
    const use = terms.useOf(field)
    const termId = terms.termIn(use, term)
    const { docCount, average } = terms.statisticsOf(use)
    const docFreq = terms.docFreqOf(termId)
    use.kinds |= scored ? POSTINGS | NORMS : POSTINGS
    builder.cost += docFreq
    builder.openPostings++
    const scoredFreq = given === undefined ? docFreq : terms.scoredDocFreq(termId, given)
    const idf =
      scored && scoredFreq > 0 ? inverseDocFreq(scoredFreq, Math.max(docCount, scoredFreq)) : 0
    const bound = scored ? builder.bind(field, [termId], boost, given) : null
    const weight = Math.fround(Math.fround(boost * factorOf(bound)) * idf)
    return {
      kind: 'term',
      id,
      field,
      term,
      termId,
      docCount,
      boost,
      weight,
      average,
      similarity: bound,
      scored,
      docFreq: scoredFreq,
    }
  },
}
