import { indexSettings } from '../../schema/setting-registry.ts'
import type { Shard } from '../../shard/shard.ts'
import type { IndexService } from './index-service.ts'

/** How often the list is looked at: the least that `index.translog.sync_interval` may be. */
const TICK_IN_MILLIS = 100

/**
 * Syncs the logs of indices whose `index.translog.durability` is `async`: one timer for all of them,
 * running only while one holds anything. It does not keep the process alive: closing commits.
 */
export class LogSyncScheduler {
  readonly #due = new Map<Shard, number>()
  #timer: NodeJS.Timeout | null = null

  /** Operations were acknowledged that the log may still lose. */
  add(index: IndexService, shard: Shard): void {
    if (this.#due.has(shard)) return
    const nanos = indexSettings.nanos(index.metadata.settings, 'index.translog.sync_interval')
    this.#due.set(shard, performance.now() + (nanos ?? 5e9) / 1e6)
    this.#timer ??= setInterval(() => this.#tick(), TICK_IN_MILLIS).unref()
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#due.clear()
  }

  #tick(): void {
    // A log that would be due before the next look is synced now: no later than was promised.
    const now = performance.now() + TICK_IN_MILLIS
    for (const [shard, due] of this.#due) {
      if (due > now && !shard.isClosed) continue
      this.#due.delete(shard)
      void shard.syncLog()
    }
    if (this.#due.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
  }
}
