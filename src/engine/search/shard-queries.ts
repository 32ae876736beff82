import type { Settings } from '../../schema/settings.ts'
import type { TermStatistics } from '../../search/weight/term-statistics.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { Node } from '../node/node.ts'
import type { CacheWish } from './cached-query.ts'
import type { SearchRequest } from './search-request.ts'
import type { LoggedSearch } from './searched-shard.ts'

/** Parameters common to the queries of all shards of a call. */
export interface ShardQueries {
  readonly node: Node
  readonly request: SearchRequest
  /** The cluster settings that hold. */
  readonly cluster: Settings
  /** On the clock of `nowInNanos`; 0: none. */
  readonly deadline: number
  readonly signal: Cancellation
  /** Slices that the call asks for; undefined: as the settings say. */
  readonly slices: number | undefined
  /** Queues of hits are charged to it. */
  readonly charge: Charge
  /** Statistics of all shards, in place of those of each; null: each scores by its own. */
  readonly statistics: TermStatistics | null
  /** Null: nothing may be cached. */
  readonly caching: CacheWish | null
  /** Whether what a shard has found when its time is over is an answer; else it has failed. */
  readonly allowsPartial: boolean
  /** For the slow logs; null: it is in none. */
  readonly logged: LoggedSearch | null
}
