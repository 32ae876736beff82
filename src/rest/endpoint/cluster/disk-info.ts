import type { NodeInfo, NodeUse } from '../../../engine/api/cluster.ts'
import type { ShardCopy } from '../../../engine/api/shards.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import { copyText } from '../../allocation/routing-text.ts'

/** `cluster_info`: disks of the nodes and sizes of shards, as allocation sees them. */
export function printDisks(
  { nodeId, nodeName, folder }: NodeInfo,
  disk: NodeUse['disk'],
  copies: readonly ShardCopy[],
): JsonRecord {
  const active = copies.filter(({ isActive }) => isActive)
  const key = ({ index, shard, isPrimary }: ShardCopy): string =>
    `[${index}][${shard}][${isPrimary ? 'p' : 'r'}]`
  const path = folder ?? ''
  return {
    nodes:
      disk === null
        ? {}
        : {
            [nodeId]: {
              node_name: nodeName,
              least_available: printDisk(disk, path),
              most_available: printDisk(disk, path),
            },
          },
    shard_sizes: new Map(
      active.map((copy): [string, JsonValue] => [`${key(copy)}_bytes`, copy.storeInBytes]),
    ),
    shard_paths: new Map(active.map((copy): [string, JsonValue] => [copyText(copy, nodeId), path])),
    reserved_sizes: [],
  }
}

function printDisk(
  { totalInBytes, availableInBytes }: NonNullable<NodeUse['disk']>,
  path: string,
): JsonRecord {
  const free = totalInBytes === 0 ? 0 : (100 * availableInBytes) / totalInBytes
  const tenths = (percent: number): Float64 => new Float64(Math.round(10 * percent) / 10)
  return {
    path,
    total_bytes: totalInBytes,
    used_bytes: totalInBytes - availableInBytes,
    free_bytes: availableInBytes,
    free_disk_percent: tenths(free),
    used_disk_percent: tenths(100 - free),
  }
}
