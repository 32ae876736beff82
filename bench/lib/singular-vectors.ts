/**
 * The truncated singular value decomposition of a sparse matrix, by randomized iteration of a subspace (Halko,
 * Martinsson and Tropp, 2011): the same for a seed.
 */
import { Random } from '../../dist/util/random.js'

/** Directions beyond those that are kept, which make these exact. */
const OVERSAMPLING = 16
/** Each divides what the sketch has of the directions left out by the square of their singular values. */
const POWER_ITERATIONS = 2
/** Jacobi's rotations end when no entry beside the diagonal is larger than this part of the largest on it. */
const DIAGONAL = 1e-12
const MAX_SWEEPS = 30

/** Rows of a sparse matrix: of row i the places `starts[i] … starts[i + 1] − 1`. */
export interface SparseRows {
  readonly columns: number
  readonly starts: Uint32Array
  readonly column: Uint32Array
  readonly value: Float64Array
}

/** Rows of a dense matrix, one behind the other. */
export interface DenseRows {
  readonly rows: number
  readonly width: number
  readonly data: Float64Array
}

/** The right singular vectors of the largest singular values, as columns. */
export function singularVectors(
  rows: SparseRows,
  dimension: number,
  seed: number,
): { readonly basis: DenseRows; readonly kept: number } {
  const random = new Random(seed + dimension)
  const width = dimension + OVERSAMPLING
  if (Math.min(rows.columns, rows.starts.length - 1) < width)
    throw new Error(`[${rows.columns}] words are too few for [${dimension}] directions`)
  const gaussian = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  let sketch = dense(rows.columns, width)
  for (let i = 0; i < sketch.data.length; i++) sketch.data[i] = gaussian()
  for (let i = 0; i <= POWER_ITERATIONS; i++)
    sketch = orthonormal(timesTransposed(rows, times(rows, sketch)))
  const inside = eigen(gram(times(rows, sketch)), width)
  let all = 0
  for (const value of rows.value) all += value * value
  const best = inside.slice(0, dimension)
  const kept = best.reduce((sum, { value }) => sum + value, 0) / all
  const basis = dense(rows.columns, dimension)
  for (let row = 0; row < basis.rows; row++)
    for (let to = 0; to < dimension; to++) {
      const { vector } = best[to]!
      let sum = 0
      for (let i = 0; i < width; i++) sum += sketch.data[row * width + i]! * vector[i]!
      basis.data[row * dimension + to] = sum
    }
  return { basis, kept }
}

function dense(rows: number, width: number): DenseRows {
  return { rows, width, data: new Float64Array(rows * width) }
}

/** The product of the two. */
export function times(
  { starts, column, value }: SparseRows,
  { width, data }: DenseRows,
): DenseRows {
  const out = dense(starts.length - 1, width)
  for (let row = 0; row < out.rows; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++)
      addRow(out.data, row * width, data, column[at]! * width, value[at]!, width)
  return out
}

function timesTransposed(
  { columns, starts, column, value }: SparseRows,
  { rows, width, data }: DenseRows,
): DenseRows {
  const out = dense(columns, width)
  for (let row = 0; row < rows; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++)
      addRow(out.data, column[at]! * width, data, row * width, value[at]!, width)
  return out
}

function addRow(
  into: Float64Array,
  at: number,
  from: Float64Array,
  start: number,
  factor: number,
  width: number,
): void {
  for (let i = 0; i < width; i++) into[at + i] = into[at + i]! + factor * from[start + i]!
}

/** The products of all pairs of columns: the lower half of a square matrix. */
function gram({ rows, width, data }: DenseRows): Float64Array {
  const out = new Float64Array(width * width)
  for (let row = 0; row < rows; row++) {
    const start = row * width
    for (let i = 0; i < width; i++) addRow(out, i * width, data, start, data[start + i]!, i + 1)
  }
  return out
}

/**
 * Columns of the same span, each of the length 1 and at right angles to the others: those of Cholesky's QR, done twice,
 * since once leaves errors of the square of how unlike the columns' lengths are.
 */
function orthonormal(columns: DenseRows): DenseRows {
  for (let pass = 0; pass < 2; pass++) {
    const { rows, width, data } = columns
    const lower = cholesky(gram(columns), width)
    for (let row = 0; row < rows; row++)
      for (let to = 0; to < width; to++) {
        let left = data[row * width + to]!
        for (let i = 0; i < to; i++) left -= lower[to * width + i]! * data[row * width + i]!
        data[row * width + to] = left / lower[to * width + to]!
      }
  }
  return columns
}

/** The lower half whose product with its transpose is a matrix, of which the lower half is read and overwritten. */
function cholesky(matrix: Float64Array, width: number): Float64Array {
  for (let row = 0; row < width; row++)
    for (let to = 0; to <= row; to++) {
      let left = matrix[row * width + to]!
      for (let i = 0; i < to; i++) left -= matrix[row * width + i]! * matrix[to * width + i]!
      if (row > to) matrix[row * width + to] = left / matrix[to * width + to]!
      else if (left > 0) matrix[row * width + row] = Math.sqrt(left)
      else throw new Error(`the texts span fewer than [${width}] directions`)
    }
  return matrix
}

interface EigenPair {
  readonly value: number
  readonly vector: Float64Array
}

/** Values and vectors of a symmetric matrix, of which the lower half is given, by Jacobi's rotations; the largest first. */
function eigen(lower: Float64Array, width: number): EigenPair[] {
  const a = Array.from({ length: width }, (_, row) =>
    Float64Array.from({ length: width }, (_, i) =>
      row >= i ? lower[row * width + i]! : lower[i * width + row]!,
    ),
  )
  const vectors = Array.from({ length: width }, (_, row) => {
    const unit = new Float64Array(width)
    unit[row] = 1
    return unit
  })
  for (let sweep = 0; sweep < MAX_SWEEPS && rotateAll(a, vectors); sweep++);
  return vectors
    .map((vector, i) => ({ value: a[i]![i]!, vector }))
    .sort((one, other) => other.value - one.value)
}

/** @returns whether a rotation was left to do */
function rotateAll(a: readonly Float64Array[], vectors: readonly Float64Array[]): boolean {
  const width = a.length
  let largest = 0
  for (let i = 0; i < width; i++) largest = Math.max(largest, Math.abs(a[i]![i]!))
  let isRotated = false
  for (let p = 0; p < width; p++)
    for (let q = p + 1; q < width; q++) {
      const beside = a[p]![q]!
      if (Math.abs(beside) <= DIAGONAL * largest) continue
      isRotated = true
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * beside)
      const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1))
      const cosine = 1 / Math.hypot(tangent, 1)
      const sine = tangent * cosine
      for (const row of a) {
        const own = row[p]!
        row[p] = cosine * own - sine * row[q]!
        row[q] = sine * own + cosine * row[q]!
      }
      rotate(a[p]!, a[q]!, cosine, sine)
      rotate(vectors[p]!, vectors[q]!, cosine, sine)
    }
  return isRotated
}

function rotate(p: Float64Array, q: Float64Array, cosine: number, sine: number): void {
  for (let i = 0; i < p.length; i++) {
    const own = p[i]!
    p[i] = cosine * own - sine * q[i]!
    q[i] = sine * own + cosine * q[i]!
  }
}
