/** The endpoints of shards. */
import type { Endpoint } from '../../endpoint.ts'
import { clearCache } from './clear-cache.ts'
import { recovery } from './recovery.ts'
import { segments } from './segments.ts'
import { shardStores } from './shard-stores.ts'
import { getUpgrade, postUpgrade } from './upgrade.ts'

/** Segments, recoveries, stores, caches and upgrades. */
export const SHARD_ENDPOINTS: readonly Endpoint[] = [
  segments,
  recovery,
  shardStores,
  clearCache,
  getUpgrade,
  postUpgrade,
]
