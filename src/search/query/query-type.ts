/**
 * One kind of query: its names, its rewriting and its weight. Each kind has its own file, and
 * `query-types.ts` is the total table. Runs on the coordinating thread alone; queries themselves
 * are plain data (`query.ts`).
 */
import type { Leaf } from '../../segment/leaf.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import type { GivenCounts } from '../similarity/scored-terms.ts'
import type { ShardTerms } from '../weight/shard-terms.ts'
import type { Similarity } from '../weight/similarity.ts'
import type { WeightNode } from '../weight/weight-node.ts'
import type { FieldSimilarities, Query } from './query.ts'
import type { TermVisitor } from './term-visitor.ts'

/** Queries of one kind. */
export type QueryOf<K extends Query['kind']> = Extract<Query, { readonly kind: K }>

/**
 * Operations on queries of any kind: the files of kinds recurse through these and import no other
 * kind.
 */
export interface QueryOps {
  /** The Lucene class of a query. */
  className(query: Query): string
  /** The query as Lucene prints it. */
  text(query: Query): string
  /** The same, in brackets for a boolean query, as printed inside another query. */
  bracketed(query: Query): string
  /** Clauses of the whole tree, as `indices.query.bool.max_clause_count` counts them. */
  clauseCount(query: Query): number
  /** One round of rewriting, innermost queries first; the same object when no rule applies. */
  rewrite(query: Query): Query
  /** The simplest query with the same documents; the same object when there is no simpler one. */
  unscored(query: Query): Query
  /** Tells what the query looks for in texts. */
  visitTerms(query: Query, visitor: TermVisitor): void
}

/** How a kind makes weights: the shard's leaves and term look-ups, and totals over the tree. */
export interface WeightBuilder {
  readonly leaves: readonly Leaf[]
  readonly terms: ShardTerms
  /** Estimated postings and documents that scorers will pass, over all leaves; kinds add theirs. */
  cost: number
  /** Postings iterators that the scorers of one leaf hold open at once; kinds add theirs. */
  openPostings: number
  /** Notes that scorers will run a script, with its sections. @returns it with what it asks of the shard */
  useScript(script: ScriptPlan): ScriptPlan
  /** Of the query under way; the first of a field counts, without one it is BM25 with its default parameters. */
  similarities: FieldSimilarities
  /**
   * A field's similarity, bound to terms, which score apart.
   * @param boost of the node
   */
  bind(
    field: string,
    termIds: readonly number[],
    boost: number,
    given?: GivenCounts | null,
  ): Similarity | null
  /** The same, bound to terms that score as one. */
  bindAsOne(field: string, termIds: readonly number[], boost: number): Similarity | null
  /** Makes a child node, with its own id and profile entry. */
  child(query: Query, boost: number, scored: boolean, parentId: number): WeightNode
  /** Makes the node of a query that replaces a given one: with its id and description. */
  createAs(id: number, query: Query, boost: number, scored: boolean): WeightNode
}

/** Operations on queries of one kind. */
export interface QueryType<Q extends Query> {
  /** The Lucene class of such a query: a profile's `type`. */
  className(query: Q, of: QueryOps): string
  /** The query as Lucene's `toString` prints it: a profile's `description`. */
  text(query: Q, of: QueryOps): string
  clauseCount(query: Q, of: QueryOps): number
  /**
   * Maps the inner queries through a function; the same object when none changes. Null for a query
   * without inner queries.
   */
  readonly mapInner: ((query: Q, change: (inner: Query) => Query) => Query) | null
  /**
   * Lucene's simplifications, inner queries first; the same object when none applies. Absent: none
   * ever applies.
   */
  rewrite?(query: Q, of: QueryOps): Query
  /** The simplest query with the same documents when no score is read. Absent: the query itself. */
  unscored?(query: Q, of: QueryOps): Query
  /**
   * Tells what the query looks for in texts, which highlighters mark. Absent: nothing.
   * @param query neither rewritten nor `onShard`
   */
  visitTerms?(query: Q, visitor: TermVisitor, of: QueryOps): void
  /**
   * The query with a shard's terms and values resolved (prefixes expanded, date ranges decided).
   * Absent: the same on every shard. Only called for queries without inner queries.
   * @param leaves the shard's whole snapshot; dictionaries and values are loaded as they are read
   */
  onShard?(query: Q, leaves: readonly Leaf[]): Query
  /**
   * Makes the weight's node from the shard's statistics and term look-ups.
   * @param query  rewritten, after `onShard`
   * @param id     the node's ord in the profile
   * @param boost  float32
   * @param scored false when no score of this node will be read
   */
  createWeight(
    query: Q,
    builder: WeightBuilder,
    id: number,
    boost: number,
    scored: boolean,
  ): WeightNode
}
