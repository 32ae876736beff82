import type { NodeInfo, NodeUse } from '../../../engine/api/cluster.ts'
import type { MachineUse } from '../../../engine/api/machine.ts'
import type { IngestStats } from '../../../engine/api/pipelines.ts'
import type { SearchPipelineStats } from '../../../engine/api/search-pipelines.ts'
import type { IndexStats } from '../../../engine/api/stats.ts'
import type { ConnectionCounts, RefusalCounts } from '../../endpoint.ts'
import type { CacheLevel } from './cache-section.ts'

/** The sources of a section. */
export interface NodeStatSource {
  readonly info: NodeInfo
  readonly use: NodeUse
  /** Measured with the first section that asks. */
  readonly machine: () => MachineUse
  readonly ingest: () => IngestStats
  readonly searchPipelines: () => SearchPipelineStats
  readonly connections: Readonly<ConnectionCounts>
  readonly refusals: Readonly<RefusalCounts>
  readonly level: CacheLevel
  /** Of all indices, where a level or a metric wants them. */
  readonly stats: readonly IndexStats[]
  /** Milliseconds since 1970. */
  readonly now: number
}
