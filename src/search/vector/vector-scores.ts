import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { Leaf } from '../../segment/leaf.ts'
import {
  COMPARISON_OF_SPACE,
  compareOne,
  cosineOf,
  kernelKind,
  type QueryVector,
  scoreOf,
  squareOf,
} from './comparison.ts'
import { ROWS_AT_ONCE, RowComparison } from './row-comparison.ts'

/** Scores of the vectors of a leaf for one query: the same bits whichever are asked for together. */
export class VectorScores {
  /** Scores of the last call. */
  readonly scores: Float32Array = new Float32Array(ROWS_AT_ONCE)
  readonly #rows: RowComparison
  readonly #vectors: DenseVectorsReader
  readonly #space: VectorSpace
  readonly #square: number

  readonly #scoreOf: (space: VectorSpace, raw: number) => number

  /**
   * @param query   in the form of the leaf's vectors, of their dimension
   * @param formula makes scores of what `scoreOf` takes; absent: it does
   */
  constructor(
    space: VectorSpace,
    query: QueryVector,
    vectors: DenseVectorsReader,
    leaf: Leaf,
    formula: (space: VectorSpace, raw: number) => number = scoreOf,
  ) {
    this.#space = space
    this.#scoreOf = formula
    this.#vectors = vectors
    const comparison = COMPARISON_OF_SPACE[space]
    const rows = {
      kind: kernelKind(comparison, vectors.element),
      rows: vectors.rows,
      rowBytes: vectors.rowBytes,
      twin: (ord: number) => compareOne(comparison, query, vectors, ord),
    }
    this.#rows = new RowComparison(leaf, rows, query)
    this.#square = space === 'cosinesimil' ? squareOf(query) : 0
  }

  /**
   * Scores vectors, at most `ROWS_AT_ONCE`.
   * @param ords the first `count` of them; null: the run from `first` on
   */
  take(ords: Int32Array | null, first: number, count: number): void {
    const { scores } = this
    const space = this.#space
    const scoreOf = this.#scoreOf
    this.#rows.compare(ords, first, count)
    const { results } = this.#rows
    if (space !== 'cosinesimil') {
      for (let i = 0; i < count; i++) scores[i] = scoreOf(space, results[i]!)
      return
    }
    const own = this.#square
    const vectors = this.#vectors
    for (let i = 0; i < count; i++) {
      const square = vectors.square(ords === null ? first + i : ords[i]!)
      scores[i] = scoreOf(space, cosineOf(results[i]!, own, square))
    }
  }

  /** The score of one vector. */
  of(ord: number): number {
    this.take(null, ord, 1)
    return this.scores[0]!
  }
}
