import type { Leaf } from '../../segment/leaf.ts'
import { assert } from '../../util/assert.ts'
import { termsWithPrefix } from './prefix-terms.ts'
import { matchNone, type PhrasePrefixQuery, type Query } from './query.ts'
import type { QueryType } from './query-type.ts'

const NO_TERMS = 'No terms supplied for org.opensearch.common.lucene.search.MultiPhrasePrefixQuery'

/** A phrase whose last position takes the terms that start with a prefix. */
export const phrasePrefixQuery: QueryType<PhrasePrefixQuery> = {
  className: () => 'MultiPhrasePrefixQuery',
  text: phrasePrefixText,
  clauseCount: query => query.terms.reduce((sum, terms) => sum + terms.length, 0),
  mapInner: null,
  onShard: expand,
  createWeight(): never {
    assert(false, 'a phrase with a prefix is expanded on its shard before it is weighed')
  },
}

/**
 * The prefixes become the first terms of the shard, in byte order, that start with them: every layout
 * of the same documents has the same terms, and so the same hits.
 */
function expand(query: PhrasePrefixQuery, leaves: readonly Leaf[]): Query {
  const { field, positions, slop, maxExpansions } = query
  const prefixes = query.terms[query.terms.length - 1] ?? []
  const found = new Set<string>()
  for (const prefix of prefixes) {
    // As in the reference, each of stacked prefixes is looked up until there are more than enough.
    if (found.size > maxExpansions) break
    for (const term of termsWithPrefix(field, prefix, maxExpansions, leaves)) found.add(term)
  }
  if (found.size === 0) return matchNone(NO_TERMS)
  const terms = [...query.terms.slice(0, -1), [...found]]
  return { kind: 'multiPhrase', field, terms, positions, slop }
}

/** The last words with a star; gaps do not show. */
function phrasePrefixText(query: PhrasePrefixQuery): string {
  const words = query.terms.map((terms, i) => {
    const star = i === query.terms.length - 1 ? '*' : ''
    const text = terms.map(term => term + star).join(' ')
    return terms.length === 1 ? text : `(${text})`
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}
