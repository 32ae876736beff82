/** geohash_grid, geotile_grid and geohex_grid: a bucket for each cell that holds points. */
import { cellOrder, cellsOf, type Grid } from '../../plain-cells.ts'
import { type PlainKind, sometimes } from '../kind.ts'
import { pointsOf } from '../row.ts'
import { type CutBody, cutBuckets } from './cut-terms.ts'

interface GridBody extends CutBody {
  readonly field: string
  readonly precision: number
  readonly bounds?: Record<'top' | 'left' | 'bottom' | 'right', number>
}

const PRECISIONS: { readonly [G in Grid]: readonly [min: number, max: number] } = {
  geohash_grid: [1, 12],
  geotile_grid: [0, 29],
  geohex_grid: [0, 15],
}
/** So many that shards leave no cell out. */
const ALL = 100_000

function grid(kind: Grid): PlainKind<GridBody> {
  return {
    buckets: 'several',
    isByValue: true,
    fits: ({ path }) => path === '',
    draw({ random }) {
      const [min, max] = PRECISIONS[kind]
      const [a, b] = [random.below(60) - 30, random.below(60) - 30]
      const sides = { left: random.below(360) - 180, right: random.below(360) - 180 }
      return {
        field: 'at',
        precision: min + random.below(random.below(2) === 0 ? 5 : max - min + 1),
        ...sometimes(random, 3, {
          bounds: { top: Math.max(a, b), bottom: Math.min(a, b), ...sides },
        }),
        shard_size: ALL,
        size: random.below(3) === 0 ? 1 + random.below(4) : ALL,
      }
    },
    answer(body, rows, below) {
      const rules = {
        keysOf: (row: (typeof rows)[number]) => [...cellsOf(kind, body, pointsOf(row))],
        id: (cell: string) => cell,
        compare: (a: string, b: string) => (cellOrder(kind, a) < cellOrder(kind, b) ? 1 : -1),
        print: (key: string) => ({ key }),
      }
      return { buckets: cutBuckets(body, rows, rules, below)['buckets'] }
    },
  }
}

/** `geohash_grid`. */
export const geohashGrid: PlainKind<GridBody> = grid('geohash_grid')
/** `geotile_grid`. */
export const geotileGrid: PlainKind<GridBody> = grid('geotile_grid')
/** `geohex_grid`. */
export const geohexGrid: PlainKind<GridBody> = grid('geohex_grid')
