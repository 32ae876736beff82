/** `geo_bounds`: the smallest box around places. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { decodedPlace } from '../../search/scorer/place-values.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { Float64, type JsonRecord } from '../../util/json/json-value.ts'
import {
  type AggregationPlan,
  type AggregationType,
  type Aggregator,
  NO_BUCKETS,
  NO_NOTES,
  type ShardReducer,
  type SliceReducer,
} from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { ownerLimit } from '../columns.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource, ShapeSource } from '../value-source.ts'
import { BoundsColumns, type BoundsPartial, type Extremes } from './bounds-columns.ts'
import { PlaceColumn, type PlaceReader } from './place-column.ts'
import { ShapeColumn, ShapeCorners } from './shape-column.ts'

/** The box around a field's places or shapes. */
export interface GeoBounds extends AggregationPlan {
  readonly kind: 'geoBounds'
  /** Shapes; or places as integers: quantised latitudes in the upper halves, longitudes in the lower ones. */
  readonly places: NumberSource | ShapeSource
  /** Whether the box may cross the date line, where that makes it narrower. */
  readonly wrapsLongitude: boolean
}

const NUMERIC_VALUES = sectionBit('numericValues')
const TRIANGLES = sectionBit('triangles')

/** The box around places. */
export const geoBounds: AggregationType<GeoBounds, null> = {
  readsScores: () => false,
  className: ({ places }) =>
    places.kind === 'shapes' ? 'GeoBoundsGeoShapeAggregator' : 'GeoBoundsAggregator',
  prepare({ places }, shard) {
    shard.use(places.field, places.kind === 'shapes' ? TRIANGLES : NUMERIC_VALUES)
    return null
  },
  open: ({ places }, _ready, _children, slice) =>
    new BoundsAggregator(
      places.kind === 'shapes'
        ? new ShapeCorners(new ShapeColumn(places, bytes => slice.charge(bytes)))
        : new PlaceColumn(places),
    ),
  sliceReducer: () => new SliceBounds(),
  shardReducer: ([plan]) => new ShardBounds(plan!.wrapsLongitude),
}

class BoundsAggregator implements Aggregator {
  readonly #places: PlaceReader
  readonly #columns = new BoundsColumns()

  constructor(places: PlaceReader) {
    this.#places = places
  }

  openLeaf(leaf: Leaf): void {
    this.#places.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    if (this.#places.isEmpty) return
    const columns = this.#columns
    columns.ensure(ownerLimit(batch.owners, batch.count))
    this.#places.forEach(batch, (_index, owner, lat, lon) => columns.add(owner, lat, lon))
  }

  finish(): BoundsPartial {
    return this.#columns.partial()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

class SliceBounds implements SliceReducer {
  readonly #columns = new BoundsColumns()

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#columns.merge(own as BoundsPartial, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: BoundsPartial; buckets: Int32Array } {
    return { own: this.#columns.pick(owners), buckets: NO_BUCKETS }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

class ShardBounds implements ShardReducer {
  readonly #wraps: boolean
  readonly #columns = new BoundsColumns()

  constructor(wraps: boolean) {
    this.#wraps = wraps
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#columns.merge(own as BoundsPartial, owners)
    return NO_BUCKETS
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const extremes = this.#columns.extremes(owner)
    const box = extremes === null ? null : boxOf(extremes, this.#wraps)
    return {
      kind: 'metric',
      typedName: 'geo_bounds',
      value: metric =>
        box !== null && metric !== null && isSide(metric) ? box[metric] : undefined,
      print: () => (box === null ? {} : { bounds: printBox(box) }),
    }
  }
}

/** Degrees. */
interface Box {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

function isSide(name: string): name is keyof Box {
  return name === 'top' || name === 'left' || name === 'bottom' || name === 'right'
}

/** The box, across the date line where that is narrower. */
function boxOf({ top, bottom, east, west }: Extremes, wraps: boolean): Box {
  const latitudes = { top: decodedPlace(top, 0).lat, bottom: decodedPlace(bottom, 0).lat }
  const lon = (value: number): number => decodedPlace(0, value).lon
  const sides = (left: number, right: number): Box => ({
    ...latitudes,
    left: lon(left),
    right: lon(right),
  })
  if (east === null) return sides(west!.min, west!.max)
  if (west === null) return sides(east.min, east.max)
  const plainWidth = lon(east.max) - lon(west.min)
  const wrappedWidth = 180 - lon(east.min) - (-180 - lon(west.max))
  return wraps && wrappedWidth < plainWidth ? sides(east.min, west.max) : sides(west.min, east.max)
}

function printBox({ top, left, bottom, right }: Box): JsonRecord {
  return {
    top_left: { lat: new Float64(top), lon: new Float64(left) },
    bottom_right: { lat: new Float64(bottom), lon: new Float64(right) },
  }
}
