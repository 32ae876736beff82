import { writePointBlocks } from '../point-blocks.ts'
import { tileOrder } from '../tile-order.ts'
import type { WordRows } from '../word-rows.ts'
import { TRIANGLES_VERSION } from './format.ts'

/**
 * Writes the triangles section of one field.
 * @param triangles in any order
 */
export function writeTriangles(triangles: WordRows, maxDoc: number): Uint8Array {
  const { docs, columns, length: count } = triangles
  const bounds = boundsOf(triangles)
  const order = tileOrder(docs, [bounds.west], [bounds.south], count)
  return writePointBlocks(
    {
      version: TRIANGLES_VERSION,
      docs,
      columns,
      count,
      wordCount: 1,
      boundWords: 4,
      order,
      maxDoc,
    },
    (index, start, length) => {
      const of = (column: Uint32Array, choose: (a: number, b: number) => number): void => {
        let best = column[order[start]!]!
        for (let i = 1; i < length; i++) best = choose(best, column[order[start + i]!]!)
        index.u32(best)
      }
      of(bounds.west, Math.min)
      of(bounds.south, Math.min)
      of(bounds.east, Math.max)
      of(bounds.north, Math.max)
    },
  )
}

/** The box around each triangle. */
function boundsOf({ columns, length }: WordRows): {
  readonly west: Uint32Array
  readonly south: Uint32Array
  readonly east: Uint32Array
  readonly north: Uint32Array
} {
  const of = (first: number, choose: (...numbers: number[]) => number): Uint32Array => {
    const [a, b, c] = [columns[first]!, columns[first + 2]!, columns[first + 4]!]
    return Uint32Array.from({ length }, (_, i) => choose(a[i]!, b[i]!, c[i]!))
  }
  return {
    west: of(0, Math.min),
    south: of(1, Math.min),
    east: of(0, Math.max),
    north: of(1, Math.max),
  }
}
