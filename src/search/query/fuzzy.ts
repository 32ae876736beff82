import { LevenshteinAutomaton } from '../../util/automaton/levenshtein.ts'
import { acceptedTerms, multiTermWeight } from './multi-term-weight.ts'
import { type FuzzyQuery, matchNone, type Query } from './query.ts'
import type { QueryType } from './query-type.ts'
import { expanded } from './term-expansion.ts'
import { acceptedBy } from './term-visitor.ts'

/** Documents with a term that differs from a given one by a few edits. */
export const fuzzyQuery: QueryType<FuzzyQuery> = {
  className: ({ rewrite }) =>
    rewrite.kind === 'constant' ? 'MultiTermQueryConstantScoreBlendedWrapper' : 'FuzzyQuery',
  text: ({ field, start, term, maxEdits }) => `${field}:${start}${term}~${maxEdits}`,
  clauseCount: () => 1,
  mapInner: null,
  visitTerms: (query, visitor, of) =>
    visitor.termsLike(query.field, of.text(query), acceptedBy(compile(query).automaton)),
  onShard(query, leaves): Query {
    const { field, rewrite } = query
    if (rewrite.kind === 'constant') return query
    const { automaton, startLength, length } = compile(query)
    const similarityOf = (term: Uint8Array, edits: number): number => {
      if (edits === 0) return 1
      const shorter = Math.min(length, countPoints(term) - startLength)
      return Math.max(0, Math.fround(1 - Math.fround(edits / shorter)))
    }
    const found = expanded(field, rewrite, automaton, similarityOf, leaves)
    return found.kind === 'boolean' && found.clauses.length === 0
      ? matchNone('empty BooleanQuery')
      : found
  },
  createWeight(query, builder, id, boost) {
    const { field, start, term, maxEdits, prefixLength, transpositions } = query
    const key = `f${JSON.stringify([start, term, maxEdits, prefixLength, transpositions])}`
    const terms = acceptedTerms(key, compile(query).automaton)
    return multiTermWeight(builder, field, id, boost, terms)
  },
}

function compile({ start, term, maxEdits, prefixLength, transpositions }: FuzzyQuery): {
  automaton: LevenshteinAutomaton
  startLength: number
  length: number
} {
  const before = [...start].map(char => char.codePointAt(0)!)
  const word = [...term].map(char => char.codePointAt(0)!)
  const fixed = before.length + Math.min(prefixLength, word.length)
  return {
    automaton: new LevenshteinAutomaton([...before, ...word], maxEdits, fixed, transpositions),
    startLength: before.length,
    length: word.length,
  }
}

/** Code points of a term in UTF-8. */
function countPoints(term: Uint8Array): number {
  let count = 0
  for (const byte of term) if ((byte & 0xc0) !== 0x80) count++
  return count
}
