import type { Leaf } from '../../segment/leaf.ts'
import { assert } from '../../util/assert.ts'
import { termsWithPrefix } from './prefix-terms.ts'
import { matchNone, type PhrasePrefixQuery, type Query } from './query.ts'
import type { QueryType } from './query-type.ts'

const NO_TERMS = 'No terms supplied for org.opensearch.common.lucene.search.MultiPhrasePrefixQuery'

/** A phrase whose last position matches any term with a prefix. */
export const phrasePrefixQuery: QueryType<PhrasePrefixQuery> = {
  className: () => 'MultiPhrasePrefixQuery',
  text: phrasePrefixText,
  clauseCount: query => query.terms.reduce((sum, terms) => sum + terms.length, 0),
  mapInner: null,
  visitTerms: ({ field, terms, positions, slop }, visitor) =>
    visitor.phrase({ field, terms, positions, slop, isPrefix: true }),
  onShard: expand,
  createWeight(): never {
    assert(false, 'a phrase with a prefix is expanded on its shard before it is weighed')
  },
}

/**
 * Expands each prefix to the shard's first terms with it, in byte order: the expansion depends on
 * the documents alone, not on their segments, and so do the hits.
 */
function expand(query: PhrasePrefixQuery, leaves: readonly Leaf[]): Query {
  const { field, positions, slop, maxExpansions } = query
  const prefixes = query.terms[query.terms.length - 1] ?? []
  const found = new Set<string>()
  for (const prefix of prefixes) {
    // As in the reference, each of several prefixes is expanded until the total exceeds the limit.
    if (found.size > maxExpansions) break
    for (const term of termsWithPrefix(field, prefix, maxExpansions, leaves)) found.add(term)
  }
  if (found.size === 0) return matchNone(NO_TERMS)
  const terms = [...query.terms.slice(0, -1), [...found]]
  return { kind: 'multiPhrase', field, terms, positions, slop }
}

/** The last position's words with a star; gaps are not printed. */
function phrasePrefixText(query: PhrasePrefixQuery): string {
  const words = query.terms.map((terms, i) => {
    const star = i === query.terms.length - 1 ? '*' : ''
    const text = terms.map(term => term + star).join(' ')
    return terms.length === 1 ? text : `(${text})`
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}
