import type { CellGrid } from './cell-grid.ts'
import { geohashGrid } from './geohash-grid.ts'
import { geohexGrid } from './geohex-grid.ts'
import { geotileGrid } from './geotile-grid.ts'

/** Names of the grids. */
export type CellGridName = 'geohash' | 'geotile' | 'geohex'

/** The grids by name. */
export const CELL_GRIDS: { readonly [G in CellGridName]: CellGrid } = {
  geohash: geohashGrid,
  geotile: geotileGrid,
  geohex: geohexGrid,
}
