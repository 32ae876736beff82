/** What a shard's search collects, and what it found: plain records that cross threads. */
import type { PointEncoding } from '../query/point-value.ts'
import type { Weight } from '../weight/weight.ts'

/** Which of a document's several values counts. */
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median'

/** One level of a sort; documents that are equal on all stand in order of their ids. */
export type SortKey =
  | { readonly kind: 'score'; readonly descending: boolean }
  | { readonly kind: 'doc'; readonly descending: boolean }
  | {
      readonly kind: 'number'
      readonly field: string
      readonly encoding: PointEncoding
      /** What a value is divided by where it stands beside another field's; 1 but for scaled floats. */
      readonly scale: number
      readonly descending: boolean
      /** The sortable value of a document without one. */
      readonly missing: bigint
      readonly mode: SortMode
    }
  | {
      readonly kind: 'keyword'
      readonly field: string
      readonly descending: boolean
      /** Where documents without a value stand, or the term that stands in for it. */
      readonly missing: 'first' | 'last' | Uint8Array
      readonly mode: 'min' | 'max'
    }

/**
 * A hit's value on one level: the score, the global document, the sortable integer of a number, a
 * keyword's bytes or null where it has none.
 */
export type SortValue = number | bigint | Uint8Array | null

/** Everything that a slice needs to know about what to keep. */
export interface CollectSpec {
  /** How many hits to keep: `from` + `size`; 0 only counts. */
  readonly topCount: number
  /** Null: by score, highest first. */
  readonly sort: readonly SortKey[] | null
  /**
   * Only what comes after these values of the sort's levels is kept (without a sort: after this
   * score); null keeps all.
   */
  readonly searchAfter: readonly SortValue[] | null
  /** Hits are counted up to here and a little beyond; Infinity counts all, −1 none. */
  readonly trackTotalHits: number
  /** With a sort: whether hits carry scores, and the best one of all matches is wanted. */
  readonly trackScores: boolean
  readonly minScore: number | null
  /** Matches that this one lacks are neither counted nor kept. */
  readonly postFilter: Weight | null
  /** Stop at this many matches per shard; 0: never. */
  readonly terminateAfter: number
  /** When to stop, on the clock of `nowInNanos`; 0: never. */
  readonly deadline: number
  /** The total, where it follows from statistics alone: nothing is counted then. */
  readonly knownTotal: TotalHits | null
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
}

/** Whether scorers may leave out what cannot compete: hits by score, and nobody who sees them all. */
export function mayPrune(
  spec: Pick<
    CollectSpec,
    'topCount' | 'sort' | 'searchAfter' | 'terminateAfter' | 'trackTotalHits'
  >,
): boolean {
  return (
    spec.topCount > 0 &&
    spec.sort === null &&
    spec.searchAfter === null &&
    spec.terminateAfter === 0 &&
    spec.trackTotalHits !== Number.POSITIVE_INFINITY
  )
}

/** Whether anything in the search reads scores. */
export function needsScores(
  spec: Pick<CollectSpec, 'minScore' | 'trackScores' | 'topCount' | 'sort'>,
): boolean {
  if (spec.minScore !== null || spec.trackScores) return true
  if (spec.topCount === 0) return false
  return spec.sort === null || spec.sort.some(key => key.kind === 'score')
}
