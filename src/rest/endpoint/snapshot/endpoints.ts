/** The endpoints of snapshots and their repositories. */
import type { Endpoint } from '../../endpoint.ts'
import {
  cleanUpRepository,
  deleteRepositories,
  getRepositories,
  putRepository,
  verifyRepository,
} from './repositories.ts'
import { restoreSnapshot } from './restore.ts'
import { cloneSnapshot, createSnapshot, deleteSnapshots, getSnapshots } from './snapshots.ts'
import { snapshotStatus } from './status.ts'

/** Repositories, and snapshots taken, shown, cloned, restored and deleted. */
export const SNAPSHOT_ENDPOINTS: readonly Endpoint[] = [
  putRepository,
  getRepositories,
  deleteRepositories,
  verifyRepository,
  cleanUpRepository,
  createSnapshot,
  getSnapshots,
  deleteSnapshots,
  cloneSnapshot,
  restoreSnapshot,
  snapshotStatus,
]
