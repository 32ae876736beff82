/** Keys that a cloud lends for a role: asked for with those of the node, and kept until shortly before they end. */
import { Secret } from '../../util/secret.ts'
import type { Keys } from './delivery-settings.ts'

/** The version of the interface of the service that lends keys. */
export const ROLE_SERVICE_VERSION = '2011-06-15'

/** How long before their end keys are asked for anew. */
const MARGIN_IN_MILLIS = 60_000
/** Roles whose keys are kept. */
const MAX_ROLES = 100

/** Keys by role. */
export class AssumedRoles {
  readonly #kept = new Map<string, { readonly keys: Keys; readonly endsAtInMillis: number }>()

  /** Keys that are good for a while; null: there are none. */
  keysOf(roleArn: string): Keys | null {
    const kept = this.#kept.get(roleArn)
    return kept !== undefined && kept.endsAtInMillis - MARGIN_IN_MILLIS > Date.now()
      ? kept.keys
      : null
  }

  /**
   * Keeps the keys of an answer of the service.
   * @returns them; null: the answer has none
   */
  keep(roleArn: string, answer: string): Keys | null {
    const textOf = (tag: string): string | null =>
      new RegExp(`<${tag}>\\s*([^<]+?)\\s*</${tag}>`).exec(answer)?.[1] ?? null
    const access = textOf('AccessKeyId')
    const secret = textOf('SecretAccessKey')
    const token = textOf('SessionToken')
    const endsAtInMillis = Date.parse(textOf('Expiration') ?? '')
    if (access === null || secret === null || token === null || Number.isNaN(endsAtInMillis))
      return null
    const keys = new Map([
      ['access_key', new Secret(access)],
      ['secret_key', new Secret(secret)],
      ['session_token', new Secret(token)],
    ])
    this.#kept.delete(roleArn)
    this.#kept.set(roleArn, { keys, endsAtInMillis })
    if (this.#kept.size > MAX_ROLES) this.#kept.delete(this.#kept.keys().next().value!)
    return keys
  }
}
