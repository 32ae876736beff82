/** `geohash_grid`, `geotile_grid` and `geohex_grid`. */
import type { CellGridName } from '../../../aggregation/geo/cells/cell-grids.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { overValues } from './bind-values.ts'
import { cellReaders, newCellKeys } from './cell-keys.ts'
import { readSize } from './counts.ts'
import { readFields } from './object-fields.ts'
import { type PlaceSource, placeKeys } from './place-keys.ts'

const DEFAULT_SIZE = 10_000
const MIN_SHARD_SIZE = 10
const MAX_SIZE = 2147483647

/** `geohash_grid`. */
export const geohashGrid: AggregationParser = geoGrid('geohash')
/** `geotile_grid`. */
export const geotileGrid: AggregationParser = geoGrid('geotile')
/** `geohex_grid`. */
export const geohexGrid: AggregationParser = geoGrid('geohex')

function geoGrid(grid: CellGridName): AggregationParser {
  const type = `${grid}_grid`
  return {
    takesChildren: true,
    sortable: 'no',
    parse({ name, node }) {
      const keys = placeKeys(type)
      const cells = newCellKeys(grid)
      let size = DEFAULT_SIZE
      let shardSize = -1
      readFields(node, type, keys.readers, cellReaders(cells), {
        size: value => {
          size = readSize(value, 'size', name)
        },
        shard_size: value => {
          shardSize = readSize(value, 'shardSize', name)
        },
      })
      keys.check()
      return {
        bind(context, children) {
          const places = grid === 'geohex' ? keys.bind(context) : keys.bindAny(context)
          const usual = Math.min(MAX_SIZE, Math.max(MIN_SHARD_SIZE, size * context.searchedShards))
          return overValues<PlaceSource>(places, keys.none(), places => ({
            kind: 'geoGrid',
            name,
            children,
            places,
            cells,
            size,
            shardSize: Math.max(size, shardSize < 0 ? usual : shardSize),
            minDocCount: 1,
            shardMinDocCount: 0,
            order: [
              { by: 'count', descending: true },
              { by: 'key', descending: true },
            ],
            showsErrors: false,
            maxDocCount: Number.POSITIVE_INFINITY,
          }))
        },
      }
    },
  }
}
