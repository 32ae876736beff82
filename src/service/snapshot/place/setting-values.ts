/** Values of a repository's settings, with the errors of those that they do not take. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { ReadText } from './repository-type.ts'

/**
 * One of a few words.
 * @throws {IllegalArgumentError} another one
 */
export function choice(
  text: ReadText,
  key: string,
  words: readonly string[],
  otherwise: string,
): string {
  const word = text(key, otherwise)
  if (words.includes(word)) return word
  throw new IllegalArgumentError(
    `failed to parse value [${word}] for setting [${key}], must be one of [${words.join(', ')}]`,
  )
}

/**
 * A number between two others, each with its text.
 * @throws {IllegalArgumentError} outside of them
 */
export function integerWithin(
  key: string,
  given: string,
  value: number,
  bounds: { readonly min: readonly [number, string]; readonly max: readonly [number, string] },
): number {
  const { min, max } = bounds
  const fault = (sign: string, bound: string): IllegalArgumentError =>
    new IllegalArgumentError(
      `failed to parse value [${given}] for setting [${key}], must be ${sign} [${bound}]`,
    )
  if (value < min[0]) throw fault('>=', min[1])
  if (value > max[0]) throw fault('<=', max[1])
  return value
}
