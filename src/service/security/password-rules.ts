import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'

const MAX_LENGTH = 100
/** Bits that a password must be worth, by its characters and how it repeats itself. */
const LEAST_BITS = 36
/** Kinds of characters, and how many there are of each. */
const KINDS: readonly (readonly [pattern: RegExp, count: number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33],
]

/**
 * What is wrong with a new password, as the answer says it; null: nothing.
 * @param name of its user
 */
export function passwordFault(name: string, password: string, settings: Settings): string | null {
  const minLength =
    nodeSettings.number(settings, 'plugins.security.restapi.password_min_length') ?? 0
  const pattern = nodeSettings.text(settings, 'plugins.security.restapi.password_validation_regex')
  if (password === '' || password.length < minLength) return 'Password is too short'
  if (password.length > MAX_LENGTH) return 'Password is too long'
  if (/\p{Cc}/u.test(password)) return 'Password holds control characters'
  if (pattern !== '' && !new RegExp(`^(?:${pattern})$`, 'u').test(password))
    return (
      nodeSettings.text(settings, 'plugins.security.restapi.password_validation_error_message') ||
      'Password does not match minimum criteria'
    )
  if (isLike(name, password)) return 'Password is similar to user name'
  return bitsOf(password) < LEAST_BITS ? 'Weak password' : null
}

/** Whether a password is little more than the name. */
function isLike(name: string, password: string): boolean {
  const [shown, hidden] = [name.toLowerCase(), password.toLowerCase()]
  return hidden.includes(shown) && shown.length * 2 > hidden.length
}

/** A bound of the guesses, as a power of two: characters that follow from those before count little. */
function bitsOf(password: string): number {
  const size = KINDS.reduce((sum, [kind, count]) => sum + (kind.test(password) ? count : 0), 0)
  const seen = new Set<string>()
  let bits = 0
  let before = 0
  let step = Number.NaN
  for (const sign of password) {
    const code = sign.codePointAt(0)!
    const isForeseen = seen.has(sign) || code - before === step || Math.abs(code - before) === 1
    bits += isForeseen ? 1 : Math.log2(size)
    seen.add(sign)
    step = code - before
    before = code
  }
  return bits
}
