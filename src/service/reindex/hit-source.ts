/** Pages of matches, from this node or from another one. */
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { Long } from '../../util/long.ts'

/** A match. */
export interface FoundHit {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  readonly version: Long
  /** Null: the source does not tell. */
  readonly seqNo: Long | null
  readonly primaryTerm: Long | null
  /** Null: the document has none. */
  readonly source: Uint8Array | null
}

/** A shard that failed while matches were looked for. */
export interface SearchFailure {
  readonly shard: number | null
  readonly index: string | null
  readonly node: string | null
  /** In wire form. */
  readonly reason: JsonRecord
  readonly status: number
}

/** One page. */
export interface HitPage {
  /** Matches of all pages. */
  readonly total: number
  readonly isTimedOut: boolean
  readonly failures: readonly SearchFailure[]
  /** Empty behind the last page. */
  readonly hits: readonly FoundHit[]
}

/** Pages that are asked for one after the other. */
export interface HitSource {
  first(): Promise<HitPage>
  /** @param waitInMillis of the caller before this page, for which the snapshots are kept too */
  next(waitInMillis: number): Promise<HitPage>
  /** Gives the snapshots back; idempotent. */
  close(): Promise<void>
}
