import type { Snapshot } from '../../segment/snapshot.ts'
import type { Shard } from '../../shard/shard.ts'
import type { ShardName } from '../../shard/write-operation.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { Target } from '../api/target.ts'
import type { SearchSlice } from '../dsl/search-body/slice.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveOpen } from '../metadata/resolve-target.ts'
import { DamagedShard, type OpenedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { addressedShards, type ShardAddress, slicedShards } from './addressed-shards.ts'

/** An open index, as the call sees it. */
export interface ViewedIndex {
  readonly view: IndexView
  readonly index: IndexService
}

/** A shard with the snapshot of it that is searched. */
export interface HeldShard {
  readonly shard: Shard
  readonly snapshot: Snapshot
  /** Ord among all shards of the targets. */
  readonly ord: number
  /** The part of its documents that is searched; null: all. */
  readonly slice: SearchSlice | null
}

/** A shard that was held and is gone: its index was closed or deleted. */
export class LostShard {
  readonly name: ShardName
  readonly #context: number

  /** @param context the number of the context that held it */
  constructor(name: ShardName, context: number) {
    this.name = name
    this.#context = context
  }

  /** The error for a read of it. */
  readError(): EngineError {
    return contextMissing(this.#context)
  }
}

/** 404 `search_context_missing_exception`. */
export function contextMissing(number: number): EngineError {
  return new EngineError({
    type: 'search_context_missing_exception',
    reason: `No search context found for id [${number}]`,
  })
}

/** A shard that a search looks at. */
export type TargetShard = HeldShard | DamagedShard | LostShard

/** An index that is searched, with those of its shards that the search looks at. */
export interface SearchTarget extends ViewedIndex {
  readonly shards: readonly TargetShard[]
}

/** Everything that one search reads, from its query phase to the last document that it fetches. */
export interface SearchedTargets {
  /** In the order given. */
  readonly indices: readonly SearchTarget[]
  /** Damaged and lost shards included. */
  readonly shardCount: number
}

/** Views with acquired snapshots. The holder releases them once. */
export class SearchTargets implements SearchedTargets {
  readonly shardCount: number
  #indices: readonly SearchTarget[]

  /** Acquires the current snapshots. */
  constructor(found: readonly ViewedIndex[], address: ShardAddress) {
    let ord = 0
    this.#indices = found.map(({ view, index }) => {
      const shards = addressedShards(index.metadata, view, address).map(({ number, slice }) =>
        acquire(index.allShards[number]!, ord++, slice),
      )
      return { view, index, shards }
    })
    this.shardCount = ord
  }

  get indices(): readonly SearchTarget[] {
    return this.#indices
  }

  /** All shards whose snapshots are held. */
  get held(): readonly HeldShard[] {
    return this.#indices.flatMap(({ shards }) => shards.filter(shard => 'snapshot' in shard))
  }

  /** A slice of the shards, counted among those that are addressed, held by this. */
  sliced(slice: SearchSlice | null): SearchedTargets {
    if (slice === null) return this
    const indices = this.#indices.map(target => ({
      ...target,
      shards: slicedShards(slice, target.shards).map(({ shard, slice: own }) =>
        'snapshot' in shard ? { ...shard, slice: own } : shard,
      ),
    }))
    return { indices, shardCount: indices.reduce((sum, { shards }) => sum + shards.length, 0) }
  }

  /**
   * Gives the snapshots of an index back, whose shards are lost from then on.
   * @param context number of the context that holds this
   */
  dropIndex(uuid: string, context: number): void {
    this.#indices = this.#indices.map(target => {
      if (target.view.index.uuid !== uuid) return target
      const shards = target.shards.map(held => {
        if (!('snapshot' in held)) return held
        giveBack(held)
        return new LostShard(held.shard.name, context)
      })
      return { ...target, shards }
    })
  }

  /** Gives the snapshots back. */
  release(): void {
    for (const held of this.held) giveBack(held)
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

function acquire(
  shard: OpenedShard,
  ord: number,
  slice: SearchSlice | null,
): HeldShard | DamagedShard {
  if (shard instanceof DamagedShard) return shard
  shard.stats.openContexts++
  return { shard, snapshot: shard.snapshot.acquire(), ord, slice }
}

function giveBack({ shard, snapshot }: HeldShard): void {
  shard.stats.openContexts--
  snapshot.release()
}
