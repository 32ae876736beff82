/**
 * A kind of query: its names, its rewriting and its weight. Each kind has a file of its own beside
 * this one, and `query-types.ts` is the total table of them. Used on the coordinating thread alone;
 * queries themselves are plain data (`query.ts`).
 */
import type { Leaf } from '../../segment/leaf.ts'
import type { ShardTerms } from '../weight/shard-terms.ts'
import type { WeightNode } from '../weight/weight.ts'
import type { Query } from './query.ts'

/** Queries of one kind. */
export type QueryOf<K extends Query['kind']> = Extract<Query, { readonly kind: K }>

/** Operations on a query of any kind: kinds' files descend through these and import no other kind. */
export interface QueryOps {
  /** The query as Lucene prints it. */
  text(query: Query): string
  /** The same, in brackets where it is a boolean query, as it stands within another query. */
  bracketed(query: Query): string
  /** Clauses of the whole tree, as `indices.query.bool.max_clause_count` counts them. */
  clauseCount(query: Query): number
  /** One round of rewriting, from the innermost queries out; the same object when no rule applies. */
  rewrite(query: Query): Query
  /** The simplest query with the same documents; the same object when there is no simpler one. */
  unscored(query: Query): Query
}

/** What a kind's file makes weights with: the shard's leaves and look-ups, and sums over the tree. */
export interface WeightBuilder {
  readonly leaves: readonly Leaf[]
  readonly terms: ShardTerms
  /** Postings and documents that scorers will pass, roughly, over all leaves; kinds add theirs. */
  cost: number
  /** Postings iterators that the scorers of one leaf hold open at once; kinds add theirs. */
  openPostings: number
  /** Makes a node below another one, with an id and an entry in the profile of its own. */
  child(query: Query, boost: number, scored: boolean, parentId: number): WeightNode
  /** Makes the node of a query that stands for the given one: under its id and its description. */
  inPlaceOf(id: number, query: Query, boost: number, scored: boolean): WeightNode
}

/** What is done with queries of one kind. */
export interface QueryType<Q extends Query> {
  /** The class that runs such a query in the real engine: a profile's `type`. */
  className(query: Q): string
  /** The query as Lucene's `toString` prints it: a profile's `description`. */
  text(query: Q, of: QueryOps): string
  clauseCount(query: Q, of: QueryOps): number
  /**
   * Puts the queries that this one is made of through a function; the same object where none of them
   * changes. Null for a query that is made of no others.
   */
  readonly mapInner: ((query: Q, change: (inner: Query) => Query) => Query) | null
  /**
   * Lucene's simplifications, inner queries first. The same object when none applies; without the
   * member, none ever does.
   */
  rewrite?(query: Q, of: QueryOps): Query
  /** The simplest query with the same documents where no score is read; without the member, itself. */
  unscored?(query: Q, of: QueryOps): Query
  /**
   * The query once a shard's terms and values are known (expanded prefixes, decided date ranges);
   * without the member it is the same on every shard. Only asked of queries made of no others.
   * @param leaves the shard's whole snapshot; dictionaries and values are loaded as they are read
   */
  onShard?(query: Q, leaves: readonly Leaf[]): Query
  /**
   * The weight's node, with statistics and term look-ups of the shard.
   * @param query  rewritten, and as `onShard` made it
   * @param id     the node's ord in the profile
   * @param boost  float32
   * @param scored false where no score of this node will be read
   */
  createWeight(
    query: Q,
    builder: WeightBuilder,
    id: number,
    boost: number,
    scored: boolean,
  ): WeightNode
}
