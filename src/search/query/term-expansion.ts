/**
 * Queries that stand for many terms, once the terms are known, as clauses with a score each. Which terms
 * they are depends on the shard's terms alone, not on its segments.
 */
import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes, decodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { tellMatching } from './dictionary-matches.ts'
import type { TermAutomaton } from './matching-terms.ts'
import { type BooleanClause, boosted, type Query, type TermRewrite } from './query.ts'

/** A term of the shard that matches. */
interface FoundTerm {
  readonly bytes: Uint8Array
  docFreq: number
  /** How similar it is to what was asked for: up to 1. */
  readonly similarity: number
}

/**
 * The clauses that a query's terms become.
 * @param similarityOf of a term and its edits, float32; null: all are alike
 * @throws {EngineError} `too_many_clauses`
 */
export function expanded(
  field: string,
  rewrite: Exclude<TermRewrite, { kind: 'constant' }>,
  automaton: TermAutomaton,
  similarityOf: ((term: Uint8Array, edits: number) => number) | null,
  leaves: readonly Leaf[],
): Query {
  const mustFit = rewrite.kind === 'constantClauses' || rewrite.kind === 'scoringClauses'
  // Where all terms are alike, no leaf need tell more than its first ones.
  const perLeaf = mustFit
    ? rewrite.max + 1
    : similarityOf === null
      ? rewrite.max
      : Number.POSITIVE_INFINITY
  const found = new Map<string, FoundTerm>()
  for (const leaf of leaves) {
    if ((leaf.fieldInfo(field)?.indexOptions ?? 'none') === 'none') continue
    let count = 0
    tellMatching(leaf, field, automaton, (bytes, docFreq, edits) => {
      if (++count > perLeaf) return false
      const text = decodeUtf8(bytes)
      const known = found.get(text)
      if (known !== undefined) known.docFreq += docFreq
      else {
        const similarity = similarityOf === null ? 1 : similarityOf(bytes, edits)
        found.set(text, { bytes: bytes.slice(), docFreq, similarity })
      }
      return true
    })
  }
  if (mustFit && found.size > rewrite.max)
    throw new EngineError({
      type: 'too_many_clauses',
      reason: `maxClauseCount is set to ${rewrite.max}`,
    })
  const byBytes = ([, a]: [string, FoundTerm], [, b]: [string, FoundTerm]): number =>
    compareBytes(a.bytes, b.bytes)
  let terms = [...found]
  if (!mustFit && terms.length > rewrite.max)
    terms = terms
      .sort((a, b) => b[1].similarity - a[1].similarity || byBytes(a, b))
      .slice(0, rewrite.max)
  return asClauses(field, rewrite, terms.sort(byBytes))
}

function asClauses(
  field: string,
  { kind }: TermRewrite,
  terms: readonly (readonly [string, FoundTerm])[],
): Query {
  const most = terms.reduce((max, [, { docFreq }]) => Math.max(max, docFreq), 0)
  const counts = { docFreq: most, occurrences: terms.map(([term]) => term) }
  const clauses = terms.map(([term, { similarity }]): BooleanClause => {
    const query: Query =
      kind === 'topTermsBlended'
        ? { kind: 'term', field, term, counts }
        : { kind: 'term', field, term }
    if (kind === 'constantClauses') return { occur: 'should', query }
    const scored: Query = kind === 'topTermsBoost' ? { kind: 'constantScore', query } : query
    return { occur: 'should', query: boosted(scored, similarity) }
  })
  const query: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  return kind === 'constantClauses' ? { kind: 'constantScore', query } : query
}
