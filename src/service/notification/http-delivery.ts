/** Deliveries by one HTTP request: webhooks, both chats, and the interfaces of clouds. */
import { encodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { AnswerTooLongError, OutboundClient, type OutboundRequest } from '../outbound.ts'
import type { DeliverySettings } from './delivery-settings.ts'
import type { DeliveryStatus, Message } from './message.ts'

/** Bytes of an answer that are read. */
const MAX_ANSWER = 64 * 1024
const ACCEPTED = [200, 201, 202, 203, 204, 205, 206, 207]

/** A request to a place. */
export interface HttpMessage extends Pick<OutboundRequest, 'method' | 'headers'> {
  readonly url: string
  readonly body: string
}

/** The request of a webhook: its text alone. */
export function webhookMessage(
  { url, method, header_params }: WebhookTarget,
  { text }: Message,
): HttpMessage {
  const hasHeaders = Object.keys(header_params).length > 0
  const headers = hasHeaders ? header_params : { 'Content-type': 'application/json' }
  return { url, method, headers, body: text }
}

/** A webhook with its headers unsealed. */
export interface WebhookTarget {
  readonly url: string
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly header_params: Readonly<Record<string, string>>
}

/** The request of a chat, whose text stands under a key of its own. */
export function chatMessage(url: string, key: 'text' | 'Content', message: Message): HttpMessage {
  return {
    url,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ [key]: `${message.title}\n\n${message.text}` }),
  }
}

/**
 * Sends a request once.
 * @param what it is, for the status: `webhook`
 * @returns how that ended; no failure is thrown
 */
export async function deliverByHttp(
  message: HttpMessage,
  what: string,
  settings: DeliverySettings,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const url = new URL(message.url)
  const client = new OutboundClient(
    {
      scheme: url.protocol === 'https:' ? 'https' : 'http',
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      tls: {
        verification: 'full',
        ...(settings.authorities === null ? {} : { ca: settings.authorities }),
      },
      connectTimeoutInMillis: settings.connectTimeoutInMillis,
      socketTimeoutInMillis: settings.socketTimeoutInMillis,
      maxBytes: MAX_ANSWER,
    },
    settings.guard,
  )
  // A peer that sends a byte now and then is never silent, and must not hold the delivery for good.
  const limit = AbortSignal.timeout(
    settings.connectTimeoutInMillis + 2 * settings.socketTimeoutInMillis,
  )
  try {
    const { status, reason, body } = await client.send(
      {
        method: message.method,
        path: url.pathname + url.search,
        headers: { host: url.host, ...authorization(url), ...message.headers },
        body: encodeUtf8(message.body),
      },
      AbortSignal.any([signal, limit]),
    )
    if (!ACCEPTED.includes(status))
      return failed(what, `Failed: ${reason === '' ? status : reason}`)
    const text = Buffer.from(body).toString('utf8')
    return { status_code: '200', status_text: text === '' ? '{}' : text }
  } catch (error) {
    if (error instanceof AnswerTooLongError) return failed(what, 'the answer is too long')
    if (!(error instanceof EngineError)) throw error
    // The place may not be reached, which no other try changes.
    if (error.type === 'illegal_argument_exception')
      return { status_code: '400', status_text: error.message }
    return failed(what, error.message)
  } finally {
    client.close()
  }
}

function failed(what: string, why: string): DeliveryStatus {
  return { status_code: '500', status_text: `Failed to send ${what} message ${why}` }
}

/** What a URL says of user and password. */
function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
