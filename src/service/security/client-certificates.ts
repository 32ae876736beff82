import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { Peer, SecurityUser } from './security-user.ts'

const PREFIX = 'plugins.security.authc.clientcert'
/** Users kept, so that the rights of each are found once. */
const MAX_USERS = 1_000

/** An attribute of a subject. */
interface SubjectAttribute {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

/** Takes the subject of a client's certificate, which an authority of the server has signed, for a user. */
export class ClientCertificates {
  readonly isOn: boolean
  /** Empty: the whole subject is the name. */
  readonly #nameAttribute: string
  /** Empty: certificates name no backend roles. */
  readonly #rolesAttribute: string
  /** By subject; null: it names nobody. */
  readonly #users = new Map<string, SecurityUser | null>()

  constructor(settings: Settings) {
    this.isOn = nodeSettings.boolean(settings, `${PREFIX}.enabled`)
    this.#nameAttribute = nodeSettings.text(settings, `${PREFIX}.username_attribute`).toLowerCase()
    this.#rolesAttribute = nodeSettings.text(settings, `${PREFIX}.roles_attribute`).toLowerCase()
  }

  /** The user of a connection's certificate; null: it has none, or none that names a user. */
  userOf({ subject }: Peer): SecurityUser | null {
    if (!this.isOn || subject === undefined) return null
    let user = this.#users.get(subject)
    if (user === undefined) {
      user = this.#read(subject)
      if (this.#users.size >= MAX_USERS) this.#users.clear()
      this.#users.set(subject, user)
    }
    return user
  }

  #read(subject: string): SecurityUser | null {
    const attributes = attributesOf(subject)
    const valuesOf = (name: string): readonly string[] =>
      attributes.filter(each => each.name === name).map(({ value }) => value)
    const [name = ''] =
      this.#nameAttribute === '' ? [distinguishedName(subject)] : valuesOf(this.#nameAttribute)
    if (name === '') return null
    return {
      name,
      backendRoles: this.#rolesAttribute === '' ? [] : valuesOf(this.#rolesAttribute),
      requestedTenant: null,
      ownRoles: [],
      attributes: new Map(),
      isInternal: false,
    }
  }
}

/**
 * The name of a subject in the form of RFC 2253, its last part first.
 * @param subject as `X509Certificate` gives it: a part on each line, special characters behind a backslash
 */
export function distinguishedName(subject: string): string {
  return subject
    .split('\n')
    .reverse()
    .map(part => part.replaceAll(' + ', '+'))
    .join(',')
}

/** Values that hold line breaks or ` + ` have them behind a backslash. */
function attributesOf(subject: string): readonly SubjectAttribute[] {
  return subject.split(/\n| \+ /).flatMap(text => {
    const at = text.indexOf('=')
    if (at < 0) return []
    return [{ name: text.slice(0, at).toLowerCase(), value: unescaped(text.slice(at + 1)) }]
  })
}

function unescaped(value: string): string {
  return value.replace(/\\(?:([0-9A-Fa-f]{2})|([\s\S]))/g, (_, hex?: string, sign?: string) =>
    hex === undefined ? (sign ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
