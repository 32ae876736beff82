/** The terms of patterns and fuzzy queries the plain way: each term of each document is compared. */
import type { FuzzyQuery, PatternQuery, Query } from '../../src/search/query/query.ts'
import { compareBytes, encodeUtf8 } from '../../src/util/bytes.ts'
import { tokensOf } from './plain-bm25.ts'
import type { PlainDocument } from './plain-leaf.ts'

const f32 = Math.fround

/** The query that stands for the terms which match. */
export function plainExpansion(
  query: PatternQuery | FuzzyQuery,
  documents: readonly PlainDocument[],
): Query {
  const { field, rewrite } = query
  const counts = new Map<string, number>()
  for (const document of documents)
    for (const term of new Set(tokensOf(document, field)))
      counts.set(term, (counts.get(term) ?? 0) + 1)
  const byBytes = (a: string, b: string): number => compareBytes(encodeUtf8(a), encodeUtf8(b))
  let found = [...counts.keys()]
    .map(term => ({ term, similarity: similarityOf(query, term) }))
    .filter(({ similarity }) => similarity !== null)
    .sort((a, b) => b.similarity! - a.similarity! || byBytes(a.term, b.term))
  if (rewrite.kind !== 'constant') found = found.slice(0, rewrite.max)
  found.sort((a, b) => byBytes(a.term, b.term))
  const most = Math.max(...found.map(({ term }) => counts.get(term)!))
  const clauses = found.map(({ term, similarity }) => {
    const plain: Query = { kind: 'term', field, term }
    const inner: Query =
      rewrite.kind === 'topTermsBlended'
        ? { ...plain, counts: { docFreq: most, occurrences: found.map(({ term }) => term) } }
        : rewrite.kind === 'topTermsBoost'
          ? { kind: 'constantScore', query: plain }
          : plain
    // Terms that share no letter score nothing.
    const zero: Query = { kind: 'constantScore', query: inner }
    const boosted = similarity === 0 ? zero : inner
    return {
      occur: 'should' as const,
      query: { kind: 'boost', query: boosted, boost: similarity! },
    }
  })
  const any = { kind: 'boolean', clauses, minimumShouldMatch: 0 } as Query
  return rewrite.kind === 'constant' || rewrite.kind === 'constantClauses'
    ? { kind: 'constantScore', query: any }
    : any
}

/** The terms of an expansion, in order of bytes. */
export function termsOf(query: Query): readonly string[] {
  switch (query.kind) {
    case 'boost':
    case 'constantScore':
      return termsOf(query.query)
    case 'boolean':
      return query.clauses.flatMap(clause => termsOf(clause.query))
    case 'term':
      return [query.term]
    default:
      return []
  }
}

function similarityOf(query: PatternQuery | FuzzyQuery, term: string): number | null {
  if (query.kind === 'pattern') return regexOf(query).test(term) ? 1 : null
  const { start, maxEdits, prefixLength, transpositions } = query
  if (!term.startsWith(start)) return null
  const [a, b] = [[...query.term], [...term.slice(start.length)]]
  const fixed = Math.min(prefixLength, a.length)
  if (a.slice(0, fixed).join('') !== b.slice(0, fixed).join('')) return null
  const edits = editDistance(a.slice(fixed), b.slice(fixed), transpositions)
  if (edits > maxEdits) return null
  const shorter = Math.min(a.length, b.length)
  return edits === 0 ? 1 : Math.max(0, f32(1 - f32(edits / shorter)))
}

/** Edits between two texts; two swapped neighbours, which nothing else touches, may be one. */
export function editDistance(a: readonly string[], b: readonly string[], swaps: boolean): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same)
      if (swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = edits
    }
  return rows[a.length]![b.length]!
}

/** The pattern as a regular expression of the language; those of tests mean the same in both. */
function regexOf({ start, pattern, ignoresCase }: PatternQuery): RegExp {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const flags = ignoresCase ? 'sui' : 'su'
  const { kind, text } = pattern
  const body =
    kind === 'regexp'
      ? text
      : kind !== 'wildcard'
        ? literal(text) + (kind === 'prefix' ? '.*' : '')
        : [...text.matchAll(/\\(.)|([?*])|./gsu)]
            .map(([whole, escaped, wild]) =>
              wild === undefined ? literal(escaped ?? whole) : wild === '?' ? '.' : '.*',
            )
            .join('')
  return new RegExp(`^${literal(start)}(?:${body})$`, flags)
}
