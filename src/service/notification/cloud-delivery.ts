/** Deliveries by signed requests to a cloud: topics and its mail. */
import { type AssumedRoles, ROLE_SERVICE_VERSION } from './assumed-role.ts'
import type { TypeObjects } from './config.ts'
import type { DeliverySettings, Keys } from './delivery-settings.ts'
import { deliverByHttp, type HttpMessage } from './http-delivery.ts'
import { type DeliveryStatus, isDelivered, type Message } from './message.ts'

const FORM = 'application/x-www-form-urlencoded; charset=utf-8'

/** Characters of a topic's subject, at most. */
const MAX_SUBJECT = 100

/** What requests to a cloud are signed and sent with. */
export interface CloudAccess {
  /** Those of the node; null: it has none. */
  readonly keys: Keys | null
  readonly roles: AssumedRoles
  readonly settings: DeliverySettings
}

/** A request to a service, before it is signed. */
interface CloudRequest {
  readonly service: 'sns' | 'ses' | 'sts'
  readonly region: string
  /** First part of the name of the regional host, where no other endpoint is set, and the rest of it. */
  readonly host: string
  readonly domain: string
  readonly path: string
  readonly type: string
  readonly body: string
  /** Null: the keys of the node. */
  readonly roleArn: string | null
}

/** Publishes a message to a topic; no failure is thrown. */
export function deliverToTopic(
  { topic_arn, role_arn }: TypeObjects['topic_a'],
  message: Message,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const [, partition = '', , region = ''] = topic_arn.split(':')
  const body = new URLSearchParams({
    Action: 'Publish',
    Version: '2010-03-31',
    TopicArn: topic_arn,
    Subject: message.title.replace(/[^\x20-\x7e]/g, ' ').slice(0, MAX_SUBJECT),
    Message: message.text,
  }).toString()
  const request: CloudRequest = {
    service: 'sns',
    region,
    host: 'sns',
    domain: domainOf(partition),
    path: '/',
    type: FORM,
    body,
    roleArn: role_arn ?? null,
  }
  return deliverSigned(request, 'SNS', access, signal)
}

/** Sends a mail to one recipient; no failure is thrown. */
export function deliverByCloudMail(
  { region, from_address, role_arn }: TypeObjects['mail_a_account'],
  recipient: string,
  message: Message,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const content = (text: string): object => ({ Data: text, Charset: 'UTF-8' })
  const body = JSON.stringify({
    FromEmailAddress: from_address,
    Destination: { ToAddresses: [recipient] },
    Content: {
      Simple: {
        Subject: content(message.title),
        Body: {
          Text: content(message.text),
          ...(message.html === null ? {} : { Html: content(message.html) }),
        },
      },
    },
  })
  const partition = region.startsWith('cn-') ? 'aws-cn' : 'aws'
  const request: CloudRequest = {
    service: 'ses',
    region,
    host: 'email',
    domain: domainOf(partition),
    path: '/v2/email/outbound-emails',
    type: 'application/json',
    body,
    roleArn: role_arn ?? null,
  }
  return deliverSigned(request, 'SES', access, signal)
}

async function deliverSigned(
  request: CloudRequest,
  what: string,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const { keys } = access
  if (keys === null)
    return refused(
      'no keys to sign with: set [lamella.notifications.cloud.credentials] to a file with [access_key] and [secret_key]',
    )
  const { roleArn } = request
  if (roleArn === null) return await sendSigned(request, what, keys, access.settings, signal)
  const lent = access.roles.keysOf(roleArn)
  if (lent !== null) return await sendSigned(request, what, lent, access.settings, signal)
  const answer = await sendSigned(
    roleRequest(request, roleArn),
    'STS',
    keys,
    access.settings,
    signal,
  )
  if (!isDelivered(answer)) return answer
  const newlyLent = access.roles.keep(roleArn, answer.status_text)
  if (newlyLent === null) return refused(`no keys were lent for the role [${roleArn}]`)
  return await sendSigned(request, what, newlyLent, access.settings, signal)
}

/** The request for keys of a role, in the region of the request that they are for. */
function roleRequest({ region, domain }: CloudRequest, roleArn: string): CloudRequest {
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: ROLE_SERVICE_VERSION,
    RoleArn: roleArn,
    RoleSessionName: 'lamella-notifications',
  }).toString()
  return {
    service: 'sts',
    region,
    domain,
    host: 'sts',
    path: '/',
    type: FORM,
    body,
    roleArn: null,
  }
}

async function sendSigned(
  { service, region, domain, host, path, type, body }: CloudRequest,
  what: string,
  keys: Keys,
  settings: DeliverySettings,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const { AwsV4Signer } = await import('aws4fetch')
  const token = keys.get('session_token')
  const endpoint = settings.cloudEndpoint ?? `https://${host}.${region}.${domain}`
  const signer = new AwsV4Signer({
    method: 'POST',
    url: new URL(path, endpoint).href,
    headers: { 'content-type': type },
    body,
    accessKeyId: keys.get('access_key')?.reveal() ?? '',
    secretAccessKey: keys.get('secret_key')?.reveal() ?? '',
    ...(token === undefined ? {} : { sessionToken: token.reveal() }),
    service,
    region,
    allHeaders: true,
  })
  const { url, headers } = await signer.sign()
  const message: HttpMessage = {
    url: url.href,
    method: 'POST',
    headers: Object.fromEntries(headers),
    body,
  }
  return deliverByHttp(message, what, settings, signal)
}

/** A delivery that no other try would change. */
function refused(why: string): DeliveryStatus {
  return { status_code: '400', status_text: why }
}

function domainOf(partition: string): string {
  return partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com'
}
