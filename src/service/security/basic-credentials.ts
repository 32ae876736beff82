import { Secret } from '../../util/secret.ts'

/** A name and a password. */
export interface BasicCredentials {
  readonly name: string
  readonly password: Secret
}

const HEADER = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i

/** Control characters. */
const CONTROL = /\p{Cc}/u

/**
 * The credentials of an `Authorization` header of HTTP basic.
 * @returns null: it has another scheme, or none that can be read
 */
export function basicCredentials(header: string): BasicCredentials | null {
  const match = HEADER.exec(header)
  if (match === null) return null
  const bytes = Buffer.from(match[1]!, 'base64')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
  // The standard has none. One zero more at its end would make another text of the same hash.
  if (CONTROL.test(text)) return null
  // The first colon parts them: a password may hold some, a name none.
  const at = text.indexOf(':')
  if (at <= 0 || at === text.length - 1) return null
  return { name: text.slice(0, at), password: new Secret(text.slice(at + 1)) }
}
