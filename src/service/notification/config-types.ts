/** The types of configurations: their names, their fields, and the checks of these. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { BodyReader, textOf } from './body-reader.ts'
import type { ConfigType, Recipient, TypeObjects } from './config.ts'

/** A type. */
interface ConfigTypeSpec<K extends ConfigType> {
  /** The name that the reference server has for it, where that is another one. */
  readonly alias: string | null
  /** Whether messages can be sent to it: the others are parts of channels. */
  readonly isChannel: boolean
  /** @throws {EngineError} a field that is missing or malformed */
  parse(from: BodyReader): TypeObjects[K]
}

/** The types, in the order in which the features list them. */
export const CONFIG_TYPES: { readonly [K in ConfigType]: ConfigTypeSpec<K> } = {
  topic_a: {
    alias: 'sns',
    isChannel: true,
    parse: from => ({ topic_arn: topicArn(from.text('topic_arn')), ...roleArn(from) }),
  },
  chat_a: { alias: 'slack', isChannel: true, parse: from => ({ url: url(from) }) },
  chat_b: { alias: 'chime', isChannel: true, parse: from => ({ url: url(from) }) },
  webhook: {
    alias: null,
    isChannel: true,
    parse: from => ({ url: url(from), header_params: headers(from), method: httpMethod(from) }),
  },
  smtp_account: {
    alias: null,
    isChannel: false,
    parse: from => ({
      host: hostName(from.text('host')),
      port: port(from.integer('port')),
      method: smtpMethod(from.text('method')),
      from_address: address(from.text('from_address')),
    }),
  },
  mail_a_account: {
    alias: 'ses_account',
    isChannel: false,
    parse: from => ({
      region: region(from.text('region')),
      ...roleArn(from),
      from_address: address(from.text('from_address')),
    }),
  },
  email_group: {
    alias: null,
    isChannel: false,
    parse: from => {
      from.required('recipient_list')
      return { recipient_list: recipients(from) }
    },
  },
  email: {
    alias: null,
    isChannel: true,
    parse: from => ({
      email_account_id: from.text('email_account_id'),
      recipient_list: recipients(from),
      email_group_id_list: (from.list('email_group_id_list') ?? []).map(node =>
        textOf(node, 'email_group_id_list'),
      ),
    }),
  },
}

/** The names of all types. */
export const CONFIG_TYPE_NAMES: readonly ConfigType[] = Object.keys(CONFIG_TYPES) as ConfigType[]

/** The type that a name means; null: none. */
export function configTypeOf(name: string): ConfigType | null {
  return CONFIG_TYPE_NAMES.find(type => type === name || CONFIG_TYPES[type].alias === name) ?? null
}

/** The parameters and keys that a type's name may be given by. */
export function namesOf(type: ConfigType): readonly string[] {
  const { alias } = CONFIG_TYPES[type]
  return alias === null ? [type] : [type, alias]
}

function url(from: BodyReader): string {
  const text = from.text('url')
  if (text === '') throw new IllegalArgumentError('URL is null or empty')
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed === null)
    throw new EngineError({ type: 'malformed_u_r_l_exception', reason: `no protocol: ${text}` })
  const isHttp = parsed.protocol === 'http:' || parsed.protocol === 'https:'
  if (!isHttp || parsed.hostname === '')
    throw new IllegalArgumentError('Invalid URL or unsupported')
  return text
}

/** A token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Of the connection itself: a caller's own would smuggle a second request. */
const OWN_HEADERS = ['connection', 'content-length', 'host', 'transfer-encoding']

function headers(from: BodyReader): Readonly<Record<string, string>> {
  const node = from.value('header_params')
  if (node === undefined) return {}
  if (node.kind !== 'object') throw new IllegalArgumentError('[header_params] must be an object')
  const given = node.entries.map(({ key, value }) => {
    const text = textOf(value, key)
    if (!HEADER_NAME.test(key) || OWN_HEADERS.includes(key.toLowerCase()))
      throw new IllegalArgumentError(`Invalid header name [${key}]`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    if (/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/.test(text))
      throw new IllegalArgumentError(`Invalid value of the header [${key}]`)
    return [key, text] as const
  })
  return Object.fromEntries(given)
}

function httpMethod(from: BodyReader): TypeObjects['webhook']['method'] {
  const text = from.optionalText('method') ?? 'POST'
  if (text === 'POST' || text === 'PUT' || text === 'PATCH') return text
  throw new IllegalArgumentError(`Invalid method [${text}], must be one of [POST, PUT, PATCH]`)
}

function smtpMethod(text: string): TypeObjects['smtp_account']['method'] {
  if (text === 'none' || text === 'ssl' || text === 'start_tls') return text
  throw new IllegalArgumentError(`Invalid method [${text}], must be one of [none, ssl, start_tls]`)
}

function hostName(text: string): string {
  if (text === '') throw new IllegalArgumentError('host is null or empty')
  if (/^[A-Za-z0-9._-]+$/.test(text) || /^[0-9A-Fa-f:.]+$/.test(text)) return text
  throw new IllegalArgumentError(`Invalid host [${text}]`)
}

function port(number: number): number {
  if (number <= 0) throw new IllegalArgumentError('port should be positive value')
  if (number > 65_535) throw new IllegalArgumentError('port should be at most 65535')
  return number
}

function region(text: string): string {
  if (/^[a-z0-9-]+$/.test(text)) return text
  throw new IllegalArgumentError(
    text === '' ? 'region is null or empty' : `Invalid region [${text}]`,
  )
}

const TOPIC_ARN = /^arn:aws(-[^:]+)?:sns:([a-zA-Z0-9-]+):([0-9]{12}):([a-zA-Z0-9-_]+(\.fifo)?)$/
const ROLE_ARN = /^arn:aws(-[^:]+)?:iam::([0-9]{12}):([a-zA-Z_0-9+=,.@\-/]+)$/

function topicArn(text: string): string {
  if (TOPIC_ARN.test(text)) return text
  throw new IllegalArgumentError(`Invalid AWS SNS topic ARN: ${text}`)
}

function roleArn(from: BodyReader): { readonly role_arn?: string } {
  const text = from.optionalText('role_arn')
  if (text === undefined || text === '') return {}
  if (!ROLE_ARN.test(text)) throw new IllegalArgumentError(`Invalid AWS role ARN: ${text}`)
  return { role_arn: text }
}

/** Recipients as objects, or as plain texts. */
function recipients(from: BodyReader): readonly Recipient[] {
  return (from.list('recipient_list') ?? []).map(node => ({
    recipient: address(
      node.kind === 'object'
        ? new BodyReader(node, 'recipient_list').text('recipient')
        : textOf(node, 'recipient_list'),
    ),
  }))
}

/** One mailbox in plain ASCII: nothing that could end a header or a command of the mail protocol. */
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i
/** Of RFC 5321. */
const MAX_ADDRESS_LENGTH = 254

function address(text: string): string {
  if (text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text)) return text
  throw new IllegalArgumentError('Invalid email address')
}
