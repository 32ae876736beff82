import { indexSettings } from '../../schema/setting-registry.ts'
import type { Shard } from '../../shard/shard.ts'
import { nowInNanos } from '../../util/clock.ts'
import type { IndexService } from './index-service.ts'

/** How often the list of dirty shards is looked at. */
const TICK_IN_MILLIS = 100

/**
 * One timer for all indices: a shard that changed stands in a list with the moment of its first change
 * since the last refresh, until its index's `refresh_interval` is over. The timer runs only while the list holds anything, and does not keep
 * the process alive. A log over its threshold has the shard flushed.
 */
export class RefreshScheduler {
  readonly #dirty = new Map<Shard, { readonly index: IndexService; readonly since: number }>()
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | null = null

  /** @param onError hears of a refresh or flush that failed in the background */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** A shard changed; it is refreshed in its time unless somebody does so before. */
  add(index: IndexService, shard: Shard): void {
    this.#dirty.set(shard, { index, since: nowInNanos() })
    this.#timer ??= setInterval(() => this.#tick(), TICK_IN_MILLIS).unref()
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#dirty.clear()
  }

  #tick(): void {
    const now = nowInNanos()
    for (const [shard, { index, since }] of this.#dirty) {
      if (shard.isClosed) {
        this.#dirty.delete(shard)
        continue
      }
      if (shard.needsFlush) shard.flushLargeLog().catch(this.#onError)
      // Read at each tick: the setting may have changed. −1 leaves refreshes to calls, for those too
      // that wait for one.
      const interval =
        indexSettings.nanos(index.metadata.settings, 'index.refresh_interval') ?? 1_000_000_000
      if (interval < 0 || now - since < interval) continue
      this.#dirty.delete(shard)
      shard.refresh().catch(this.#onError)
    }
    if (this.#dirty.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
  }
}
