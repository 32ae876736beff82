/** Services of one node over the engine's calls. */
import { getHeapStatistics } from 'node:v8'
import type { EngineApi } from '../engine/api/engine-api.ts'
import { oneIndex } from './ism/index-view.ts'
import { IsmService } from './ism/ism-service.ts'
import type { IsmPorts } from './ism/ports.ts'
import { LronService } from './lron/lron-service.ts'
import { NotificationService } from './notification/notification-service.ts'
import { ReindexService } from './reindex/reindex-service.ts'
import { SecurityService } from './security/security-service.ts'
import { SnapshotService } from './snapshot/snapshot-service.ts'

/** The services of a node. */
export interface Services {
  readonly reindex: ReindexService
  readonly snapshots: SnapshotService
  readonly notifications: NotificationService
  readonly lron: LronService
  readonly ism: IsmService
  readonly security: SecurityService
}

/**
 * The services over an engine; they end with it.
 * @param ports clock and gauges in place of those of the machine
 */
export function openServices(engine: EngineApi, ports: Partial<MachinePorts> = {}): Services {
  const notifications = new NotificationService(engine)
  const snapshots = new SnapshotService(engine)
  const security = new SecurityService(engine)
  return {
    reindex: new ReindexService(engine),
    snapshots,
    notifications,
    lron: new LronService(engine, (channels, message) => notifications.notify(channels, message)),
    ism: new IsmService(engine, {
      ...MACHINE,
      ...portsOver(notifications, snapshots, security),
      ...ports,
    }),
    security,
  }
}

type MachinePorts = Pick<IsmPorts, 'now' | 'everyMillis' | 'heapUsedPercent'>

const MACHINE: MachinePorts = {
  now: () => Date.now(),
  everyMillis(millis, step) {
    const timer = setInterval(step, millis).unref()
    return () => clearInterval(timer)
  },
  heapUsedPercent() {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    return (100 * used) / limit
  },
}

/** The calls of index-state management on the other services. */
function portsOver(
  notifications: NotificationService,
  snapshots: SnapshotService,
  security: SecurityService,
): Omit<IsmPorts, keyof MachinePorts> {
  const begun = new Set<string>()
  const keyOf = (repository: string, snapshot: string): string => `${repository}:${snapshot}`
  return {
    async notify(channelId, title, text) {
      await notifications.get([channelId], false)
      await notifications.notify([channelId], { title, text, html: null })
    },
    callerOf: context => security.callerOf(context),
    askerOf: caller => security.askerOf(caller),
    async startSnapshot(repository, snapshot, index, context) {
      await snapshots.create(
        {
          repository,
          snapshot,
          target: oneIndex(index),
          includesGlobalState: false,
          allowsPartial: false,
          metadata: null,
        },
        context,
      )
      begun.add(keyOf(repository, snapshot))
    },
    hasBegunSnapshot: (repository, snapshot) => begun.has(keyOf(repository, snapshot)),
    async snapshotState(repository, snapshot) {
      const [found] = await snapshots.find({
        repository,
        snapshots: [snapshot],
        ignoresUnavailable: true,
        isVerbose: true,
      })
      if (found?.['state'] === 'SUCCESS') begun.delete(keyOf(repository, snapshot))
      return found === undefined ? null : String(found['state'])
    },
  }
}
