/** Delivers messages to channels, each kind in its way. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { EngineError } from '../../util/errors.ts'
import { AssumedRoles } from './assumed-role.ts'
import { type CloudAccess, deliverByCloudMail, deliverToTopic } from './cloud-delivery.ts'
import { type Config, HIDDEN_VALUE, type TypeObjects } from './config.ts'
import type { ConfigStore } from './config-store.ts'
import { CONFIG_TYPES } from './config-types.ts'
import {
  cloudKeys,
  type DeliverySettings,
  deliverySettings,
  mailKeys,
} from './delivery-settings.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { chatMessage, deliverByHttp, webhookMessage } from './http-delivery.ts'
import { deliverByMail } from './mail-delivery.ts'
import type { ChannelStatus, DeliveryStatus, Message, RecipientStatus } from './message.ts'

/** Shorter values of headers are words that answers have anyway. */
const MIN_SECRET_LENGTH = 6

/** A delivery's status without the channel that it was for. */
type Outcome = Pick<ChannelStatus, 'delivery_status' | 'email_recipient_status'>

/** Delivers messages. */
export class ChannelDelivery {
  readonly settings: DeliverySettings
  readonly #engine: EngineApi
  readonly #configs: ConfigStore
  readonly #slots: DeliverySlots
  readonly #roles = new AssumedRoles()

  /** @throws {EngineError} `illegal_argument_exception`: settings name a file that cannot be read */
  constructor(engine: EngineApi, configs: ConfigStore) {
    this.#engine = engine
    this.#configs = configs
    this.settings = deliverySettings(engine)
    const { maxConnections, maxConnectionsPerRoute } = this.settings
    this.#slots = new DeliverySlots(maxConnections, maxConnectionsPerRoute)
  }

  /**
   * Delivers a message once.
   * @returns how that ended, whatever it was; only defects are thrown
   */
  async deliver(id: string, message: Message, signal: AbortSignal): Promise<ChannelStatus> {
    const kept = await this.#configs.find(id)
    if (kept === null) {
      const none = { config_id: id, config_type: 'none' as const, config_name: 'invalid-config' }
      return { ...none, ...failure('404', `Channel ${id} not found`) }
    }
    const { config } = kept.source
    const channel = { config_id: id, config_type: config.config_type, config_name: config.name }
    if (!CONFIG_TYPES[config.config_type].isChannel)
      return { ...channel, ...failure('404', 'Channel not found') }
    if (!config.is_enabled) return { ...channel, ...failure('423', 'The channel is muted') }
    const outcome = await this.#slots.run(id, () => this.#deliver(config, message, signal))
    return { ...channel, ...outcome }
  }

  async #deliver(config: Config, message: Message, signal: AbortSignal): Promise<Outcome> {
    try {
      return await this.#send(config, message, signal)
    } catch (error) {
      if (error instanceof EngineError) return failure('400', error.message)
      throw error
    }
  }

  async #send(config: Config, message: Message, signal: AbortSignal): Promise<Outcome> {
    const { chat_a, chat_b, webhook, topic_a, email } = config
    const byHttp = async (
      sent: Parameters<typeof deliverByHttp>[0],
      what: string,
    ): Promise<Outcome> => single(await deliverByHttp(sent, what, this.settings, signal))
    if (chat_a !== undefined) return byHttp(chatMessage(chat_a.url, 'text', message), 'chat_a')
    if (chat_b !== undefined) return byHttp(chatMessage(chat_b.url, 'Content', message), 'chat_b')
    if (webhook !== undefined) {
      const header_params = this.#configs.revealedHeaders(webhook)
      const sent = webhookMessage({ ...webhook, header_params }, message)
      const status = await deliverByHttp(sent, 'webhook', this.settings, signal)
      return single({ ...status, status_text: withoutEchoes(status.status_text, header_params) })
    }
    if (topic_a !== undefined) {
      return single(await deliverToTopic(topic_a, message, this.#cloudAccess(), signal))
    }
    if (email !== undefined) return this.#sendMails(email, message, signal)
    return failure('404', 'Channel not found')
  }

  /** One mail for each recipient, so that none sees the others. */
  async #sendMails(
    email: TypeObjects['email'],
    message: Message,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const sender = await this.#configs.find(email.email_account_id)
    if (sender === null) return failure('404', `Sender ${email.email_account_id} not found`)
    const groups = await Promise.all(email.email_group_id_list.map(id => this.#configs.find(id)))
    const listed = groups.flatMap(group => group?.source.config.email_group?.recipient_list ?? [])
    const recipients = new Set([...email.recipient_list, ...listed].map(one => one.recipient))
    const sent = await Promise.all(
      [...recipients].map(async (recipient): Promise<RecipientStatus> => {
        const status = await this.#sendMail(sender.source.config, recipient, message, signal)
        return { recipient, delivery_status: status }
      }),
    )
    const [first] = sent
    if (first === undefined) return failure('400', 'There is no recipient')
    const isUniform = sent.every(
      one => one.delivery_status.status_code === first.delivery_status.status_code,
    )
    return {
      email_recipient_status: sent,
      delivery_status: isUniform
        ? first.delivery_status
        : { status_code: '207', status_text: 'Errors' },
    }
  }

  #sendMail(
    { name, smtp_account, mail_a_account }: Config,
    recipient: string,
    message: Message,
    signal: AbortSignal,
  ): Promise<DeliveryStatus> {
    const { settings } = this
    if (smtp_account !== undefined) {
      const keys = mailKeys(this.#engine, name)
      return deliverByMail(smtp_account, keys, recipient, message, settings)
    }
    if (mail_a_account === undefined)
      return Promise.resolve({ status_code: '404', status_text: 'Sender not found' })
    return deliverByCloudMail(mail_a_account, recipient, message, this.#cloudAccess(), signal)
  }

  #cloudAccess(): CloudAccess {
    return { keys: cloudKeys(this.#engine), roles: this.#roles, settings: this.settings }
  }
}

/** An answer that repeats a header does not tell its value to who asks for a test message. */
function withoutEchoes(text: string, headers: Readonly<Record<string, string>>): string {
  const values = Object.values(headers).filter(value => value.length >= MIN_SECRET_LENGTH)
  return values.reduce((rest, value) => rest.replaceAll(value, HIDDEN_VALUE), text)
}

function single(status: DeliveryStatus): Outcome {
  return { email_recipient_status: [], delivery_status: status }
}

function failure(code: string, text: string): Outcome {
  return single({ status_code: code, status_text: text })
}
