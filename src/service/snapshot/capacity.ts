import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Repositories } from './repositories.ts'
import { concurrentError, type SnapshotName } from './snapshot-errors.ts'

/** How many snapshots may be taken, copied and deleted at a time. */
const LIMIT = 'snapshot.max_concurrent_operations'

/**
 * Refuses one operation too many.
 * @throws {EngineError} `concurrent_snapshot_execution_exception`
 */
export function checkCapacity(repositories: Repositories, name: SnapshotName): void {
  const { persistent, transient } = repositories.engine.cluster.settings()
  const settings = persistent.with(transient.toMap())
  const limit = clusterSettings.number(settings, LIMIT) ?? 1000
  const running = repositories
    .operations(null)
    .filter(({ kind }) => kind === 'create' || kind === 'clone' || kind === 'delete')
  if (running.length >= limit)
    throw concurrentError(
      name,
      `Cannot start another operation, already running [${running.length}] operations and the current limit ` +
        `for concurrent snapshot operations is set to [${limit}]`,
    )
}
