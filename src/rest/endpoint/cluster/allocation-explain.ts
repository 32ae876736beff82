import type { ClusterSettings, NodeInfo } from '../../../engine/api/cluster.ts'
import type { ShardCopy } from '../../../engine/api/shards.ts'
import { readBoolean, readInteger, readText } from '../../../engine/dsl/json-scalars.ts'
import { contentError } from '../../../engine/dsl/parse-error.ts'
import type { Settings } from '../../../schema/settings.ts'
import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type Decision, decideRebalance, decideReplica } from '../../allocation/deciders.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  NO_TARGET_PARAMS,
  objectBody,
  targetOf,
} from '../../endpoint.ts'
import { addressOf, attributesOf, isNodeMeant } from '../../node-view.ts'
import { flag } from '../../params.ts'
import { printDisks } from './disk-info.ts'

/** The copy that is asked about. */
interface Asked {
  readonly index: string
  readonly shard: number
  readonly isPrimary: boolean
  readonly currentNode: string | null
}

/** `GET|POST /_cluster/allocation/explain`: why a copy of a shard is where it is, or nowhere. */
export const allocationExplain: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_cluster/allocation/explain'],
    ['POST', '/_cluster/allocation/explain'],
  ],
  action: 'cluster:monitor/allocation/explain',
  params: { ...MASTER_PARAMS, include_yes_decisions: flag, include_disk_info: flag },
  body: 'json',
  handle({ engine, params, body, httpAddress, context }): Answer {
    const asked = readAsked(body)
    const withYes = params.include_yes_decisions ?? false
    const info = engine.cluster.nodeInfo()
    const all = engine.shards.copies(targetOf('', NO_TARGET_PARAMS, 'all'), context)
    const meant = findCopy(asked, withYes, all, info, httpAddress)
    const copies = all.filter(copy => copy.index === meant.index && copy.shard === meant.shard)
    const settings = effective(engine.cluster.settings())
    const node = printNode(info, httpAddress)
    const { disk } = engine.cluster.nodeUse()
    return {
      json: {
        index: meant.index,
        shard: meant.shard,
        primary: meant.isPrimary,
        current_state: meant.isActive ? 'started' : 'unassigned',
        ...(meant.isActive ? { current_node: { ...node, weight_ranking: 1 } } : {}),
        ...(meant.isActive ? {} : { unassigned_info: unassignedInfo(meant) }),
        ...(params.include_disk_info === true ? { cluster_info: printDisks(info, disk, all) } : {}),
        ...(meant.isActive
          ? explainStarted(copies, all, settings)
          : meant.isPrimary
            ? explainDamaged(meant, node)
            : explainReplica(copies, info, node, settings, withYes)),
      },
    }
  },
})

function effective({ persistent, transient }: ClusterSettings): Settings {
  return persistent.with(transient.toMap())
}

/** The node of a decision: its attributes only where it has some. */
function printNode(info: NodeInfo, httpAddress: string | null): JsonRecord {
  const { name, transportAddress } = addressOf(info, httpAddress)
  const attributes = attributesOf(info)
  return {
    id: info.nodeId,
    name,
    transport_address: transportAddress,
    ...(attributes.size === 0 ? {} : { attributes }),
  }
}

function unassignedInfo({ isPrimary, createdAt }: ShardCopy): JsonRecord {
  return {
    reason: isPrimary ? 'ALLOCATION_FAILED' : 'INDEX_CREATED',
    at: new Date(createdAt).toISOString(),
    last_allocation_status: isPrimary ? 'no_valid_shard_copy' : 'no_attempt',
  }
}

function explainStarted(
  copies: readonly ShardCopy[],
  all: readonly ShardCopy[],
  settings: Settings,
): JsonRecord {
  const hindrances = decideRebalance(copies, all, settings)
  const isAllowed = hindrances.length === 0
  return {
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: isAllowed ? 'yes' : 'no',
    ...(isAllowed ? {} : { can_rebalance_cluster_decisions: hindrances }),
    can_rebalance_to_other_node: 'no',
    rebalance_explanation: isAllowed
      ? 'cannot rebalance as no target node exists that can both allocate this shard and improve the cluster balance'
      : 'rebalancing is not allowed',
  }
}

function explainReplica(
  copies: readonly ShardCopy[],
  info: NodeInfo,
  node: JsonRecord,
  settings: Settings,
  withYes: boolean,
): JsonRecord {
  const primary = copies.find(({ isPrimary }) => isPrimary)!
  const decisions: readonly Decision[] = primary.isActive
    ? decideReplica(primary, info, settings)
    : [
        {
          decider: 'replica_after_primary_active',
          decision: 'NO',
          explanation: 'primary shard for this replica is not yet active',
        },
      ]
  return {
    can_allocate: 'no',
    allocate_explanation: 'cannot allocate because allocation is not permitted to any of the nodes',
    node_allocation_decisions: [
      {
        ...nodeKeys(node),
        node_decision: 'no',
        deciders: decisions.filter(({ decision }) => withYes || decision === 'NO'),
      },
    ],
  }
}

function explainDamaged({ damage }: ShardCopy, node: JsonRecord): JsonRecord {
  const reason = damage === null ? {} : { type: damage.type, reason: damage.reason }
  return {
    can_allocate: 'no_valid_shard_copy',
    allocate_explanation:
      'cannot allocate because all found copies of the shard are either stale or corrupt',
    node_allocation_decisions: [
      {
        ...nodeKeys(node),
        node_decision: 'no',
        store: { in_sync: true, store_exception: reason },
      },
    ],
  }
}

/** `node_id`, `node_name`, … */
function nodeKeys(node: JsonRecord): JsonRecord {
  const entries = Object.entries(node).map(([key, value]): [string, JsonValue | undefined] => [
    key === 'transport_address' ? key : `node_${key}`,
    value,
  ])
  return Object.fromEntries(entries) as JsonRecord
}

function findCopy(
  asked: Asked | null,
  withYes: boolean,
  all: readonly ShardCopy[],
  info: NodeInfo,
  httpAddress: string | null,
): ShardCopy {
  if (asked === null) {
    const waiting = all.filter(({ isActive }) => !isActive)
    const found = waiting.find(({ isPrimary }) => isPrimary) ?? waiting[0]
    if (found !== undefined) return found
    throw new IllegalArgumentError(
      `unable to find any unassigned shards to explain [ClusterAllocationExplainRequest[useAnyUnassignedShard=true,includeYesDecisions?=${withYes}]`,
    )
  }
  const { index, shard, isPrimary, currentNode } = asked
  const ofIndex = all.filter(copy => copy.index === index)
  if (ofIndex.length === 0)
    throw new EngineError({
      type: 'index_not_found_exception',
      reason: `no such index [${index}]`,
      extra: { index, 'resource.id': index, 'resource.type': 'index_or_alias', index_uuid: '_na_' },
    })
  const ofShard = ofIndex.filter(copy => copy.shard === shard)
  if (ofShard.length === 0)
    throw new EngineError({
      type: 'shard_not_found_exception',
      reason: 'no such shard',
      extra: { index, shard: String(shard) },
    })
  const found = ofShard.find(copy => copy.isPrimary === isPrimary)
  if (currentNode !== null) {
    if (!isNodeMeant([currentNode], info, httpAddress))
      throw new IllegalArgumentError(`failed to resolve [${currentNode}], no matching nodes`)
    if (found?.isActive !== true)
      throw new IllegalArgumentError(
        isPrimary
          ? `unable to find primary shard assigned to node [${currentNode}]`
          : `unable to find a replica shard assigned to node [${currentNode}]`,
      )
  }
  if (found !== undefined) return found
  throw new IllegalArgumentError(
    `unable to find any shards to explain [ClusterAllocationExplainRequest[index=${index},shard=${shard},primary?=${isPrimary},includeYesDecisions?=${withYes}] in the routing table`,
  )
}

const PARSER = 'cluster/allocation/explain'
const KEYS = ['index', 'shard', 'primary', 'current_node']

/** Null: any copy that is not active. */
function readAsked(body: JsonNode | null): Asked | null {
  let index: string | null = null
  let shard: number | null = null
  let isPrimary: boolean | null = null
  let currentNode: string | null = null
  for (const entry of body === null ? [] : objectBody(body).entries) {
    const { key, value } = entry
    if (key === 'index') index = readText(value)
    else if (key === 'shard') shard = readInteger(value)
    else if (key === 'primary') isPrimary = readBoolean(value)
    else if (key === 'current_node') currentNode = readText(value)
    else {
      const advice = didYouMean(findAlike(key, KEYS))
      throw contentError(entry, `[${PARSER}] unknown field [${key}]${advice}`)
    }
  }
  if (index === null && shard === null && isPrimary === null && currentNode === null) return null
  const complaints: string[] = []
  if (index === null) complaints.push('index must be specified')
  if (shard === null) complaints.push('shard must be specified')
  if (isPrimary === null) complaints.push('primary must be specified')
  if (index === null || shard === null || isPrimary === null) throw validationFailed(complaints)
  return { index, shard, isPrimary, currentNode }
}
