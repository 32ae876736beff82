/** The scores that scripts of vectors give, whose formulas differ from those of searches in places. */
import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import { type QueryVector, scoreOf } from './comparison.ts'

/**
 * The formula of a script.
 * @param query says whether components are float32 or integers
 */
export function scriptFormula(query: QueryVector): (space: VectorSpace, raw: number) => number {
  return query instanceof Float32Array ? scoreOfFloats : scoreOfBytes
}

/** Scripts have formulas of their own for cosines. */
function scoreOfFloats(space: VectorSpace, raw: number): number {
  if (space !== 'cosinesimil') return scoreOf(space, raw)
  return Math.max(Math.fround(Math.fround(1 + raw) / 2), 0)
}

/** Release 3.6 does not halve those of bytes. */
function scoreOfBytes(space: VectorSpace, raw: number): number {
  return space === 'cosinesimil' ? Math.max(Math.fround(1 + raw), 0) : scoreOf(space, raw)
}
