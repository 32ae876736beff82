import { TRIANGLE_WORDS } from '../../../schema/geo-shape/shape-triangles.ts'
import { type DegreeBox, isApart } from '../../../search/scorer/shape/component.ts'
import { componentOf, decodeTriangle } from '../../../search/scorer/shape/components.ts'
import { Triangle } from '../../../search/scorer/shape/plane.ts'
import { assert } from '../../../util/assert.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { ShapeColumn } from '../shape-column.ts'
import type { CellLattice } from './cell-grid.ts'
import { CELL_GRIDS } from './cell-grids.ts'
import { type CellPlan, isWithin } from './place-cells.ts'

/** Cells of one document that are compared with its shapes. */
const MAX_CELLS = 2 ** 20

/** Finds the cells that the shapes of documents touch. */
export class ShapeCells {
  readonly #plan: CellPlan
  readonly #lattice: CellLattice
  /** Those of the document at hand; kept for the next one. */
  readonly #triangles: Triangle[] = []
  #visit: (high: number, low: number) => void = () => {}
  #compared = 0

  constructor(plan: CellPlan) {
    const lattice = CELL_GRIDS[plan.grid].lattice(plan.precision)
    assert(lattice !== null, 'shapes are in cells of columns and rows')
    this.#plan = plan
    this.#lattice = lattice
  }

  /**
   * Visits the cells of a document, each once. Where there are bounds, a corner of the box around the
   * shapes must lie in them.
   * @param shapes opened on the document
   * @param count  of its triangles
   * @param visit  takes the halves of a cell
   * @throws {IllegalArgumentError} more cells than are compared for one document
   */
  forEach(shapes: ShapeColumn, count: number, visit: (high: number, low: number) => void): void {
    const { west, east, south, north, words, start } = shapes
    if (count === 0 || !this.#isBounded(shapes)) return
    for (let i = this.#triangles.length; i < count; i++) this.#triangles.push(new Triangle())
    const triangles = this.#triangles.slice(0, count)
    triangles.forEach((triangle, i) => {
      const at = start + TRIANGLE_WORDS * i
      decodeTriangle(words.subarray(at, at + TRIANGLE_WORDS), triangle)
    })
    const lattice = this.#lattice
    const rows = [lattice.row(south), lattice.row(north)] as const
    this.#visit = visit
    this.#compared = 0
    this.#descend(
      [lattice.column(west), lattice.column(east)],
      [Math.min(...rows), Math.max(...rows)],
      triangles,
    )
  }

  #isBounded({ west, east, south, north }: ShapeColumn): boolean {
    const { bounds } = this.#plan
    if (bounds === null) return true
    return [south, north].some(lat => [west, east].some(lon => isWithin(bounds, lat, lon)))
  }

  /** Halves a block of cells, the triangles near which are known, down to single ones. */
  #descend(columns: Run, rows: Run, near: readonly Triangle[]): void {
    const box = this.#lattice.box(columns, rows)
    const touched = near.filter(triangle => !isApart(box, triangle))
    if (touched.length === 0) return
    const width = columns[1] - columns[0]
    const height = rows[1] - rows[0]
    if (width === 0 && height === 0) {
      if (this.#touches(box, touched)) {
        this.#lattice.find(columns[0], rows[0])
        this.#visit(this.#lattice.high, this.#lattice.low)
      }
    } else if (width >= height)
      for (const half of halves(columns)) this.#descend(half, rows, touched)
    else for (const half of halves(rows)) this.#descend(columns, half, touched)
  }

  #touches(box: DegreeBox, triangles: readonly Triangle[]): boolean {
    if (++this.#compared > MAX_CELLS) {
      const { grid, precision } = this.#plan
      throw new IllegalArgumentError(
        `[${grid}_grid] of precision [${precision}] would compare a shape with more than ` +
          `[${MAX_CELLS}] cells; ask for a lower precision`,
      )
    }
    const component = componentOf({ kind: 'box', box })
    return triangles.some(triangle => component.meets(triangle))
  }
}

/** Columns or rows, the last one in it. */
type Run = readonly [first: number, last: number]

function halves([first, last]: Run): readonly Run[] {
  const middle = Math.floor((first + last) / 2)
  return [
    [first, middle],
    [middle + 1, last],
  ]
}
