/**
 * Files of keys: lines of `name: value` or `name = value`. A value is plain, or `sealed:` and what was made of it under the
 * key of the data folder, which it is read with again.
 */
import { secretKey } from '../../store/secret-key.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { seal, unseal } from '../../util/sealed-text.ts'
import { Secret } from '../../util/secret.ts'

/** In the data folder: what secrets of notifications are sealed under. */
const KEY_FILE = 'notifications.key'
const SEALED = 'sealed:'
const LINE = /^(\w+)(\s*[:=]\s*)(\S.*)$/

/**
 * The key that secrets of notifications are sealed under.
 * @param folder the data folder; null: the key lives as long as the process
 * @throws {EngineError} as `secretKey`
 */
export function notificationKey(folder: string | null): Uint8Array {
  return secretKey(folder, KEY_FILE)
}

/**
 * The text of a value that was sealed.
 * @param what names it in the error
 * @throws {EngineError} `illegal_argument_exception`: it was sealed under another key, or changed
 */
export function unsealed(key: Uint8Array, sealed: string, what: string): Secret {
  const secret = unseal(key, sealed)
  if (secret !== null) return secret
  throw new IllegalArgumentError(
    `${what} was sealed under another key than [${KEY_FILE}]: give it anew`,
  )
}

/** A line of a file of keys. */
export interface KeyLine {
  readonly name: string
  readonly value: Secret
}

/**
 * Reads a line, its value in plain text however it stands there.
 * @returns null: it is no such line
 * @throws {EngineError} as `unsealed`
 */
export function readKeyLine(folder: string | null, line: string): KeyLine | null {
  const [, name = '', , value = ''] = LINE.exec(line.trim()) ?? []
  if (name === '') return null
  if (!value.startsWith(SEALED)) return { name, value: new Secret(value) }
  const sealed = value.slice(SEALED.length)
  return { name, value: unsealed(notificationKey(folder), sealed, `the value of [${name}]`) }
}

/**
 * A file of keys with every value sealed; those that are sealed stay.
 * @throws {EngineError} `illegal_argument_exception`: a line is none, which is not shown
 */
export function sealKeys(folder: string, text: string): string {
  const key = notificationKey(folder)
  const lines = text.split(/\r?\n/).map((line, i) => {
    if (line.trim() === '') return line
    const [, name = '', between = '', value = ''] = LINE.exec(line.trim()) ?? []
    if (name === '')
      throw new IllegalArgumentError(`line [${i + 1}] is not of the form [name: value]`)
    if (value.startsWith(SEALED)) return line
    return `${name}${between}${SEALED}${seal(key, new Secret(value))}`
  })
  return lines.join('\n')
}
