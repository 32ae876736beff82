import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { JsonMap, JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import type { Answer } from '../../endpoint.ts'

/**
 * The envelope of answers about nodes.
 * @param node of the one node there is; null: filters do not mean it
 * @param cluster what stands beside the nodes
 */
export function nodesAnswer(
  { nodeId, clusterName }: NodeInfo,
  node: JsonRecord | JsonMap | null,
  cluster: JsonMap = new Map(),
): Answer {
  const count = node === null ? 0 : 1
  return {
    json: new Map<string, JsonValue>([
      ['_nodes', { total: count, successful: count, failed: 0 }],
      ['cluster_name', clusterName],
      ...cluster,
      ['nodes', node === null ? {} : { [nodeId]: node }],
    ]),
  }
}
