import { IllegalArgumentError } from '../../util/errors.ts'
import type { ParsedInnerHits } from './fetch-part.ts'

/**
 * Holds the window of inner hits against that of an index.
 * @throws {IllegalArgumentError} `from` + `size` goes past it
 */
export function checkInnerWindow(
  { from, size }: Pick<ParsedInnerHits, 'from' | 'size'>,
  name: string,
  most: number,
): void {
  if (from + size <= most) return
  throw new IllegalArgumentError(
    `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be ` +
      `less than or equal to: [${most}] but was [${from + size}]. This limit can be set by ` +
      'changing the [index.max_inner_result_window] index level setting.',
  )
}
