/**
 * Messages on their way to channels: documents of a system index until they are delivered, or given up
 * after three tries. A message that was being delivered when the process ended is delivered again.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { type Kept, MAX_HITS, SystemIndex } from '../system-index.ts'
import type { ChannelDelivery } from './channel-delivery.ts'
import { isDelivered, type Message } from './message.ts'

const INDEX = '.opensearch-notifications-queue'
const TRIES = 3
/** Statuses that no other try changes: bad settings, a channel that is gone or muted. */
const FINAL = ['400', '404', '423']

/** A message to one channel. */
interface QueuedMessage {
  readonly channel: string
  readonly message: Message
  readonly created_time_ms: number
}

/** Delivers messages in the background. */
export class NotificationQueue {
  readonly #engine: EngineApi
  readonly #delivery: () => ChannelDelivery
  readonly #index: SystemIndex<QueuedMessage>
  readonly #ending = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** Ids of the documents that are under way. */
  readonly #known = new Set<string>()

  /** @param delivery made when it is first asked for */
  constructor(engine: EngineApi, delivery: () => ChannelDelivery) {
    this.#engine = engine
    this.#delivery = delivery
    this.#index = new SystemIndex(engine, INDEX, { dynamic: false })
    // One for each message that is under way or waits for its next try: many are no leak.
    setMaxListeners(0, this.#ending.signal)
    engine.beforeClose(() => this.#stop())
  }

  /** Messages that have not been delivered. */
  get waiting(): number {
    return this.#known.size
  }

  /** Goes on with what an earlier process left. */
  async resume(): Promise<void> {
    for (;;) {
      const { hits, total } = await this.#index.search({
        query: { bool: { must_not: { ids: { values: [...this.#known] } } } },
        size: MAX_HITS,
      })
      for (const hit of hits) this.#begin(hit)
      if (hits.length === 0 || hits.length === total) return
    }
  }

  /** Takes a message for channels; it is durable when this resolves, and delivered later. */
  async add(channels: readonly string[], message: Message): Promise<void> {
    if (channels.length === 0) return
    const created_time_ms = Date.now()
    const messages = channels.map(channel => ({ channel, message, created_time_ms }))
    const ids = await this.#index.addAll(messages)
    for (const [i, source] of messages.entries()) this.#begin({ id: ids[i]!, source })
  }

  #begin(queued: Kept<QueuedMessage>): void {
    if (this.#ending.signal.aborted || this.#known.has(queued.id)) return
    this.#known.add(queued.id)
    const running = this.#deliver(queued)
      .catch((error: unknown) => {
        this.#log(queued.source.channel, error instanceof Error ? error.message : 'unknown')
      })
      .finally(() => {
        this.#running.delete(running)
        this.#known.delete(queued.id)
      })
    this.#running.add(running)
  }

  async #deliver({ id, source }: Kept<QueuedMessage>): Promise<void> {
    const { signal } = this.#ending
    const delivery = this.#delivery()
    for (let tries = 1; ; tries++) {
      const { delivery_status: status } = await delivery.deliver(
        source.channel,
        source.message,
        signal,
      )
      // Left for the next process.
      if (signal.aborted) return
      if (isDelivered(status)) break
      if (tries === TRIES || FINAL.includes(status.status_code)) {
        this.#log(source.channel, `[${status.status_code}] ${status.status_text}`)
        break
      }
      const pause = delivery.settings.backoffInMillis * 2 ** (tries - 1)
      await wait(pause, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
    }
    await this.#index.delete(id, 'false')
  }

  #log(channel: string, why: string): void {
    this.#engine.log({
      logger: 'notifications',
      level: 'WARN',
      message: `message to channel [${channel}] was not delivered: ${why}`,
    })
  }

  async #stop(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#running)
  }
}
