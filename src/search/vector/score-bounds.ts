/** Bounds of scores by the codes of vectors, a quarter of the bytes of the vectors themselves. */
import { type Quantised, quantise } from '../../codec/dense-vectors/quantise.ts'
import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type QueryVector, squareOf } from './comparison.ts'
import { rawBelow } from './raw-limit.ts'
import { ROWS_AT_ONCE } from './row-comparison.ts'

/** Spaces whose scores follow from products and squares. */
const BOUNDED: readonly VectorSpace[] = ['l2', 'cosinesimil', 'innerproduct']

/** Enlarges what codes leave out by more than the rounding of the float32 numbers that it was made of. */
const SLACK = 1 + 2 ** -10
/** More than the relative rounding of all of the kernel's steps in float32, and of a number's conversion to it. */
const STEPS = 2 ** -19
const MARGIN = 2 ** -20

/** Bytes of the kernel's record (`kernels/assembly/code-bounds.ts`), and of a list of vectors. */
const RECORD_BYTES = 128
/** Four are written at once, of which the last may be behind those that are kept. */
const LIST_BYTES = 4 * ROWS_AT_ONCE + 16
const ORDS_WORD = 3
const FACTORS_WORD = 9
const TAIL_WORD = 14
const AT_ONCE_WORD = 15
const LEFT_WORD = 17

/**
 * Where the first codes leave more than such a part of a list, comparing in two goes costs more than it saves: so many
 * lists behind it are compared by all codes at once.
 */
const MOST_LEFT = 0.6
const LISTS_AT_ONCE = 8

/** Bytes of scratch of bounds. @param length of a vector */
function bytesOfBounds(length: number): number {
  return RECORD_BYTES + 2 * (length + 16) + 3 * LIST_BYTES + 64
}

/** A query's codes. */
export interface QueryCodes extends Quantised {
  /** Padded as those of a leaf's vectors. */
  readonly codes: Int8Array
}

/** The codes of a query of a leaf's vectors. */
export function queryCodes(query: Float32Array, { codeBytes }: DenseVectorsReader): QueryCodes {
  const codes = new Int8Array(codeBytes)
  return { codes, ...quantise(query, codes) }
}

/** Passes over vectors of a leaf whose scores for one query cannot be as high as needed. */
export class ScoreBounds {
  readonly #space: VectorSpace
  readonly #leaf: Leaf
  readonly #record: number
  readonly #ords: number
  readonly #kept: number
  /** Lists that are still to be compared by all codes at once. */
  #wholeLists = 0
  readonly #square: number
  readonly #length: number
  /** The factor of a vector's length of which its space's own is taken. */
  readonly #ofLength: number
  /** Relative error of a float32 sum over a vector's components. */
  readonly #rounding: number
  /** The score for which the record's factors were made. */
  #needed = Number.NaN

  /** @param record address of scratch for it; all is within `bytesOfBounds` */
  constructor(
    space: VectorSpace,
    query: Float32Array,
    vectors: DenseVectorsReader,
    leaf: Leaf,
    record: number,
    { codes, step, rest, tail }: QueryCodes,
  ) {
    const { codeBytes } = vectors
    const { i32, f32, u8 } = leaf.views
    const own = record + RECORD_BYTES
    this.#space = space
    this.#leaf = leaf
    this.#record = record
    this.#ords = own + 2 * codeBytes
    this.#kept = this.#ords + LIST_BYTES
    this.#square = squareOf(query)
    this.#length = Math.sqrt(this.#square)
    this.#rounding = (vectors.dimension / 16 + 8) * 2 ** -23
    const reach = this.#length + rest
    this.#ofLength = (rest + this.#rounding * this.#length + STEPS * reach) * SLACK
    new Int16Array(u8.buffer, own, codeBytes).set(codes)
    const word = record >> 2
    i32.set([own, vectors.codes, vectors.firstBytes, 0, 0, 0, this.#kept], word)
    i32.set([vectors.quanta << 2, vectors.squares << 2], word + 7)
    f32.set([step, (1 + STEPS) * reach * SLACK], word + FACTORS_WORD)
    f32[word + TAIL_WORD] = tail * SLACK
    const { hasTails, lastCodes, lastBytes } = vectors
    const products = this.#kept + LIST_BYTES
    i32.set([0, hasTails ? 1 : 0, 0, products, lastCodes, lastBytes], word + AT_ONCE_WORD)
  }

  /**
   * Lists the vectors, at most `ROWS_AT_ONCE`, whose scores may be as high as needed.
   * @param ords  the first `count` of them; null: the run from `first` on
   * @param kept  receives them, in order
   * @returns how many they are
   */
  list(
    ords: Int32Array | null,
    first: number,
    count: number,
    needed: number,
    kept: Int32Array,
  ): number {
    const { views, kernels } = this.#leaf
    if (needed !== this.#needed) this.#need(needed)
    if (ords !== null) views.i32.set(ords.subarray(0, count), this.#ords >> 2)
    const word = this.#record >> 2
    views.i32.set([ords === null ? 0 : this.#ords, first, count], word + ORDS_WORD)
    const isAtOnce = this.#wholeLists > 0
    if (isAtOnce) this.#wholeLists--
    views.i32[word + AT_ONCE_WORD] = isAtOnce ? 1 : 0
    const found = kernels.boundVectors(this.#record)
    if (!isAtOnce && views.i32[word + LEFT_WORD]! > MOST_LEFT * count)
      this.#wholeLists = LISTS_AT_ONCE
    const from = this.#kept >> 2
    for (let i = 0; i < found; i++) kept[i] = views.i32[from + i]!
    return found
  }

  /**
   * Writes the factors and the limit for a score.
   *
   * By Cauchy and Schwarz: with v = v' + e and q = q' + d, where v' and q' are what the codes stand for,
   * vq = v'q' + eq + v'd, and the length of v' is at most that of v and e together. So vq is at most
   * v'q' + |e|(|q| + |d|) + |v||d|. Of v'q' the part of the last components is at most their lengths' product, so
   * that the first ones make a bound too. A vector is too far where that is at most a number of its own: of products the
   * least product, of angles the least cosine times both lengths, of distances half of what the squares of both
   * are more than the least square of a distance.
   */
  #need(needed: number): void {
    this.#needed = needed
    const raw = rawBelow(this.#space, needed)
    const square = this.#square
    const rounding = 2 * this.#rounding
    let ofLength = this.#ofLength
    let ofSquare = 0
    let limit = raw
    // Past these the errors of float32 are no longer relative to what they are errors of.
    if (raw === null || !(square > 1e-30 && square < 1e30)) limit = Number.NEGATIVE_INFINITY
    else if (this.#space === 'l2') {
      const part = 1 - rounding - 2 * STEPS
      ofSquare = -part / 2
      limit = (part * square - (raw / (1 - rounding)) * (1 + STEPS)) / 2
      limit -= Math.abs(limit) * MARGIN
    } else if (this.#space === 'cosinesimil') {
      ofLength -= (raw - Math.abs(raw) * MARGIN) * this.#length
      limit = 0
    }
    const word = (this.#record >> 2) + FACTORS_WORD
    this.#leaf.views.f32.set([ofLength, ofSquare, limit!], word + 2)
  }
}

/**
 * Bounds of a leaf's scores; null: its vectors have no codes, the space's scores no bounds, or there is no room.
 * @param coded the query's codes, where they are there already
 */
export function scoreBounds(
  space: VectorSpace,
  query: QueryVector,
  vectors: DenseVectorsReader,
  leaf: Leaf,
  coded: QueryCodes | null = null,
): ScoreBounds | null {
  if (vectors.codes === 0 || !BOUNDED.includes(space) || !(query instanceof Float32Array))
    return null
  const record = leaf.scratch.tryAllocate(bytesOfBounds(vectors.dimension))
  if (record < 0) return null
  return new ScoreBounds(space, query, vectors, leaf, record, coded ?? queryCodes(query, vectors))
}
