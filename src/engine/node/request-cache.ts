import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import type { ShardResult } from '../../parallel/reduce.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import type { RequestCacheStats } from '../api/stats.ts'

/** The result of a shard's query phase, as later searches take it. */
export interface CachedQuery {
  readonly result: ShardResult
  /** The documents that each rescoring scored anew, by list of hits. */
  readonly rescored: readonly (readonly ReadonlySet<number>[])[]
  /** Of each aggregation of the request. */
  readonly aggregated: readonly NodePartial[]
  /** Whether its query came to nothing before it was searched. */
  readonly isEmpty: boolean
}

/** A cached result with its estimated memory. */
interface Entry {
  readonly value: CachedQuery
  readonly bytes: number
  readonly shard: ShardUse
}

/** The cached answers of one shard, all to searches of one snapshot. */
interface ShardUse {
  hits: number
  misses: number
  evictions: number
  bytes: number
  /** Of the newest snapshot that was seen. */
  generation: number
  readonly keys: Set<string>
  /** Sets the shard's keys apart from those of others. */
  readonly number: number
}

/** Memory of an entry beside its key and its value. */
const ENTRY_BYTES = 256

/**
 * Results of query phases by search, least recently used first. A shard's answers are dropped once it has a
 * newer snapshot. Values are shared between searches, which must not change them.
 */
export class RequestCache {
  readonly #limitInBytes: number
  readonly #entries = new Map<string, Entry>()
  readonly #shards = new WeakMap<object, ShardUse>()
  #bytes = 0
  #shardCount = 0
  readonly #total = { hits: 0, misses: 0, evictions: 0 }

  constructor(limitInBytes: number) {
    this.#limitInBytes = limitInBytes
  }

  /**
   * The cached answer of a shard; null: there is none.
   * @param shard the object that stands for it
   * @param key   of everything that the answer depends on beside the snapshot
   */
  get(shard: object, snapshot: Snapshot, key: string): CachedQuery | null {
    const use = this.#useOn(shard, snapshot)
    const whole = `${use.number} ${key}`
    const entry = use.generation === snapshot.generation ? this.#entries.get(whole) : undefined
    if (entry === undefined) {
      use.misses++
      this.#total.misses++
      return null
    }
    use.hits++
    this.#total.hits++
    this.#entries.delete(whole)
    this.#entries.set(whole, entry)
    return entry.value
  }

  /** Caches an answer, unless it is larger than the cache or of a snapshot that is not the newest. */
  put(
    shard: object,
    snapshot: Snapshot,
    key: string,
    value: CachedQuery,
    valueBytes: number,
  ): void {
    const use = this.#useOn(shard, snapshot)
    const whole = `${use.number} ${key}`
    const bytes = ENTRY_BYTES + whole.length + valueBytes
    if (use.generation !== snapshot.generation || bytes > this.#limitInBytes) return
    this.#drop(whole)
    this.#entries.set(whole, { value, bytes, shard: use })
    use.keys.add(whole)
    use.bytes += bytes
    this.#bytes += bytes
    for (const [oldest, { shard: of }] of this.#entries) {
      if (this.#bytes <= this.#limitInBytes) break
      of.evictions++
      this.#total.evictions++
      this.#drop(oldest)
    }
  }

  /** Drops the answers of a shard. */
  clear(shard: object): void {
    for (const key of this.#shards.get(shard)?.keys ?? []) this.#drop(key)
  }

  /** @param snapshot the shard's current one, without whose answers none count */
  useOf(shard: object, snapshot: Snapshot): RequestCacheStats {
    const { hits, misses, evictions, bytes, keys } = this.#useOn(shard, snapshot)
    return { hits, misses, evictions, bytes, count: keys.size }
  }

  /** The counters of the node. */
  use(): RequestCacheStats {
    return { ...this.#total, bytes: this.#bytes, count: this.#entries.size }
  }

  /** The shard's use, its answers dropped if the snapshot is newer than theirs. */
  #useOn(shard: object, snapshot: Snapshot): ShardUse {
    let use = this.#shards.get(shard)
    if (use === undefined) {
      use = {
        hits: 0,
        misses: 0,
        evictions: 0,
        bytes: 0,
        generation: snapshot.generation,
        keys: new Set(),
        number: this.#shardCount++,
      }
      this.#shards.set(shard, use)
    }
    if (snapshot.generation > use.generation) {
      for (const key of use.keys) this.#drop(key)
      use.generation = snapshot.generation
    }
    return use
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    entry.shard.bytes -= entry.bytes
    entry.shard.keys.delete(key)
  }
}
