import { tokensOf } from '../../codec/directory/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { floatText } from '../../util/json/float-text.ts'
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
    const docFreqs = blendedFreqs(terms, leaves)
    const queries = terms.map(({ field, term, boost }, i) => {
      const docFreq = docFreqs[i]!
      const query: Query =
        docFreq === 0 ? { kind: 'term', field, term } : { kind: 'term', field, term, docFreq }
      return boosted(query, boost)
    })
    return queries.length === 1 ? queries[0]! : { kind: 'disMax', queries, tieBreaker }
  },
  createWeight(query, builder, id, boost, scored) {
    return builder.createAs(id, this.onShard!(query, builder.leaves), boost, scored)
  },
}

/**
 * The document frequency that each term is scored with; 0: it does not occur. By falling frequency
 * they get that of the commonest, and one more whenever the frequency falls, up to what the smallest
 * field can hold, and no more than documents have the term's own field.
 */
function blendedFreqs(terms: BlendedQuery['terms'], leaves: readonly Leaf[]): number[] {
  const docFreqs = terms.map(({ field, term }) => docFreqIn(field, term, leaves))
  if (terms.length === 1) return docFreqs
  const maxDoc = leaves.reduce((sum, leaf) => sum + leaf.maxDoc, 0)
  const counts = terms.map(({ field }) => countsIn(field, leaves))
  const cap = Math.min(maxDoc, ...counts.map(({ tokens }) => tokens))
  const order = [...docFreqs.keys()].sort((a, b) => docFreqs[b]! - docFreqs[a]! || a - b)
  const blended = docFreqs.map(() => 0)
  let before = docFreqs[order[0]!]!
  let shared = Math.min(cap, before)
  for (const i of order) {
    const own = docFreqs[i]!
    if (own === 0) break
    if (own < before) shared++
    blended[i] = Math.min(cap, shared, counts[i]!.documents)
    before = own
  }
  return blended
}

function docFreqIn(field: string, term: string, leaves: readonly Leaf[]): number {
  let docFreq = 0
  for (const leaf of leaves)
    if ((leaf.fieldInfo(field)?.indexOptions ?? 'none') !== 'none')
      docFreq += leaf.terms(field)?.lookupText(term)?.docFreq ?? 0
  return docFreq
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
