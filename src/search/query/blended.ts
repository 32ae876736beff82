import { tokensOf } from '../../codec/directory/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { floatText } from '../../util/json/float-text.ts'
import type { GivenCounts, TermCounts } from '../similarity/scored-terms.ts'
import { type BlendedQuery, boosted, type Query } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Terms of several fields that share their document frequencies, as Lucene's `BlendedTermQuery`. */
export const blendedQuery: QueryType<BlendedQuery> = {
  className: () => 'BlendedTermQuery',
  text({ terms }) {
    const texts = terms.map(
      ({ field, term, boost }) => `${field}:${term}${boost === 1 ? '' : `^${floatText(boost)}`}`,
    )
    return `blended(terms:[${texts.join(', ')}])`
  },
  clauseCount: query => query.terms.length,
  mapInner: null,
  visitTerms({ terms }, visitor) {
    for (const { field, term, boost } of terms) visitor.boosted(boost).term(field, term)
  },
  onShard({ terms, tieBreaker }, leaves): Query {
    const counts = blendedCounts(terms, leaves)
    const queries = terms.map(({ field, term, boost }, i) => {
      const own = counts[i]!
      const query: Query =
        own.docFreq === 0
          ? { kind: 'term', field, term }
          : { kind: 'term', field, term, counts: own }
      return boosted(query, boost)
    })
    return queries.length === 1 ? queries[0]! : { kind: 'disMax', queries, tieBreaker }
  },
  createWeight(query, builder, id, boost, scored) {
    return builder.createAs(id, this.onShard!(query, builder.leaves), boost, scored)
  },
}

/**
 * The counts that each term is scored with; 0: it does not occur. By falling frequency they get the
 * document frequency of the commonest, and one more whenever the frequency falls, up to what the
 * smallest field can hold, and no more than documents have the term's own field. Their occurrences
 * are those of all together, as far as the smallest field can hold them.
 */
function blendedCounts(terms: BlendedQuery['terms'], leaves: readonly Leaf[]): GivenCounts[] {
  const own = terms.map(({ field, term }) => countsOf(field, term, leaves))
  if (terms.length === 1)
    return own.map(({ docFreq, totalTermFreq }) => ({ docFreq, occurrences: totalTermFreq }))
  const order = [...own.keys()]
    .filter(i => own[i]!.docFreq > 0)
    .sort((a, b) => own[b]!.docFreq - own[a]!.docFreq || a - b)
  const fields = terms.map(({ field }) => countsIn(field, leaves))
  const smallest = Math.min(...order.map(i => fields[i]!.tokens))
  const cap = Math.min(
    leaves.reduce((sum, leaf) => sum + leaf.maxDoc, 0),
    smallest,
  )
  const docFreqs = own.map(() => 0)
  let before = order.length === 0 ? 0 : own[order[0]!]!.docFreq
  let shared = Math.min(cap, before)
  let occurrences = 0
  for (const i of order) {
    const { docFreq, totalTermFreq } = own[i]!
    if (docFreq < before) shared++
    docFreqs[i] = Math.min(cap, shared, fields[i]!.documents)
    occurrences += Math.max(totalTermFreq, docFreqs[i]!)
    before = docFreq
  }
  const held = Math.min(occurrences, smallest)
  return docFreqs.map(docFreq => ({ docFreq, occurrences: held }))
}

function countsOf(field: string, term: string, leaves: readonly Leaf[]): TermCounts {
  let [docFreq, totalTermFreq] = [0, 0]
  for (const leaf of leaves) {
    if ((leaf.fieldInfo(field)?.indexOptions ?? 'none') === 'none') continue
    const state = leaf.terms(field)?.lookupText(term) ?? null
    docFreq += state?.docFreq ?? 0
    totalTermFreq += state?.totalTermFreq ?? 0
  }
  return { docFreq, totalTermFreq }
}

/** Documents that have a field, and tokens of it. */
function countsIn(
  field: string,
  leaves: readonly Leaf[],
): { readonly documents: number; readonly tokens: number } {
  let [documents, tokens] = [0, 0]
  for (const leaf of leaves) {
    const info = leaf.fieldInfo(field)
    if (info === null) continue
    documents += info.docCount
    tokens += tokensOf(info)
  }
  return { documents, tokens }
}
