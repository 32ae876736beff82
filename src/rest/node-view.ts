/** The one node as several endpoints show it, and node filters. */
import type { NodeInfo } from '../engine/api/cluster.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { matchesWildcard } from '../util/wildcard.ts'

/** The roles of the node in its cluster, as a node has them that is told of none; in order of name. */
export const NODE_ROLES: readonly string[] = [
  'cluster_manager',
  'data',
  'ingest',
  'remote_cluster_client',
]
/** The same, a letter each. */
export const ROLE_LETTERS = 'dimr'

/** How a node is addressed. */
export interface NodeAddress {
  readonly name: string
  /** There is no transport between nodes, so its port is 0. */
  readonly transportAddress: string
  readonly host: string
}

/** @param httpAddress where the server listens, `host:port`; null without one */
export function addressOf({ nodeName }: NodeInfo, httpAddress: string | null): NodeAddress {
  const host = httpAddress?.replace(/:\d+$/, '') ?? '127.0.0.1'
  return { name: nodeName, transportAddress: `${host}:0`, host }
}

/** `node.attr.*`, without that prefix. */
export function attributesOf({ settings }: NodeInfo): Map<string, string> {
  const prefix = 'node.attr.'
  return new Map(
    [...settings.toMap()]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), String(value)]),
  )
}

/** The node as views of shards and of the cluster's state show it, below its id. */
export function printNode(info: NodeInfo, httpAddress: string | null): JsonRecord {
  const { name, transportAddress } = addressOf(info, httpAddress)
  return {
    name,
    ephemeral_id: info.ephemeralId,
    transport_address: transportAddress,
    attributes: attributesOf(info),
  }
}

/**
 * Whether node filters mean this node; none at all mean every node. Filters are read one after another: one
 * of a role adds the nodes with the role, or those without, and takes away with `false`.
 */
export function isNodeMeant(
  filters: readonly string[],
  info: NodeInfo,
  httpAddress: string | null,
): boolean {
  if (filters.length === 0) return true
  let isMeant = false
  for (const filter of filters) {
    const [, role = '', value] = /^([a-z_]+):(true|false)$/.exec(filter) ?? []
    if (value !== undefined && ROLE_FILTERS.has(role)) {
      const hasRole = role !== 'coordinating_only'
      if (hasRole) isMeant = value === 'true'
    } else if (names(filter, info, httpAddress)) isMeant = true
  }
  return isMeant
}

const ROLE_FILTERS: ReadonlySet<string> = new Set([...NODE_ROLES, 'master', 'coordinating_only'])
const WHOLE_CLUSTER = ['_all', '_local', '_master', '_cluster_manager', '*']

function names(filter: string, info: NodeInfo, httpAddress: string | null): boolean {
  if (WHOLE_CLUSTER.includes(filter)) return true
  const own = [info.nodeId, info.nodeName, addressOf(info, httpAddress).host]
  const attributes = [...attributesOf(info)].map(([key, value]) => `${key}:${value}`)
  return [...own, ...attributes].some(name => matchesWildcard(filter, name))
}
