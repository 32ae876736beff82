/** Notifications: their configurations, test messages, and messages of other services (contract-services §13). */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { Found } from '../system-index.ts'
import { ChannelDelivery } from './channel-delivery.ts'
import type { ConfigDocument, ConfigType } from './config.ts'
import type { ConfigList } from './config-query.ts'
import { ConfigStore, type KeptConfig } from './config-store.ts'
import { CONFIG_TYPE_NAMES, CONFIG_TYPES } from './config-types.ts'
import { allowedTypes } from './delivery-settings.ts'
import type { ChannelStatus, EventSource, Message } from './message.ts'
import { NotificationQueue } from './notification-queue.ts'
import { parseConfigRequest } from './parse-config.ts'

/** What a test message led to. */
export interface TestOutcome {
  readonly source: EventSource
  readonly status: ChannelStatus
}

/** The notifications of one node. */
export class NotificationService {
  readonly #engine: EngineApi
  readonly #configs: ConfigStore
  readonly #queue: NotificationQueue
  #delivery: ChannelDelivery | null = null

  constructor(engine: EngineApi) {
    this.#engine = engine
    this.#configs = new ConfigStore(engine)
    this.#queue = new NotificationQueue(engine, () => this.#deliveries())
    this.#queue.resume().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown'
      const message = `messages of an earlier start were not read: ${why}`
      engine.log({ logger: 'notifications', level: 'WARN', message })
    })
  }

  /** The types that configurations may have, in order. */
  get allowedTypes(): readonly ConfigType[] {
    return allowedTypes(this.#engine)
  }

  /** Messages that wait to be delivered. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Makes a configuration.
   * @returns its id
   * @throws {EngineError} as the contract's table says
   */
  create(body: JsonNode): Promise<string> {
    return this.#configs.create(parseConfigRequest(body, this.allowedTypes))
  }

  /** @throws {EngineError} as the contract's table says */
  update(id: string, body: JsonNode): Promise<void> {
    return this.#configs.update(id, parseConfigRequest(body, this.allowedTypes).config)
  }

  /** @throws {EngineError} 404 `status_exception`: one is missing */
  get(ids: readonly string[], isList: boolean): Promise<readonly KeptConfig[]> {
    return this.#configs.get(ids, isList)
  }

  /** @throws {EngineError} 404 `status_exception`: one is missing, and none was deleted */
  delete(ids: readonly string[], isList: boolean): Promise<void> {
    return this.#configs.delete(ids, isList)
  }

  /** @throws {EngineError} 406 `status_exception`: a sort or a range that is none */
  list(list: ConfigList): Promise<Found<ConfigDocument>> {
    return this.#configs.list(list)
  }

  /** Configurations that messages can be sent to, disabled ones too; by time of change. */
  channels(size: number): Promise<Found<ConfigDocument>> {
    return this.#configs.list({
      filters: new Map(),
      from: 0,
      size,
      sortField: 'last_updated_time_ms',
      sortOrder: 'asc',
      types: CONFIG_TYPE_NAMES.filter(type => CONFIG_TYPES[type].isChannel),
    })
  }

  /**
   * Sends a test message to a channel, once, and waits for what becomes of it.
   * @param signal ends it
   */
  async sendTest(id: string, signal: AbortSignal): Promise<TestOutcome> {
    const source: EventSource = {
      title: `Test Message Title-${id}`,
      reference_id: id,
      severity: 'info',
      tags: [],
    }
    const text = `Test message for the notification channel [${id}].`
    const html = `<p>${text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)}</p>`
    const message: Message = { title: source.title, text, html }
    return { source, status: await this.#deliveries().deliver(id, message, signal) }
  }

  /** Takes a message for channels; it is durable when this resolves, and delivered later. */
  notify(channels: readonly string[], message: Message): Promise<void> {
    return this.#queue.add([...new Set(channels)], message)
  }

  #deliveries(): ChannelDelivery {
    this.#delivery ??= new ChannelDelivery(this.#engine, this.#configs)
    return this.#delivery
  }
}
