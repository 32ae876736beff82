/** Settings of one similarity, `index.similarity.NAME.*`, by their keys without that. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { floatText } from '../../util/json/float-text.ts'
import { javaDecimal } from '../field-type/number-text.ts'
import type { SettingValue } from '../settings.ts'

/** The beginning of the keys of all similarities. */
export const PREFIX = 'index.similarity.'

/** Settings of one similarity. */
export interface SimilarityGroup {
  readonly name: string
  readonly values: ReadonlyMap<string, SettingValue>
}

/** The text of a setting; null: it is not given, or a list. */
export function textOf({ values }: SimilarityGroup, key: string): string | null {
  const value = values.get(key) ?? null
  return typeof value === 'string' ? value : null
}

/**
 * A number, float32.
 * @throws {IllegalArgumentError} the text is none
 */
export function floatOf(group: SimilarityGroup, key: string, otherwise: number): number {
  const text = textOf(group, key)
  if (text === null) return Math.fround(otherwise)
  const value = javaDecimal(text)
  if (value === null)
    throw new IllegalArgumentError(
      `Failed to parse value [${text}] for setting [${PREFIX}${group.name}.${key}]`,
    )
  return Math.fround(value)
}

/**
 * A number, float32, that is finite and no less than 0.
 * @param called its name in the words of the refusal
 * @throws {IllegalArgumentError} it is none
 */
export function nonNegativeOf(
  group: SimilarityGroup,
  key: string,
  otherwise: number,
  called: string,
): number {
  const value = floatOf(group, key, otherwise)
  if (Number.isFinite(value) && value >= 0) return value
  throw new IllegalArgumentError(
    `illegal ${called} value: ${floatText(value)}, must be a non-negative finite value`,
  )
}

/**
 * `true` or `false`.
 * @throws {IllegalArgumentError} the text is neither
 */
export function flagOf(group: SimilarityGroup, key: string, otherwise: boolean): boolean {
  const text = textOf(group, key)
  if (text === null || text === '') return otherwise
  if (text === 'true' || text === 'false') return text === 'true'
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
  )
}

/**
 * One of the names that a setting takes.
 * @param what the setting is, in the words of the refusal
 * @param lists whether the refusal lists the names, in their order here
 * @throws {IllegalArgumentError} the text is none of them
 */
export function nameOf<N extends string>(
  group: SimilarityGroup,
  key: string,
  names: readonly N[],
  what: string,
  lists: boolean,
): N {
  const text = textOf(group, key)
  const found = names.find(name => name === text)
  if (found !== undefined) return found
  const expected = lists ? `, expected one of [${names.join(', ')}]` : ''
  throw new IllegalArgumentError(`Unsupported ${what} [${text}]${expected}`)
}
