/** `geo_centroid`: the mean of the coordinates of places. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { Float64 } from '../../util/json/json-value.ts'
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
import { Doubles, ownerLimit } from '../columns.ts'
import {
  addSums,
  type ExactSum,
  ExactSums,
  LONG_EXPONENTS,
  roundedSum,
  type SumsPartial,
  sumScale,
  ZERO_SUM,
} from '../exact-sum.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { PlaceColumn } from './place-column.ts'

/** The centre of a field's places. */
export interface GeoCentroid extends AggregationPlan {
  readonly kind: 'geoCentroid'
  /** Places as integers: quantised latitudes in the upper halves, longitudes in the lower ones. */
  readonly places: NumberSource
}

/** Columns of a slice: sums of quantised coordinates. */
interface Partial {
  readonly counts: Float64Array
  readonly lats: SumsPartial
  readonly lons: SumsPartial
}

/** Columns of a shard. */
interface Closed {
  readonly counts: Float64Array
  readonly lats: readonly ExactSum[]
  readonly lons: readonly ExactSum[]
}

const NUMERIC_VALUES = sectionBit('numericValues')
const SCALE = sumScale(LONG_EXPONENTS)
const LAT_STEP = 180 / 2 ** 32
const LON_STEP = 360 / 2 ** 32

/** The centre of places. */
export const geoCentroid: AggregationType<GeoCentroid, null> = {
  readsScores: () => false,
  className: () => 'GeoCentroidAggregator',
  prepare({ places }, shard) {
    shard.use(places.field, NUMERIC_VALUES)
    return null
  },
  open: ({ places }) => new CentroidAggregator(places),
  sliceReducer: () => new SliceCentroids(),
  shardReducer: () => new ShardCentroids(),
}

class CentroidAggregator implements Aggregator {
  readonly #places: PlaceColumn
  readonly #counts = new Doubles()
  readonly #lats = new ExactSums(SCALE)
  readonly #lons = new ExactSums(SCALE)

  constructor(places: NumberSource) {
    this.#places = new PlaceColumn(places)
  }

  openLeaf(leaf: Leaf): void {
    this.#places.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    if (this.#places.isEmpty) return
    const limit = ownerLimit(batch.owners, batch.count)
    const counts = this.#counts.ensure(limit)
    this.#lats.ensure(limit)
    this.#lons.ensure(limit)
    this.#places.forEach(batch, (_index, owner, lat, lon) => {
      counts[owner] = counts[owner]! + 1
      addInteger(this.#lats, owner, lat)
      addInteger(this.#lons, owner, lon)
    })
  }

  finish(): Partial {
    return {
      counts: this.#counts.values,
      lats: this.#lats.partial(),
      lons: this.#lons.partial(),
    }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

function addInteger(sums: ExactSums, owner: number, value: number): void {
  sums.addLong(owner, value >> 31, value >>> 0)
}

class SliceCentroids implements SliceReducer {
  readonly #counts = new Doubles()
  readonly #lats = new ExactSums(SCALE)
  readonly #lons = new ExactSums(SCALE)

  add(own: unknown, owners: Int32Array): Int32Array {
    const { counts, lats, lons } = own as Partial
    const limit = ownerLimit(owners, owners.length)
    addCounts(this.#counts.ensure(limit), counts, owners)
    this.#lats.ensure(limit)
    this.#lons.ensure(limit)
    this.#lats.merge(lats, owners)
    this.#lons.merge(lons, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: Closed; buckets: Int32Array } {
    return {
      own: {
        counts: Float64Array.from(owners, owner => this.#counts.at(owner)),
        lats: Array.from(owners, owner => this.#lats.sum(owner)),
        lons: Array.from(owners, owner => this.#lons.sum(owner)),
      },
      buckets: NO_BUCKETS,
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

class ShardCentroids implements ShardReducer {
  readonly #counts = new Doubles()
  readonly #lats: ExactSum[] = []
  readonly #lons: ExactSum[] = []

  add(own: unknown, owners: Int32Array): Int32Array {
    const { counts, lats, lons } = own as Closed
    addCounts(this.#counts.ensure(ownerLimit(owners, owners.length)), counts, owners)
    owners.forEach((owner, i) => {
      this.#lats[owner] = addSums(this.#lats[owner] ?? ZERO_SUM, lats[i]!)
      this.#lons[owner] = addSums(this.#lons[owner] ?? ZERO_SUM, lons[i]!)
    })
    return NO_BUCKETS
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const count = this.#counts.at(owner)
    const lat = (roundedSum(this.#lats[owner] ?? ZERO_SUM) / count) * LAT_STEP
    const lon = (roundedSum(this.#lons[owner] ?? ZERO_SUM) / count) * LON_STEP
    return {
      kind: 'metric',
      typedName: 'geo_centroid',
      value: metric => {
        if (metric === 'count') return count
        return metric === 'lat' ? lat : metric === 'lon' ? lon : undefined
      },
      print: () =>
        count === 0
          ? { count }
          : { location: { lat: new Float64(lat), lon: new Float64(lon) }, count },
    }
  }
}

function addCounts(to: Float64Array, from: Float64Array, owners: Int32Array): void {
  for (let i = 0; i < owners.length && i < from.length; i++) {
    const owner = owners[i]!
    to[owner] = to[owner]! + from[i]!
  }
}
