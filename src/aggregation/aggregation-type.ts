/**
 * The shape of an aggregation: a plan, which is plain data bound to one index; an aggregator, which
 * collects a slice of a shard into buckets; a reducer of slices, which closes a shard; a reducer of
 * shards, which makes the result. Data of a node lies in columns by bucket, for all buckets of its
 * parent together. Each kind has a folder, and a line in `aggregation-types.ts`.
 */
import type { DocIdIterator } from '../codec/doc-id-iterator.ts'
import type { ScriptRun } from '../script/script-run.ts'
import type { GatherNotes } from '../search/collector/gather.ts'
import type { MatchScope } from '../search/collector/match-scope.ts'
import type { Query } from '../search/query/query.ts'
import type { ScriptPlan } from '../search/script/script-plan.ts'
import type { Weight } from '../search/weight/weight.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { TermFrequencyFilter } from '../segment/uninvert.ts'
import type { BatchTarget } from './bucket-batch.ts'
import type { BucketBudget } from './bucket-budget.ts'
import type { DocCounts } from './doc-counts.ts'
import type { AggregationResult } from './result.ts'

/** Properties of the plans of all kinds. */
export interface AggregationPlan {
  readonly kind: string
  /** As the request names it. */
  readonly name: string
  readonly children: readonly AggregationPlan[]
}

/** The part of its shard that an aggregation may read before slices run. */
export interface AggregationShard {
  readonly leaves: readonly Leaf[]
  /** Whether the node stands at the top, so that it has one owning bucket. */
  readonly isAlone: boolean
  /** Of `search.aggregation.bucket_selection_strategy_factor`; null: no profile tells strategies. */
  readonly selectionFactor: number | null
  /** Notes that slices will read a section of a field, as bits of `sectionBit`. */
  use(field: string, kinds: number): void
  /** Notes that slices will read the terms of a field by document. @param fieldData of analysed text */
  useTerms(field: string, fieldData: TermFrequencyFilter | null): void
  /** Reserves scratch of a leaf, beside that of the columns. */
  reserve(bytes: number): void
  /** Makes the weight of a filter; its sections are noted. */
  weightOf(query: Query): Weight
  /** Notes that slices will run a script; its sections are noted. */
  useScript(script: ScriptPlan): void
}

/** The part of its slice that an aggregator may use. */
export interface AggregationSlice {
  /** The documents of a leaf that a weight of `prepare` matches; null: none. Open until the part's end. */
  matches(weight: Weight, leaf: Leaf, leafOrd: number): DocIdIterator | null
  /**
   * Tells which documents it matches, asked in ascending order; null: none. Open until the part's end.
   * @param most about how many are asked for
   */
  membership(
    weight: Weight,
    leaf: Leaf,
    leafOrd: number,
    most: number,
  ): ((docId: number) => boolean) | null
  /** How many documents may be looked up in such a weight for the cost of `note`; Infinity: it is never worth it. */
  lookUpsOfNoting(weight: Weight, leaf: Leaf, leafOrd: number): number
  /** Notes its documents as bits, at the address of `bitsBytes` in scratch; false where there is no room to do it. */
  note(weight: Weight, leaf: Leaf, leafOrd: number, bits: number): boolean
  /** Limits of the executions of scripts. */
  readonly scripts: ScriptRun
  /** The weights of documents of the open leaf in counts; null: 1 each. */
  docCounts(): DocCounts | null
  /**
   * Charges memory before it is taken.
   * @throws {EngineError} `circuit_breaking_exception`
   */
  charge(bytes: number): void
}

/** How much of a leaf's statistics may be read in place of its documents; 0: nothing. */
export interface CountLimits {
  /** Runs of values of points. */
  readonly maxRuns: number
  /** Terms of a dictionary. */
  readonly maxTerms: number
}

/** An aggregation open on one slice. */
export interface Aggregator extends BatchTarget {
  /**
   * Called before batches of a leaf, after that of its parent; scratch taken here lives until
   * `closeLeaf`.
   * @param ownerLimit of owning buckets until then; Infinity: unknown
   */
  openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void
  /**
   * Counts all matches of a leaf in place of `openLeaf`, where statistics give them; absent: it never does.
   * @param scope  of the search
   * @param limits of what is read for it
   * @returns whether it did: then it gets no batches of the leaf
   */
  countLeaf?(leaf: Leaf, scope: MatchScope, limits: CountLimits): boolean
  /** Limit of its buckets until the open leaf is closed; absent: unknown. */
  readonly bucketLimit?: number
  /** Called after the batches of a leaf; absent: it keeps nothing in scratch. */
  closeLeaf?(): void
  /** Its columns: plain data that may cross threads. */
  finish(): unknown
  /** Its `debug` of the profile, after `finish`. */
  notes(): GatherNotes
}

/** Columns of a node and of the nodes below it, by bucket. */
export interface NodePartial {
  /** Null: the aggregation has seen nothing. */
  readonly own: unknown
  readonly children: readonly NodePartial[]
}

/** Values of a node that buckets may be sorted by. */
export interface Sortable {
  /**
   * A metric, or the document count of a single bucket, of an owning bucket; NaN without one.
   * @param metric null: the only value
   */
  value(owner: number, metric: string | null): number
  /** The single bucket of an owning bucket, −1 without one. */
  bucketOf(owner: number): number
  /** Whether its values are known once a second pass is over, so that shards cannot sort by them. */
  readonly isLate?: boolean
}

/** Merges the slices of a shard. */
export interface SliceReducer extends Sortable {
  /**
   * Adds the columns of a slice.
   * @param owners the owning bucket here by owning bucket there
   * @returns the bucket here by bucket there
   */
  add(own: unknown, owners: Int32Array): Int32Array
  /**
   * Sees the columns of each slice before any is added; absent: each is added at once.
   * @param owners as those of `add`
   */
  survey?(own: unknown, owners: Int32Array): void
  /**
   * The columns of a shard, cut to its best buckets.
   * @param owners the owning buckets that stay, in their new order
   * @returns the columns, and the buckets that stay in their new order
   */
  close(owners: Int32Array): { readonly own: unknown; readonly buckets: Int32Array }
}

/** Merges shards into results. */
export interface ShardReducer extends Sortable {
  /**
   * Adds the columns of a shard, as `SliceReducer` those of a slice.
   * @param shard its ord among those that are merged
   */
  add(own: unknown, owners: Int32Array, shard: number): Int32Array
  /**
   * Sees the columns of each shard before any is added; absent: each is added at once.
   * @param owners as those of `add`
   */
  survey?(own: unknown, owners: Int32Array): void
  /** The result in one owning bucket, which no shard may have seen. */
  result(owner: number): AggregationResult
}

/** A node below another one while slices or shards are merged. */
export interface ReducedChild extends Sortable {
  readonly name: string
  readonly children: readonly ReducedChild[]
}

/** A node below another one while shards are merged. */
export interface ReducedChildren {
  readonly nodes: readonly ReducedChild[]
  /**
   * The results of all nodes in a bucket, in order of the request.
   * @param bucket −1: one that no shard has seen
   */
  results(bucket: number): Map<string, AggregationResult>
}

/** The shards that are merged. */
export interface ReducedShards {
  /** How many they are. */
  readonly count: number
  /** Whether some index has the field. */
  readonly isMapped: boolean
  /** Buckets of the answer are taken from it before they are made. */
  readonly budget: BucketBudget
}

/**
 * A kind of aggregation.
 * @typeParam A its plan  @typeParam R what slices read beside it, plain data
 */
export interface AggregationType<A extends AggregationPlan, R> {
  /**
   * The children that see some documents alone, which are known once the shard's slices are merged: the
   * node's columns are `ClosedSamples`, and a second pass collects these. Null, or absent: it needs none.
   */
  deferred?(plan: A): readonly AggregationPlan[] | null
  /** Whether a second search has it in place of a node of the request, which profiles show; absent: it is one. */
  readonly isStandIn?: true
  /** The field by whose points it may count the matches of a leaf; null, or absent: by none. */
  countsBy?(plan: A): string | null
  /** The number of steps by which the points of a leaf give its buckets; null: they do not. Absent: only counting it tells. */
  pointSteps?(plan: A, leaf: Leaf, scope: MatchScope, maxRuns: number): number | null
  /** The field by whose dictionary it may count all documents of a leaf; null, or absent: by none. */
  countsByTerms?(plan: A): string | null
  /** Whether it reads the scores of documents. */
  readsScores(plan: A): boolean
  /** Its `type` in profiles. */
  className(plan: A, ready: R): string
  prepare(plan: A, shard: AggregationShard): R
  open(plan: A, ready: R, children: readonly Aggregator[], slice: AggregationSlice): Aggregator
  sliceReducer(
    plan: A,
    ready: R,
    leaves: readonly Leaf[],
    children: readonly ReducedChild[],
  ): SliceReducer
  /**
   * @param plans of the indices that have the field, or one of an index that lacks it
   * @throws {EngineError} `aggregation_execution_exception`: they do not fit together
   */
  shardReducer(plans: readonly A[], children: ReducedChildren, shards: ReducedShards): ShardReducer
}

/** The notes of an aggregator that has none. */
export const NO_NOTES: GatherNotes = {}

/** For nodes without buckets of their own. */
export const NO_BUCKETS: Int32Array = new Int32Array(0)
