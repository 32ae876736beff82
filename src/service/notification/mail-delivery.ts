/** Deliveries by the mail protocol, through a server that an account names. */
import type { Socket } from 'node:net'
import { EngineError } from '../../util/errors.ts'
import { openOutboundSocket } from '../outbound.ts'
import type { TypeObjects } from './config.ts'
import type { DeliverySettings, Keys } from './delivery-settings.ts'
import type { DeliveryStatus, Message } from './message.ts'

/**
 * Sends a mail to one recipient.
 * @param keys name and password; null: the server asks for none
 * @returns how that ended; no failure is thrown
 */
export async function deliverByMail(
  account: TypeObjects['smtp_account'],
  keys: Keys | null,
  recipient: string,
  message: Message,
  settings: DeliverySettings,
): Promise<DeliveryStatus> {
  const { createTransport } = await import('nodemailer')
  const { host, port, method, from_address } = account
  let socket: Socket
  try {
    socket = await openOutboundSocket(
      { host, port },
      settings.guard,
      settings.connectTimeoutInMillis,
    )
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const isRefused = error.type === 'illegal_argument_exception'
    return {
      status_code: isRefused ? '400' : '500',
      status_text: `sendEmail Error, ${error.message}`,
    }
  }
  const user = keys?.get('username')
  const transport = createTransport({
    host,
    port,
    // The protocol is spoken on a connection that was checked.
    getSocket: (_options, done) => done(null, { connection: socket }),
    secure: method === 'ssl',
    // Without a way back to plain text; `none` never leaves it.
    requireTLS: method === 'start_tls',
    ignoreTLS: method === 'none',
    ...(user === undefined
      ? {}
      : { auth: { user: user.reveal(), pass: keys?.get('password')?.reveal() ?? '' } }),
    tls: settings.authorities === null ? {} : { ca: settings.authorities },
    connectionTimeout: settings.connectTimeoutInMillis,
    greetingTimeout: settings.socketTimeoutInMillis,
    socketTimeout: settings.socketTimeoutInMillis,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from: { name: '', address: from_address },
      to: { name: '', address: recipient },
      subject: message.title,
      text: message.text,
      ...(message.html === null ? {} : { html: message.html }),
    })
    return { status_code: '200', status_text: 'Success' }
  } catch (error) {
    return { status_code: '500', status_text: `sendEmail Error, ${reasonOf(error)}` }
  } finally {
    transport.close()
    socket.destroy()
  }
}

/** What a mail server refused; its texts may repeat what was sent to it. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  const what = code ?? 'unknown'
  return responseCode === undefined ? `status:${what}` : `status:${what}, code:${responseCode}`
}
