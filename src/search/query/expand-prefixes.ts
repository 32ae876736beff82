/**
 * What the prefixes at the ends of phrases are on a shard: the first of its terms, in byte order,
 * that start so. Every layout of the same documents has the same terms, and so the same hits.
 */
import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import { mapInnermost } from './map-query.ts'
import { matchNone, type PhrasePrefixQuery, type Query, type Span } from './query.ts'

const NO_TERMS = 'No terms supplied for org.opensearch.common.lucene.search.MultiPhrasePrefixQuery'

/**
 * The query with its phrases' prefixes as terms; the same object where there are none.
 * @param leaves the shard's whole snapshot; dictionaries are loaded as they are asked for
 */
export function expandPrefixes(query: Query, leaves: readonly Leaf[]): Query {
  return mapInnermost(query, each => {
    if (each.kind === 'phrasePrefix') return expandPhrase(each, leaves)
    if (each.kind !== 'span') return each
    const span = expandSpan(each.field, each.span, leaves)
    return span === each.span ? each : { ...each, span }
  })
}

function expandPhrase(query: PhrasePrefixQuery, leaves: readonly Leaf[]): Query {
  const { field, positions, slop, maxExpansions } = query
  const prefixes = query.terms[query.terms.length - 1] ?? []
  const found = new Set<string>()
  for (const prefix of prefixes) {
    // As in the reference, each of stacked prefixes is looked up until there are more than enough.
    if (found.size > maxExpansions) break
    for (const term of termsFrom(field, prefix, maxExpansions, leaves)) found.add(term)
  }
  if (found.size === 0) return matchNone(NO_TERMS)
  const terms = [...query.terms.slice(0, -1), [...found]]
  return { kind: 'multiPhrase', field, terms, positions, slop }
}

function expandSpan(field: string, span: Span, leaves: readonly Leaf[]): Span {
  switch (span.kind) {
    case 'prefix': {
      const terms = termsFrom(field, span.prefix, span.maxExpansions, leaves)
      const spans = terms.map((term): Span => ({ kind: 'term', term }))
      return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
    }
    case 'or':
    case 'near': {
      const spans = span.spans.map(each => expandSpan(field, each, leaves))
      return spans.every((each, i) => each === span.spans[i]) ? span : { ...span, spans }
    }
    default:
      return span
  }
}

/** The first terms of a field on all leaves that start with a prefix, ascending by bytes. */
function termsFrom(field: string, prefix: string, most: number, leaves: readonly Leaf[]): string[] {
  const start = encodeUtf8(prefix)
  const found: Uint8Array[] = []
  for (const leaf of leaves) {
    if ((leaf.fieldInfo(field)?.indexOptions ?? 'none') === 'none') continue
    const terms = leaf.terms(field)
    if (terms === null) continue
    const first = terms.ceilingOf(start)
    const iterator = terms.iterator()
    for (let ord = first; ord < Math.min(terms.termCount, first + most); ord++) {
      iterator.seekOrd(ord)
      const term = iterator.term()
      if (term.length < start.length || compareBytes(term.subarray(0, start.length), start) !== 0)
        break
      found.push(term.slice())
    }
  }
  found.sort(compareBytes)
  const texts = new Set<string>()
  for (const term of found) {
    if (texts.size === most) break
    texts.add(decodeUtf8(term))
  }
  return [...texts]
}
