import type { ShardSearchOptions } from '../../parallel/search-options.ts'
import type { Query } from '../../search/query/query.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** Parameters of the searches that joins run. */
export interface JoinCall {
  readonly snapshot: Snapshot
  readonly options: ShardSearchOptions
  readonly maxClauseCount: number
  /** The index as the caller sees it. */
  readonly view: IndexView
  /** The documents among which others are found, and on which scripts run; null: all. */
  readonly visible: Query | null
  readonly signal: Cancellation
  /** Matches are charged to it. */
  readonly charge: Charge
}
