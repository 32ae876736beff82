/** Checks of what a program hands to the library: names, and records of options. */
import { didYouMean, findAlike } from '../util/did-you-mean.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** Likeness of `prot` and `port` is one half, which is no more than by chance in longer names. */
const SHORT_NAME_RATIO = 0.45

/** The keys of a record of options: a total table, so that a new option does not compile without. */
export type OptionKeys<Options extends object> = Readonly<Record<AllKeys<Options>, unknown>>

/** Keys of every member of a union. */
type AllKeys<Options> = Options extends unknown ? keyof Options : never

/**
 * Refuses a record of options with an unknown key.
 *
 * @param what names the kind of option in the error: `search option`
 * @param known the keys there are
 * @throws {IllegalArgumentError} an unknown key, with those that are known; a value that is no object
 */
export function checkOptions<Options extends object>(
  what: string,
  given: Options,
  known: OptionKeys<Options>,
): void {
  checkRecord(`${what}s`, given)
  for (const key in given)
    if (!Object.hasOwn(known, key))
      throw new IllegalArgumentError(`unknown ${what} [${key}]${advice(key, Object.keys(known))}`)
}

/** The names that are alike, or else all there are. */
function advice(key: string, known: readonly string[]): string {
  return didYouMean(alikeOf(key, known)) || `, known are [${known.join(', ')}]`
}

/** Alike names; two letters that changed their order in a short one are a typo as well. */
function alikeOf(key: string, known: readonly string[]): readonly string[] {
  const alike = findAlike(key, known)
  return alike.length > 0 ? alike : findAlike(key, known, SHORT_NAME_RATIO)
}

/**
 * Refuses what is no object with keys.
 * @throws {IllegalArgumentError} `[what] must be an object, found …`
 */
export function checkRecord(what: string, given: unknown): void {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return
  throw new IllegalArgumentError(`[${what}] must be an object, found ${foundText(given)}`)
}

/**
 * Refuses an argument that is no text.
 *
 * @param argument its name: `id`
 * @param remedy what stands behind the reason, such as `, or null for …`
 * @throws {IllegalArgumentError} `[argument] must be a string, found …`
 */
export function checkText(argument: string, value: unknown, remedy = ''): void {
  if (typeof value === 'string') return
  throw new IllegalArgumentError(
    `[${argument}] must be a string${remedy}, found ${foundText(value)}`,
  )
}

/** A value as an error names it: short values whole, of others the kind. */
function foundText(value: unknown): string {
  if (value === null || value === undefined) return `[${value}]`
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return `the ${typeof value} [${value}]`
  if (Array.isArray(value)) return 'an array'
  if (value instanceof URL) return `the URL [${value.href}]`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
