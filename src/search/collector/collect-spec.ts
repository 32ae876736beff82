/** What a shard's search collects, and what it found: plain records that cross threads. */
import type { Weight } from '../weight/weight.ts'
import type { Demands, Gather, Limits, TopHits } from './gather-plan.ts'
import type { SortValue } from './sort-key.ts'

/** A gather plan as slices read it: its hits and limits side by side, made ready for one shard. */
export interface CollectSpec extends Omit<TopHits, 'kind' | 'postFilter'>, Limits {
  /** Matches that this weight lacks are neither counted nor kept. */
  readonly postFilter: Weight | null
  /** The total, where it follows from statistics alone: nothing is counted then. */
  readonly knownTotal: TotalHits | null
  /** What is gathered beside the hits. */
  readonly others: readonly PreparedGather[]
  readonly demands: Demands
}

/** A gather beside the hits, made ready for a shard: plain data of its kind's own. */
export interface PreparedGather {
  readonly gather: Gather
  readonly ready: unknown
}

/** How many matches there are, exactly or at least. */
export interface TotalHits {
  readonly value: number
  readonly relation: 'eq' | 'gte'
}

/** A part of a leaf: documents in [minDoc, maxDoc). */
export interface LeafPart {
  /** Place of the leaf in the snapshot. */
  readonly leafOrd: number
  readonly minDoc: number
  readonly maxDoc: number
}

/** One hit of a slice. */
export interface SliceHit {
  readonly globalDoc: number
  /** NaN where no score was asked for. */
  readonly score: number
  /** The sort's values; null when sorted by score alone. */
  readonly sort: readonly SortValue[] | null
}

/** What the executor did; cheap integers, always on. */
export interface SliceCounters {
  blocksDecoded: number
  blocksSkipped: number
  /** Runs of documents passed over because their bound could not compete. */
  runsSkipped: number
  // The kernels alone tell the rest.
  /** Windows of disjunctions, stretches of conjunctions, those included that were passed over. */
  windows: number
  /** Postings of which the score was computed. */
  postingsScored: number
  positionsChecked: number
  /** Documents that some clauses proposed and the others were asked about. */
  candidates: number
}

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

/** What one slice found. */
export interface SliceResult {
  /** Best first. */
  readonly hits: readonly SliceHit[]
  /** Matches that this slice counted. */
  readonly hitCount: number
  /** The best score of all its matches; NaN when none was computed. */
  readonly maxScore: number
  readonly timedOut: boolean
  readonly cancelled: boolean
  /** `terminateAfter` was reached. */
  readonly terminatedEarly: boolean
  readonly counters: SliceCounters
  /** What each gather beside the hits found. */
  readonly partials: readonly unknown[]
}
