/**
 * The deciders of the real server about a copy of a shard and the one node there is. `same_shard` refuses
 * every copy beside the active one, which is why replicas stay unassigned.
 */
import type { NodeInfo } from '../../engine/api/cluster.ts'
import type { ShardCopy } from '../../engine/api/shards.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { VERSION_INFO } from '../version.ts'
import { copyText } from './routing-text.ts'

/** The answer of one decider. */
export interface Decision extends JsonRecord {
  readonly decider: string
  readonly decision: 'YES' | 'NO'
  readonly explanation: string
}

const ENABLE = 'cluster.routing.allocation.enable'
const AWARENESS = 'cluster.routing.allocation.awareness.attributes'
const ALLOW_REBALANCE = 'cluster.routing.allocation.allow_rebalance'

/**
 * All decisions on a replica and the node.
 * @param primary  the active copy of its shard
 * @param settings cluster settings that hold
 */
export function decideReplica(
  primary: ShardCopy,
  { nodeId }: NodeInfo,
  settings: Settings,
): readonly Decision[] {
  const { number } = VERSION_INFO
  const enabled = clusterSettings.text(settings, ENABLE)
  return [
    yes('max_retry', 'shard has no previous failures'),
    yes('replica_after_primary_active', 'primary shard for this replica is already active'),
    enabled === 'all'
      ? yes('enable', 'all allocations are allowed')
      : no(
          'enable',
          `${enabled === 'none' ? 'no' : 'replica'} allocations are ${enabled === 'none' ? 'allowed' : 'forbidden'} due to cluster setting [${ENABLE}=${enabled}]`,
        ),
    yes(
      'node_version',
      `can allocate replica shard to a node with version [${number}] since this is equal-or-newer than the primary version [${number}]`,
    ),
    yes('snapshot_in_progress', 'no snapshots are currently running'),
    yes('restore_in_progress', 'ignored as shard is not being recovered from a snapshot'),
    yes('filter', 'node passes include/exclude/require filters'),
    no(
      'same_shard',
      `a copy of this shard is already allocated to this node [${copyText(primary, nodeId)}]`,
    ),
    yes('disk_threshold', 'there is only a single data node present'),
    yes('throttling', 'below shard recovery limit of outgoing: [0 < 2] incoming: [0 < 2]'),
    yes('shards_limit', 'total shard limits are disabled: [index: -1, cluster: -1] <= 0'),
    yes(
      'awareness',
      `allocation awareness is not enabled, set cluster setting [${AWARENESS}] to enable it`,
    ),
  ]
}

/** The decision that keeps an active copy from the node on which it is. */
export function decideMove(copy: ShardCopy, { nodeId }: NodeInfo): Decision {
  return no(
    'same_shard',
    `this shard is already allocated to this node [${copyText(copy, nodeId)}]`,
  )
}

/**
 * Obstacles to moving shards for a better balance; there are none: an empty list.
 * @param copies those of the shard
 * @param all    of the whole cluster
 */
export function decideRebalance(
  copies: readonly ShardCopy[],
  all: readonly ShardCopy[],
  settings: Settings,
): readonly Decision[] {
  const allowed = clusterSettings.text(settings, ALLOW_REBALANCE)
  const decisions: Decision[] = []
  if (copies.some(({ isActive }) => !isActive))
    decisions.push(
      no(
        'rebalance_only_when_active',
        'rebalancing is not allowed until all replicas in the cluster are active',
      ),
    )
  const onlyPrimaries = allowed === 'indices_primaries_active'
  const isWaiting = all.some(
    ({ isActive, isPrimary }) => !isActive && (isPrimary || !onlyPrimaries),
  )
  if (allowed !== 'always' && isWaiting)
    decisions.push(
      no(
        'cluster_rebalance',
        `the cluster has unassigned ${onlyPrimaries ? 'primary ' : ''}shards and cluster setting [${ALLOW_REBALANCE}] is set to [${allowed}]`,
      ),
    )
  return decisions
}

function yes(decider: string, explanation: string): Decision {
  return { decider, decision: 'YES', explanation }
}

function no(decider: string, explanation: string): Decision {
  return { decider, decision: 'NO', explanation }
}
