/** What is sent, and what became of it. */
import type { ConfigType } from './config.ts'

/** What a notification is about, as answers show it. */
export interface EventSource {
  readonly title: string
  /** Of the task or the configuration that it is about. */
  readonly reference_id: string
  readonly severity: 'high' | 'info' | 'critical'
  readonly tags: readonly string[]
}

/** A message. */
export interface Message {
  readonly title: string
  readonly text: string
  /** The same for mails; null: there is none. */
  readonly html: string | null
}

/** How a delivery ended, as answers show it. */
export interface DeliveryStatus {
  /** An HTTP status. */
  readonly status_code: string
  readonly status_text: string
}

/** The delivery to one recipient of a mail. */
export interface RecipientStatus {
  readonly recipient: string
  readonly delivery_status: DeliveryStatus
}

/** The delivery to one channel. */
export interface ChannelStatus {
  readonly config_id: string
  readonly config_type: ConfigType | 'none'
  readonly config_name: string
  readonly email_recipient_status: readonly RecipientStatus[]
  readonly delivery_status: DeliveryStatus
}

/** Whether a message has arrived. */
export function isDelivered({ status_code }: DeliveryStatus): boolean {
  return status_code === '200'
}
