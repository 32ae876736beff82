import { IllegalArgumentError } from '../../util/errors.ts'
import type { QueryToken } from './query-context.ts'

/** Stands for a position without a token, as at index time. */
const FILLER = '_'
const MAX_PATHS = 1000

/**
 * The tokens of a text as words in a row, as a field derived from them has them.
 * @param size     words of a row
 * @param leastSize words of the rows that its end cuts short; shorter ones make none
 * @throws {IllegalArgumentError} too many ways of words in a row start at one position
 */
export function shingled<T extends QueryToken>(
  tokens: readonly T[],
  size: number,
  leastSize: number = size,
): T[] {
  const positions: T[][] = []
  for (const token of tokens) {
    if (positions.length === 0) positions.push([])
    else for (let i = 0; i < token.positionIncrement; i++) positions.push([])
    positions[positions.length - 1]!.push(token)
  }
  const rows: T[] = []
  let last = -1
  for (let at = 0; at + leastSize <= positions.length; at++) {
    let paths = positions[at]!
    for (let i = 1; i < size && at + i < positions.length && paths.length > 0; i++) {
      const next = positions[at + i]!
      if (paths.length * next.length > MAX_PATHS)
        throw new IllegalArgumentError(`Too many graph paths (> ${MAX_PATHS})`)
      paths = paths.flatMap(path =>
        next.length === 0
          ? [{ ...path, term: `${path.term} ${FILLER}` }]
          : next.map(({ term, endOffset }) => ({
              ...path,
              term: `${path.term} ${term}`,
              endOffset,
            })),
      )
    }
    for (const path of paths) {
      rows.push({ ...path, positionIncrement: at - last, positionLength: 1 })
      last = at
    }
  }
  return rows
}
