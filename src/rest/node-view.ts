/** The one node as several endpoints show it, and node filters. */
import type { NodeInfo } from '../engine/api/cluster.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { matchesWildcard } from '../util/wildcard.ts'

/** The roles of the node in its cluster: all of them. */
export const NODE_ROLES: readonly string[] = ['cluster_manager', 'data', 'ingest']

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

/** Whether any of some node filters means this node; none at all means every node. */
export function isNodeMeant(filters: readonly string[], info: NodeInfo): boolean {
  return filters.length === 0 || filters.some(filter => names(filter, info))
}

function names(filter: string, info: NodeInfo): boolean {
  if (['_all', '_local', '_master', '_cluster_manager', '*'].includes(filter)) return true
  if (['data:true', 'master:true', 'cluster_manager:true', 'ingest:true'].includes(filter))
    return true
  const own = [info.nodeId, info.nodeName, '127.0.0.1']
  const attributes = [...attributesOf(info)].map(([key, value]) => `${key}:${value}`)
  return [...own, ...attributes].some(name => matchesWildcard(filter, name))
}
