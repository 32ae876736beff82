import { describe, expect, it } from 'vitest'
import {
  type DenseRows,
  type SparseRows,
  singularVectors,
  times,
} from '../../bench/lib/singular-vectors.ts'
import { Random } from '../../src/util/random.ts'

const ROWS = 120
const COLUMNS = 60

/** Rows of a matrix with a third of its entries. */
function drawRows(random: Random, of: (row: number, column: number) => number): SparseRows {
  const starts = [0]
  const column: number[] = []
  const value: number[] = []
  for (let row = 0; row < ROWS; row++) {
    for (let to = 0; to < COLUMNS; to++)
      if (random.below(3) === 0) {
        column.push(to)
        value.push(of(row, to))
      }
    starts.push(value.length)
  }
  return {
    columns: COLUMNS,
    starts: Uint32Array.from(starts),
    column: Uint32Array.from(column),
    value: Float64Array.from(value),
  }
}

function plain({ starts, column, value }: SparseRows): number[][] {
  return Array.from({ length: ROWS }, (_, row) => {
    const out = new Array<number>(COLUMNS).fill(0)
    for (let at = starts[row]!; at < starts[row + 1]!; at++) out[column[at]!] = value[at]!
    return out
  })
}

const columnOf = ({ rows, width, data }: DenseRows, at: number): number[] =>
  Array.from({ length: rows }, (_, row) => data[row * width + at]!)
const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)

/** The largest singular values by powers of one vector at a time, each taken out of the matrix when it is found. */
function powers(matrix: number[][], count: number): number[] {
  const found: number[] = []
  for (let at = 0; at < count; at++) {
    let right = Array.from({ length: COLUMNS }, (_, i) => Math.sin(1 + i * (at + 1)))
    let left: number[] = []
    let value = 0
    for (let step = 0; step < 4000; step++) {
      const length = Math.sqrt(product(right, right))
      right = right.map(each => each / length)
      left = matrix.map(row => product(row, right))
      value = Math.sqrt(product(left, left))
      right = right.map((_, i) => left.reduce((sum, each, row) => sum + each * matrix[row]![i]!, 0))
    }
    const length = Math.sqrt(product(right, right))
    for (const [row, each] of left.entries())
      for (let i = 0; i < COLUMNS; i++) matrix[row]![i]! -= each * (right[i]! / length)
    found.push(value)
  }
  return found
}

describe('singular vectors of a sparse matrix', () => {
  const random = new Random(7)
  // Ten strong columns, as words of texts have them.
  const rows = drawRows(
    random,
    (_, column) => (random.next() - 0.3) * (column < 10 ? 9 - column / 2 : 1),
  )
  const { basis, kept } = singularVectors(rows, 8, 3)

  it('are at right angles and of the length 1', () => {
    for (let a = 0; a < 8; a++)
      for (let b = 0; b < 8; b++)
        expect(product(columnOf(basis, a), columnOf(basis, b))).toBeCloseTo(a === b ? 1 : 0, 12)
  })

  it('have the largest singular values, in order, and the share of the squares that these have', () => {
    const mapped = times(rows, basis)
    const values = Array.from({ length: 8 }, (_, at) => {
      const own = columnOf(mapped, at)
      return Math.sqrt(product(own, own))
    })
    const exact = powers(plain(rows), 8)
    for (const [at, value] of values.entries()) expect(value / exact[at]!).toBeCloseTo(1, 4)
    const all = rows.value.reduce((sum, value) => sum + value * value, 0)
    expect(kept).toBeCloseTo(values.reduce((sum, value) => sum + value * value, 0) / all, 12)
  })

  it('are the same for a seed', () => {
    expect(singularVectors(rows, 8, 3).basis.data).toEqual(basis.data)
    expect(singularVectors(rows, 8, 4).basis.data).not.toEqual(basis.data)
  })

  it('are refused where there are too few', () => {
    const flat = drawRows(new Random(2), () => 0)
    expect(() => singularVectors(flat, 8, 3)).toThrow('the texts span fewer than [24] directions')
    expect(() => singularVectors(rows, 50, 3)).toThrow('[60] words are too few for [50] directions')
  })
})
