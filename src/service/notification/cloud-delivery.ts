/** Deliveries by signed requests to a cloud: topics and its mail. */
import type { TypeObjects } from './config.ts'
import type { DeliverySettings, Keys } from './delivery-settings.ts'
import { deliverByHttp, type HttpMessage } from './http-delivery.ts'
import type { DeliveryStatus, Message } from './message.ts'

/** Characters of a topic's subject, at most. */
const MAX_SUBJECT = 100

/** A request to a service, before it is signed. */
interface CloudRequest {
  readonly service: 'sns' | 'ses'
  readonly region: string
  /** The regional place where there is no other. */
  readonly endpoint: string
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
  keys: Keys | null,
  settings: DeliverySettings,
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
    endpoint: `https://sns.${region}.${domainOf(partition)}`,
    path: '/',
    type: 'application/x-www-form-urlencoded; charset=utf-8',
    body,
    roleArn: role_arn ?? null,
  }
  return deliverSigned(request, 'SNS', keys, settings, signal)
}

/** Sends a mail to one recipient; no failure is thrown. */
export function deliverByCloudMail(
  { region, from_address, role_arn }: TypeObjects['mail_a_account'],
  recipient: string,
  message: Message,
  keys: Keys | null,
  settings: DeliverySettings,
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
    endpoint: `https://email.${region}.${domainOf(partition)}`,
    path: '/v2/email/outbound-emails',
    type: 'application/json',
    body,
    roleArn: role_arn ?? null,
  }
  return deliverSigned(request, 'SES', keys, settings, signal)
}

async function deliverSigned(
  request: CloudRequest,
  what: string,
  keys: Keys | null,
  settings: DeliverySettings,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const accessKey = keys?.get('access_key')
  const secretKey = keys?.get('secret_key')
  if (accessKey === undefined || secretKey === undefined)
    return refused(
      'no keys to sign with: set [lamella.notifications.cloud.credentials] to a file with [access_key] and [secret_key]',
    )
  if (request.roleArn !== null) return refused('[role_arn] is not supported yet')
  const { AwsV4Signer } = await import('aws4fetch')
  const token = keys?.get('session_token')
  const signer = new AwsV4Signer({
    method: 'POST',
    url: new URL(request.path, settings.cloudEndpoint ?? request.endpoint).href,
    headers: { 'content-type': request.type },
    body: request.body,
    accessKeyId: accessKey.reveal(),
    secretAccessKey: secretKey.reveal(),
    ...(token === undefined ? {} : { sessionToken: token.reveal() }),
    service: request.service,
    region: request.region,
    allHeaders: true,
  })
  const { url, headers } = await signer.sign()
  const message: HttpMessage = {
    url: url.href,
    method: 'POST',
    headers: Object.fromEntries(headers),
    body: request.body,
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
