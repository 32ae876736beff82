/** Scrolls and points in time: snapshots that are held from one call to the next. */
import type { CallContext } from '../../task/call-context.ts'
import type { SearchOutcome } from './searches.ts'
import type { IndexSegments } from './shards.ts'
import type { ShardCounts, Target } from './target.ts'

/** Asks for the next page of a scroll. */
export interface NextPage {
  /** Null: the request names none. */
  readonly scrollId: string | null
  /** Null: the cluster's default. */
  readonly keepAliveInMillis: number | null
  readonly totalAsInt: boolean
}

/** Ends scrolls. */
export interface ClearScrolls {
  /** Ids, or `_all` alone. */
  readonly ids: readonly string[]
}

/** Holds the snapshots of now. */
export interface CreatePointInTime {
  readonly target: Target
  /** Null: the request names none, which is refused. */
  readonly keepAliveInMillis: number | null
  /** Whether shards may be missing; undefined: as the cluster allows searches. */
  readonly allowsPartial: boolean | undefined
  readonly routing: readonly string[] | undefined
  readonly preference: string | undefined
}

/** A point in time that has been made. */
export interface OpenedPointInTime {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAtInMillis: number
  readonly shards: ShardCounts
}

/** A point in time that is open. */
export interface OpenPointInTime {
  readonly id: string
  readonly createdAtInMillis: number
  readonly keepAliveInMillis: number
}

/** A point in time that there is none of any more. */
export interface DeletedPointInTime {
  readonly id: string
  readonly isSuccessful: boolean
}

/** Calls on scrolls and points in time. */
export interface SearchContextsApi {
  /** Stops at its next check when the context is cancelled, and rejects. */
  nextPage(call: NextPage, context: CallContext): Promise<SearchOutcome>
  /** Resolves to the number of shards whose snapshots were given back. */
  clearScrolls(call: ClearScrolls, context: CallContext): Promise<number>
  createPointInTime(call: CreatePointInTime, context: CallContext): Promise<OpenedPointInTime>
  /** Oldest first. */
  pointsInTime(context: CallContext): Promise<readonly OpenPointInTime[]>
  /**
   * The segments that points in time hold; those of a shard that several hold once for each.
   * @param ids null: all
   */
  segmentsOfPoints(
    ids: readonly string[] | null,
    context: CallContext,
  ): Promise<readonly IndexSegments[]>
  /** @param ids null: all */
  deletePointsInTime(
    ids: readonly string[] | null,
    context: CallContext,
  ): Promise<readonly DeletedPointInTime[]>
}
