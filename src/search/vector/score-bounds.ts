/** Bounds of scores by the codes of vectors, a quarter of the bytes of the vectors themselves. */
import { quantise } from '../../codec/dense-vectors/quantise.ts'
import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { dotBytes } from '../../util/vector-sums.ts'
import { cosineOf, kernelKind, type QueryVector, scoreOf, squareOf } from './comparison.ts'
import { ROWS_AT_ONCE, RowComparison } from './row-comparison.ts'

/** Spaces whose scores follow from products and squares. */
const BOUNDED: readonly VectorSpace[] = ['l2', 'cosinesimil', 'innerproduct']

/** Enlarges a bound by more than the rounding of the float32 numbers that it was made of. */
const SLACK = 1 + 2 ** -10
/** Factors beyond the rounding of some steps in float32. */
const LESS = 1 - 2 ** -20
const MORE = 1 + 2 ** -20

/** Upper bounds of the scores of the vectors of a leaf for one query. */
export class ScoreBounds {
  /** Bounds of the last call; NaN where there is none. */
  readonly bounds: Float64Array = new Float64Array(ROWS_AT_ONCE)
  readonly #space: VectorSpace
  readonly #vectors: DenseVectorsReader
  readonly #rows: RowComparison
  readonly #step: number
  readonly #rest: number
  readonly #square: number
  readonly #length: number
  /** Relative error of a float32 sum over a vector's components. */
  readonly #rounding: number

  constructor(space: VectorSpace, query: Float32Array, vectors: DenseVectorsReader, leaf: Leaf) {
    const codes = new Int8Array(vectors.codeBytes)
    const { step, rest } = quantise(query, codes)
    const own = new Int8Array(vectors.codeBytes)
    const { u8 } = leaf.views
    const rows = {
      kind: kernelKind('dot', 'byte'),
      rows: vectors.codes,
      rowBytes: vectors.codeBytes,
      twin(ord: number): number {
        const start = vectors.codes + ord * vectors.codeBytes
        own.set(u8.subarray(start, start + vectors.codeBytes))
        return dotBytes(codes, own)
      },
    }
    this.#space = space
    this.#vectors = vectors
    this.#rows = new RowComparison(leaf, rows, codes)
    this.#step = step
    this.#rest = rest
    this.#square = squareOf(query)
    this.#length = Math.sqrt(this.#square)
    this.#rounding = (vectors.dimension / 16 + 8) * 2 ** -23
  }

  /**
   * Bounds the scores of vectors, at most `ROWS_AT_ONCE`.
   *
   * By Cauchy and Schwarz: with v = v' + e and q = q' + d, where v' and q' are what the codes stand for,
   * vq = v'q' + eq + v'd, and the length of v' is at most that of v and e together.
   * @param ords the first `count` of them
   */
  take(ords: Int32Array, count: number): void {
    this.#rows.compare(ords, count)
    const { results } = this.#rows
    const { bounds } = this
    const { quanta, squares } = this.#vectors
    const { f32 } = this.#vectors.section.views
    const own = this.#square
    const ownLength = this.#length
    const ownRest = this.#rest
    const ownStep = this.#step
    const rounding = this.#rounding * ownLength
    const lossless = 1 - 2 * this.#rounding
    const space = this.#space
    const isKnown = isBounded(own)
    for (let i = 0; i < count; i++) {
      const ord = ords[i]!
      const square = f32[squares + ord]!
      // Past these the errors of float32 are no longer relative to what they are errors of.
      if (!isKnown || !isBounded(square)) {
        bounds[i] = Number.NaN
        continue
      }
      const at = quanta + 2 * ord
      const rest = f32[at + 1]!
      const length = Math.sqrt(square)
      const error = rest * ownLength + (length + rest) * ownRest + rounding * length
      const dot = f32[at]! * ownStep * results[i]! + error * SLACK
      if (space === 'l2') {
        const distance = ((square + own) * lossless - 2 * dot) * lossless * LESS
        // As `scoreOf` would have it, which rounds thrice: this is rounded up by more than that.
        bounds[i] = distance > 0 ? MORE / (1 + distance) : 1
      } else bounds[i] = scoreOf(space, space === 'innerproduct' ? dot : cosineOf(dot, own, square))
    }
  }
}

function isBounded(square: number): boolean {
  return square > 1e-30 && square < 1e30
}

/** Bounds of a leaf's scores; null: its vectors have no codes, or the space's scores no bounds. */
export function scoreBounds(
  space: VectorSpace,
  query: QueryVector,
  vectors: DenseVectorsReader,
  leaf: Leaf,
): ScoreBounds | null {
  if (vectors.codes === 0 || !BOUNDED.includes(space) || !(query instanceof Float32Array))
    return null
  return new ScoreBounds(space, query, vectors, leaf)
}
