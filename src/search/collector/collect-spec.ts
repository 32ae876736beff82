/** Plan and results of a shard's search: plain records that cross threads. */
import type { Leaf } from '../../segment/leaf.ts'
import type { SortValue } from '../sort/sort-key.ts'
import type { Weight } from '../weight/weight.ts'
import type { Demands, Gather, Limits, TopHits } from './gather-plan.ts'

/** A gather plan as slices read it: hits and limits in one record, prepared for one shard. */
export interface CollectSpec extends Omit<TopHits, 'kind' | 'postFilter'>, Limits {
  /** Matches outside this weight are neither counted nor kept. */
  readonly postFilter: Weight | null
  /** By level of the sort, the nested documents whose values it reads; null: the hit's own. */
  readonly nested: readonly (Weight | null)[]
  /** The total when statistics give it: nothing is counted then. */
  readonly knownTotal: TotalHits | null
  /** Gathers beside the hits. */
  readonly others: readonly PreparedGather[]
  /** Sub-queries of a hybrid query, the hits of each of which are listed; 0: hits are in one list. */
  readonly lists: number
  readonly demands: Demands
  /**
   * Matches of every leaf come in the order of the sort, and only the best are asked for: a leaf is done with
   * the first that is not competitive.
   */
  readonly isInLeafOrder: boolean
}

/** A gather beside the hits, prepared for a shard: plain data whose form its kind defines. */
export interface PreparedGather {
  readonly gather: Gather
  readonly ready: unknown
}

/** Number of matches: exact or a lower bound. */
export interface TotalHits {
  readonly value: number
  readonly relation: 'eq' | 'gte'
}

/** A part of a leaf: documents in [minDoc, maxDoc). */
export interface LeafPart {
  /** Ord of the leaf in the snapshot. */
  readonly leafOrd: number
  readonly minDoc: number
  readonly maxDoc: number
}

/** Whether a part is all of its leaf. */
export function isWholeLeaf({ minDoc, maxDoc }: LeafPart, leaf: Leaf): boolean {
  return minDoc === 0 && maxDoc === leaf.maxDoc
}

/** One hit of a slice. */
export interface SliceHit {
  readonly globalDoc: number
  /** NaN when scores were not asked for. */
  readonly score: number
  /**
   * The sort's values, and behind them the value of the group where hits are collapsed; null when
   * sorted by score alone.
   */
  readonly sort: readonly SortValue[] | null
}

/** Counters of the executor; cheap integers, always on. */
export interface SliceCounters {
  blocksDecoded: number
  blocksSkipped: number
  /** Runs of documents skipped because their bound was not competitive. */
  runsSkipped: number
  // Only the kernels count the following.
  /** Windows of disjunctions and blocks of conjunctions, skipped ones included. */
  windows: number
  /** Postings that were scored. */
  postingsScored: number
  positionsChecked: number
  /** Documents that essential clauses proposed and the others were probed with. */
  candidates: number
}

/** Counters that are all 0. */
export function noCounts(): SliceCounters {
  return {
    blocksDecoded: 0,
    blocksSkipped: 0,
    runsSkipped: 0,
    windows: 0,
    postingsScored: 0,
    positionsChecked: 0,
    candidates: 0,
  }
}

/** Adds `from` to `to`. */
export function addCounts(to: SliceCounters, from: SliceCounters): void {
  to.blocksDecoded += from.blocksDecoded
  to.blocksSkipped += from.blocksSkipped
  to.runsSkipped += from.runsSkipped
  to.windows += from.windows
  to.postingsScored += from.postingsScored
  to.positionsChecked += from.positionsChecked
  to.candidates += from.candidates
}

/** The findings of one slice. */
export interface SliceResult {
  /** Best first. */
  readonly hits: readonly SliceHit[]
  /** The hits of each sub-query of a hybrid query, in place of `hits`; absent: it is none. */
  readonly lists?: readonly (readonly SliceHit[])[]
  /** Matches that this slice counted. */
  readonly hitCount: number
  /** Max score of all its matches; NaN when none was computed. */
  readonly maxScore: number
  readonly timedOut: boolean
  readonly cancelled: boolean
  /** `terminateAfter` was reached. */
  readonly terminatedEarly: boolean
  readonly counters: SliceCounters
  /** Findings of each gather beside the hits. */
  readonly partials: readonly unknown[]
}
