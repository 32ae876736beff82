import { IllegalArgumentError } from '../../util/errors.ts'
import type { QueryToken } from './query-context.ts'

/** Stands for a position without a token, as at index time. */
const FILLER = '_'
const MAX_PATHS = 1000

/**
 * The tokens of a query as words in a row, as a field derived from them has them.
 * @param size words of a row; fewer words make none
 * @throws {IllegalArgumentError} too many ways of words in a row start at one position
 */
export function shingled(tokens: readonly QueryToken[], size: number): QueryToken[] {
  const positions: QueryToken[][] = []
  for (const token of tokens) {
    if (positions.length === 0) positions.push([])
    else for (let i = 0; i < token.positionIncrement; i++) positions.push([])
    positions[positions.length - 1]!.push(token)
  }
  const rows: QueryToken[] = []
  let last = -1
  for (let at = 0; at + size <= positions.length; at++) {
    let paths = positions[at]!
    for (let i = 1; i < size && paths.length > 0; i++) {
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
