import type { Snapshot } from '../../segment/snapshot.ts'
import type { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Target } from '../api/target.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveOpen } from '../metadata/resolve-target.ts'
import { DamagedShard, type OpenedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { addressedShards, type ShardAddress } from './addressed-shards.ts'

/** An open index, as the call sees it. */
export interface ViewedIndex {
  readonly view: IndexView
  readonly index: IndexService
}

/** A shard with the snapshot of it that is searched. */
export interface HeldShard {
  readonly shard: Shard
  readonly snapshot: Snapshot
}

/** An index that is searched, with those of its shards that the search looks at. */
export interface SearchTarget extends ViewedIndex {
  readonly shards: readonly (HeldShard | DamagedShard)[]
}

/**
 * Views with acquired snapshots: everything that one search reads, from its query phase to the last
 * document that it fetches. The holder releases it once.
 */
export class SearchTargets {
  /** In the order given. */
  readonly indices: readonly SearchTarget[]
  /** Damaged shards included. */
  readonly shardCount: number

  /** Acquires the current snapshots. */
  constructor(found: readonly ViewedIndex[], address: ShardAddress) {
    let shardCount = 0
    this.indices = found.map(({ view, index }) => {
      const shards = addressedShards(index.metadata, view, address)
      shardCount += shards.length
      return { view, index, shards: shards.map(({ number }) => acquire(index.allShards[number]!)) }
    })
    this.shardCount = shardCount
  }

  /** Gives the snapshots back. */
  release(): void {
    for (const { shards } of this.indices)
      for (const held of shards)
        if ('snapshot' in held) {
          held.shard.stats.openContexts--
          held.snapshot.release()
        }
  }
}

/**
 * Finds the indices that a call searches, in order of name.
 * @throws {EngineError} as `resolveOpen`
 */
export function resolveSearch(node: Node, target: Target, context: CallContext): ViewedIndex[] {
  return resolveOpen(node.metadata, target, context)
    .sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    .flatMap(view => {
      const index = node.index(view.index.name)
      return index === null ? [] : [{ view, index }]
    })
}

function acquire(shard: OpenedShard): HeldShard | DamagedShard {
  if (shard instanceof DamagedShard) return shard
  shard.stats.openContexts++
  return { shard, snapshot: shard.snapshot.acquire() }
}
