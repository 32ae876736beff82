/** Which shard of an index a document belongs to, by its routing or its id. */
import { routingHash } from '../util/murmur3.ts'

/** How the documents of an index are spread over its shards. */
export interface ShardRouting {
  readonly numberOfShards: number
  /** Documents hash to one of so many; a multiple of the number of shards. */
  readonly routingShards: number
  /** Shards over which the documents of one routing value are spread, by their ids; 1: one shard. */
  readonly partitionSize: number
}

/**
 * The number of the shard of a document, as `OperationRouting.generateShardId` of the real server.
 * @param routing null: the document is routed by its id alone
 */
export function shardOf(to: ShardRouting, id: string, routing: string | null): number {
  if (to.numberOfShards === 1) return 0
  const { partitionSize } = to
  const hash = routingHash(routing ?? id)
  return shardOfHash(
    to,
    partitionSize === 1 ? hash : hash + floorMod(routingHash(id), partitionSize),
  )
}

/** The numbers of the shards that hold documents of a routing value; some may be named twice. */
export function shardsOfRouting(to: ShardRouting, routing: string): number[] {
  const hash = routingHash(routing)
  return Array.from({ length: to.partitionSize }, (_, offset) => shardOfHash(to, hash + offset))
}

function shardOfHash({ numberOfShards, routingShards }: ShardRouting, hash: number): number {
  // A sum past 31 bits wraps, as that of two integers does there.
  return Math.floor(floorMod(hash | 0, routingShards) / (routingShards / numberOfShards))
}

function floorMod(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
