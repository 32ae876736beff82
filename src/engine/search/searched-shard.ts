import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import type { ShardSearchOutcome } from '../../parallel/search-options.ts'
import type { FetchProfiler } from '../../profile/fetch-profiler.ts'
import type { FoundJoins } from '../../search/query/bind-joins.ts'
import type { TermStatistics } from '../../search/weight/term-statistics.ts'
import type { SearchCall, SearchType } from '../api/searches.ts'
import type { CombinedScores } from '../fetch/combined-scores.ts'
import type { RescoredDocs } from '../fetch/shard-reader.ts'
import type { SuggestEntry } from '../suggest/suggester.ts'
import type { IndexSearch } from './index-search.ts'
import type { ProductionRun } from './production-run.ts'
import type { HeldShard } from './search-targets.ts'

/** Fields of a slow-log line that do not depend on the shard. */
export interface LoggedSearch {
  readonly body: SearchCall['body']
  readonly searchType: SearchType
  readonly groups: readonly string[]
  readonly shardCount: number
  readonly opaqueId: string | null
}

/** A shard that answered. */
export interface SearchedShard {
  readonly search: IndexSearch
  readonly held: HeldShard
  readonly outcome: ShardSearchOutcome
  /** Whether its query came to nothing before it was searched. */
  readonly isEmpty: boolean
  /** The documents that the joins of its queries found. */
  readonly joins: FoundJoins
  /** Statistics that its scores were made of in place of its own; null: none. */
  readonly statistics: TermStatistics | null
  readonly rescored: RescoredDocs
  /** The scores that hits of a hybrid query were combined of; null: nothing tells them. */
  readonly combined: CombinedScores | null
  /** The same without a profile; null where that was not asked for. */
  readonly production: ProductionRun | null
  /** For the slow logs; null: it is in none. */
  readonly logged: LoggedSearch | null
  /** Whether it was searched in slices. */
  readonly concurrent: boolean
  /** Null unless the profile has the fetch phase too. */
  readonly fetchProfiler: FetchProfiler | null
  /** The search for the aggregations of all documents; null: there are none. */
  readonly global: ShardSearchOutcome | null
  /** The searches for the aggregations below samplers, by sampler. */
  readonly replays: ReadonlyMap<Aggregation, ShardSearchOutcome>
  /** Of each aggregation of the request. */
  readonly aggregated: readonly NodePartial[]
  /** Of each suggestion of the request; null: it has none. */
  readonly suggested: readonly (readonly SuggestEntry[])[] | null
}
