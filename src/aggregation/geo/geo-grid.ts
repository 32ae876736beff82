/** `geohash_grid`, `geotile_grid` and `geohex_grid`: a bucket for each cell of a grid with places in it. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { compareKeys, keyId } from '../terms/key-form.ts'
import { NumberKeys } from '../terms/number-keys.ts'
import { type KeyForm, ShardBuckets } from '../terms/shard-buckets.ts'
import { SliceTerms } from '../terms/slice-terms.ts'
import type { TermKey } from '../terms/term-keys.ts'
import type { CutBuckets } from '../terms/terms-plan.ts'
import type { NumberSource, ShapeSource } from '../value-source.ts'
import { CellCollector, CellsOfPlaces, CellsOfShapes } from './cell-collector.ts'
import { CELL_GRIDS, type CellGridName } from './cells/cell-grids.ts'
import type { CellPlan } from './cells/place-cells.ts'
import { ShapeColumn } from './shape-column.ts'

/** A bucket for each cell with places in it. */
export interface GeoGrid extends AggregationPlan, CutBuckets {
  readonly kind: 'geoGrid'
  /** Shapes; or places as integers: quantised latitudes in the upper halves, longitudes in the lower ones. */
  readonly places: NumberSource | ShapeSource
  readonly cells: CellPlan
}

const NUMERIC_VALUES = sectionBit('numericValues')
const TRIANGLES = sectionBit('triangles')

/** Cells are integers of 64 bits, as places are. */
const CELLS: NumberSource = {
  kind: 'numbers',
  field: '',
  encoding: 'long',
  scale: 1,
  type: 'long',
  isNanos: false,
  missing: null,
  format: { kind: 'raw' },
}

const CLASS_NAMES: { readonly [G in CellGridName]: string } = {
  geohash: 'GeoHashGrid',
  geotile: 'GeoTileGrid',
  geohex: 'GeoHexGrid',
}

/** Buckets by cell. */
export const geoGrid: AggregationType<GeoGrid, null> = {
  readsScores: () => false,
  className: ({ cells }) => `${CLASS_NAMES[cells.grid]}Aggregator`,
  prepare({ places }, shard) {
    shard.use(places.field, places.kind === 'shapes' ? TRIANGLES : NUMERIC_VALUES)
    return null
  },
  open({ places, cells }, _ready, children, slice) {
    const reader =
      places.kind === 'shapes'
        ? new CellsOfShapes(new ShapeColumn(places, bytes => slice.charge(bytes)), cells)
        : new CellsOfPlaces(places, cells)
    return new CellCollector(reader, children, slice)
  },
  sliceReducer: (plan, _ready, leaves, children) =>
    new SliceTerms(plan, new NumberKeys(CELLS, null, leaves), children),
  shardReducer: ([plan], children, shards) =>
    new ShardBuckets(plan!, cellForm(plan!.cells.grid), children, shards),
}

function cellForm(grid: CellGridName): KeyForm<TermKey> {
  return {
    typedName: `${grid}_grid`,
    className: CLASS_NAMES[grid],
    showsCounters: false,
    normal: key => key,
    id: keyId,
    compare: compareKeys,
    print(key) {
      const name = CELL_GRIDS[grid].text(key as bigint)
      return { key: name, text: undefined, name, number: Number.NaN }
    },
  }
}
