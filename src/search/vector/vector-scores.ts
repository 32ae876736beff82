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
import { type RawLimit, rawLimit } from './raw-limit.ts'
import { ROWS_AT_ONCE, RowComparison } from './row-comparison.ts'

/** Of the last call of any instance: an array for each query takes as long as comparing some vectors. */
const scores = new Float32Array(ROWS_AT_ONCE)

/** Scores of the vectors of a leaf for one query: the same bits whichever are asked for together. */
export class VectorScores {
  /** Scores of the last call; the next one of any query writes over them. */
  readonly scores: Float32Array = scores
  readonly #rows: RowComparison
  readonly #vectors: DenseVectorsReader
  readonly #space: VectorSpace
  readonly #square: number
  /** Of the score that was needed last; null: none is known. */
  #limit: RawLimit | null = null
  #needed = Number.NaN

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
    const space = this.#space
    const scoreOf = this.#scoreOf
    this.#rows.compare(ords, first, count)
    const rows = this.#rows
    if (space !== 'cosinesimil') {
      for (let i = 0; i < count; i++) scores[i] = scoreOf(space, rows.result(i))
      return
    }
    const own = this.#square
    const vectors = this.#vectors
    for (let i = 0; i < count; i++) {
      const square = vectors.square(ords === null ? first + i : ords[i]!)
      scores[i] = scoreOf(space, cosineOf(rows.result(i), own, square))
    }
  }

  /**
   * Scores of vectors, at most `ROWS_AT_ONCE`, those that may reach a score, by the space's own formula.
   * @param ords the first `count` of them; null: the run from `first` on
   * @param kept receives which of the `count` they are, in order; their scores are the first of `scores`
   * @returns how many they are
   */
  takeAbove(
    ords: Int32Array | null,
    first: number,
    count: number,
    needed: number,
    kept: Int32Array,
  ): number {
    if (needed !== this.#needed) {
      this.#needed = needed
      this.#limit = rawLimit(this.#space, needed, this.#square)
    }
    const limit = this.#limit
    if (limit === null) {
      this.take(ords, first, count)
      for (let i = 0; i < count; i++) kept[i] = i
      return count
    }
    this.#rows.compare(ords, first, count)
    const rows = this.#rows
    const { kind, value } = limit
    const vectors = this.#vectors
    const space = this.#space
    let found = 0
    for (let i = 0; i < count; i++) {
      const raw = rows.result(i)
      if (kind === 'distance') {
        if (raw >= value) continue
        scores[found] = scoreOf(space, raw)
      } else if (kind === 'product') {
        if (raw <= value) continue
        scores[found] = scoreOf(space, raw)
      } else {
        if (raw <= 0) continue
        const square = vectors.square(ords === null ? first + i : ords[i]!)
        if (raw * raw < value * square) continue
        scores[found] = scoreOf(space, cosineOf(raw, this.#square, square))
      }
      kept[found++] = i
    }
    return found
  }

  /** The score of one vector. */
  of(ord: number): number {
    this.take(null, ord, 1)
    return scores[0]!
  }
}
