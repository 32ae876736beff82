/** Services of one node over the engine's calls. */
import type { EngineApi } from '../engine/api/engine-api.ts'
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
  readonly security: SecurityService
}

/** The services over an engine; they end with it. */
export function openServices(engine: EngineApi): Services {
  const notifications = new NotificationService(engine)
  return {
    reindex: new ReindexService(engine),
    snapshots: new SnapshotService(engine),
    notifications,
    lron: new LronService(engine, (channels, message) => notifications.notify(channels, message)),
    security: new SecurityService(engine),
  }
}
