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
  readonly #one = new Int32Array(1)

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

  /** Scores vectors, at most `ROWS_AT_ONCE`. @param ords the first `count` of them */
  take(ords: Int32Array, count: number): void {
    const { scores } = this
    const space = this.#space
    this.#rows.compare(ords, count)
    const { results } = this.#rows
    for (let i = 0; i < count; i++) {
      const raw =
        space === 'cosinesimil'
          ? cosineOf(results[i]!, this.#square, this.#vectors.square(ords[i]!))
          : results[i]!
      scores[i] = this.#scoreOf(space, raw)
    }
  }

  /** The score of one vector. */
  of(ord: number): number {
    this.#one[0] = ord
    this.take(this.#one, 1)
    return this.scores[0]!
  }
}
