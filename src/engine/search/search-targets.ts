import type { Snapshot } from '../../segment/snapshot.ts'
import type { Shard } from '../../shard/shard.ts'
import { shardsOfRouting } from '../../shard/shard-routing.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Target } from '../api/target.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveOpen } from '../metadata/resolve-target.ts'
import { DamagedShard, type OpenedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'

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

  /**
   * Acquires the current snapshots.
   * @param routing values that lead to the shards searched, where a view names none of its own; all
   *   shards without
   */
  constructor(found: readonly ViewedIndex[], routing: readonly string[] | undefined) {
    let shardCount = 0
    this.indices = found.map(({ view, index }) => {
      const shards = shardsOf(index, routingOf(view, routing))
      shardCount += shards.length
      return { view, index, shards: shards.map(acquire) }
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

/** Routing values that a view and a request both allow; undefined where neither names any. */
function routingOf(
  { searchRouting }: IndexView,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (asked === undefined || asked.length === 0) return searchRouting ?? undefined
  if (searchRouting === null) return asked
  return searchRouting.filter(value => asked.includes(value))
}

/** The shards that a search looks at: all, or those that its routing values lead to. */
function shardsOf(
  index: IndexService,
  routing: readonly string[] | undefined,
): readonly OpenedShard[] {
  if (routing === undefined) return index.allShards
  const routed = new Set(routing.flatMap(value => shardsOfRouting(index.metadata, value)))
  return index.allShards.filter((_, number) => routed.has(number))
}

function acquire(shard: OpenedShard): HeldShard | DamagedShard {
  if (shard instanceof DamagedShard) return shard
  shard.stats.openContexts++
  return { shard, snapshot: shard.snapshot.acquire() }
}
