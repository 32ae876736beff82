/** Calls that scroll through the matches of a search and write: reindex, update and delete by query. */
import type { VersionType } from '../../engine/api/documents.ts'
import type { RequestedScript } from '../../engine/api/scripts.ts'
import type { SearchOptions } from '../../engine/api/searches.ts'
import type { ActiveShards, Target } from '../../engine/api/target.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import type { RemoteServer } from './remote-server.ts'

/** The matches that are gone through. */
export interface SearchedSource {
  readonly target: Target
  /** Body of the search, without size and slice. */
  readonly body: JsonObjectNode
  readonly options: SearchOptions
}

/** Options that the calls share. */
export interface ByScrollCall {
  readonly source: SearchedSource
  /** Documents of a page, min 1. */
  readonly batchSize: number
  /** Documents that are written in all; null: every match. */
  readonly maxDocs: number | null
  /** Whether a conflict of versions ends it; if not, it is counted. */
  readonly abortsOnConflict: boolean
  /** Whether the indices that it wrote to are refreshed at its end. */
  readonly refreshes: boolean
  /** Per batch, as of a bulk. */
  readonly timeoutInMillis: number
  readonly waitForActiveShards: ActiveShards | null
  /** Above 0; Infinity: not throttled. */
  readonly requestsPerSecond: number
  /** Parts that run at the same time; `auto`: as many as the source with the fewest shards has, max 20. */
  readonly slices: number | 'auto'
  /** How long a page is waited for before its scroll ends. */
  readonly scrollInMillis: number
}

/** The documents' new home. */
export interface Destination {
  readonly index: string
  readonly opType: 'index' | 'create'
  /** `internal` overwrites; others take the version of the source. */
  readonly versionType: VersionType
  readonly pipeline: string | null
  /** `keep` takes that of the source, `discard` none, anything else is itself the routing behind `=`. */
  readonly routing: string
  readonly requireAlias: boolean
}

/** Copies matches into an index. */
export interface ReindexCall extends ByScrollCall {
  /** Where the matches are; null: here. */
  readonly remote: RemoteServer | null
  readonly dest: Destination
  readonly script: RequestedScript | null
}

/** Writes matches anew, in their place. */
export interface UpdateByQueryCall extends ByScrollCall {
  readonly pipeline: string | null
  readonly script: RequestedScript | null
}

/** Deletes matches. */
export type DeleteByQueryCall = ByScrollCall
