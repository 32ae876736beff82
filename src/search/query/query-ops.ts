/**
 * Operations on queries of any kind, dispatched by the table: naming, counting, rewriting.
 * Recursion depth is that of the request, which its parser limits.
 */
import type { Leaf } from '../../segment/leaf.ts'
import type { Query } from './query.ts'
import type { QueryOps } from './query-type.ts'
import { typeOf } from './query-types.ts'
import type { TermVisitor } from './term-visitor.ts'

/** The Lucene class of such a query. */
export function classNameOf(query: Query): string {
  return typeOf(query).className(query, OPS)
}

/** The query as Lucene prints it. */
export function queryText(query: Query): string {
  return typeOf(query).text(query, OPS)
}

/**
 * The query as Lucene prints it, but for queries that have a name of their own.
 * @param nameOf null leaves a query, which may lie within others, to its kind
 */
export function queryTextWith(query: Query, nameOf: (query: Query) => string | null): string {
  const text = (inner: Query): string => nameOf(inner) ?? typeOf(inner).text(inner, ops)
  const bracketed = (inner: Query): string =>
    inner.kind === 'boolean' ? `(${text(inner)})` : text(inner)
  const ops = { ...OPS, text, bracketed }
  return text(query)
}

/** Clauses of the whole tree; a phrase counts each term. */
export function clauseCount(query: Query): number {
  return typeOf(query).clauseCount(query, OPS)
}

/** Every rule shrinks the query or moves a clause one way: the cap only guards against a defect. */
const MAX_ROUNDS = 64

/**
 * Rewrites until nothing changes.
 *
 * @param needsScores false wraps the result into a `ConstantScoreQuery` (a search of size 0, a sort
 *                 without `_score`), which the profile of such a search shows
 */
export function rewrite(query: Query, needsScores: boolean): Query {
  let current: Query = needsScores ? query : { kind: 'constantScore', query }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = rewriteOnce(current)
    if (next === current) break
    current = next
  }
  return needsScores || current.kind === 'constantScore' || current.kind === 'matchNone'
    ? current
    : { kind: 'constantScore', query: current }
}

function rewriteOnce(query: Query): Query {
  const type = typeOf(query)
  return type.rewrite === undefined ? query : type.rewrite(query, OPS)
}

function unscored(query: Query): Query {
  const type = typeOf(query)
  return type.unscored === undefined ? query : type.unscored(query, OPS)
}

/**
 * The query with a shard's terms and values resolved; the same object when they change nothing.
 * @param leaves the shard's whole snapshot; dictionaries and values are loaded as they are read
 */
export function onShard(query: Query, leaves: readonly Leaf[]): Query {
  const type = typeOf(query)
  if (type.mapInner !== null) return type.mapInner(query, inner => onShard(inner, leaves))
  return type.onShard === undefined ? query : type.onShard(query, leaves)
}

/**
 * The query with the words that its `more_like_this` queries choose on a shard; the same object where
 * it has none of these.
 */
export function withChosenWords(query: Query, leaves: readonly Leaf[]): Query {
  if (query.kind === 'moreLikeThis') return onShard(query, leaves)
  const { mapInner } = typeOf(query)
  return mapInner === null ? query : mapInner(query, inner => withChosenWords(inner, leaves))
}

/** Tells what a query looks for in texts, clauses that must not match left out. */
export function visitTerms(query: Query, visitor: TermVisitor): void {
  typeOf(query).visitTerms?.(query, visitor, OPS)
}

const OPS: QueryOps = {
  className: classNameOf,
  text: queryText,
  bracketed: query => (query.kind === 'boolean' ? `(${queryText(query)})` : queryText(query)),
  clauseCount,
  rewrite: rewriteOnce,
  unscored,
  visitTerms,
}
