/** The shards of a resized index: how many there may be, and of which of the source each is made. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { ResizeCall, ResizeKind } from '../api/indices.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'

/** Most documents of one shard, as Lucene has it. */
const MAX_DOCS = 2 ** 31 - 1 - 128

/**
 * The number of shards that a shrink makes without being told, as the real server counts: the smallest
 * factor of the source's number with which no shard is above the size, if all are alike.
 * @param storeBytes of the source's shards together
 */
export function fittingShards(
  source: number,
  storeBytes: number,
  maxShardSize: ResizeCall['maxShardSizeInBytes'],
): number {
  if (maxShardSize === null || storeBytes === 0) return 1
  for (let count = Math.ceil(storeBytes / maxShardSize); count < source; count++)
    if (source % count === 0) return count
  return source
}

/**
 * Refuses numbers of shards between which documents cannot be moved shard by shard.
 * @param count  of the target
 * @param docsOf documents of a shard of the source
 * @throws {EngineError} `illegal_argument_exception`, `illegal_state_exception`
 */
export function checkShardCounts(
  kind: ResizeKind,
  { numberOfShards, routingShards }: IndexMetadata,
  count: number,
  docsOf: (shard: number) => number,
): void {
  if (kind === 'clone') {
    if (numberOfShards !== count)
      throw new IllegalArgumentError(
        `the number of target shards (${count}) must be the same as the number of source shards (${numberOfShards})`,
      )
    return
  }
  if (kind === 'shrink' && numberOfShards < count)
    throw new IllegalArgumentError(
      `the number of target shards [${count}] must be less that the number of source shards [${numberOfShards}]`,
    )
  checkFactor(numberOfShards, count)
  if (kind === 'shrink') checkDocCounts(numberOfShards, count, docsOf)
  else checkSplit(numberOfShards, routingShards, count)
}

function checkFactor(source: number, target: number): void {
  if (source < target && target % source !== 0)
    throw new IllegalArgumentError(
      `the number of source shards [${source}] must be a factor of [${target}]`,
    )
  if (source > target && source % target !== 0)
    throw new IllegalArgumentError(
      `the number of source shards [${source}] must be a multiple of [${target}]`,
    )
}

function checkSplit(source: number, routingShards: number, target: number): void {
  if (source > target)
    throw new IllegalArgumentError(
      `the number of source shards [${source}] must be less that the number of target shards [${target}]`,
    )
  // Out of one shard any number can be made: its documents are routed anew.
  if (source > 1 && routingShards % target !== 0)
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: `the number of routing shards [${routingShards}] must be a multiple of the target shards [${target}]`,
    })
}

function checkDocCounts(source: number, target: number, docsOf: (shard: number) => number): void {
  for (let shard = 0; shard < target; shard++) {
    let docs = 0
    for (const each of sourceShards(shard, source, target)) docs += docsOf(each)
    if (docs > MAX_DOCS)
      throw new EngineError({
        type: 'illegal_state_exception',
        reason: `Can't merge index with more than [${MAX_DOCS}] docs - too many documents in shards [${sourceShards(shard, source, target).join(', ')}]`,
      })
  }
}

/** The shards of the source that hold the documents of one of the target, ascending. */
export function sourceShards(shard: number, source: number, target: number): number[] {
  if (target >= source) return [Math.floor(shard / (target / source))]
  const factor = source / target
  return Array.from({ length: factor }, (_, i) => shard * factor + i)
}
