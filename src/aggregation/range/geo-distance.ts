/** `geo_distance`: a bucket for each of several ranges of the distance from a place. */
import type { GatherNotes } from '../../search/collector/gather.ts'
import { decodedPlace } from '../../search/scorer/place-values.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { arcDistance, type Place, planeDistance } from '../../util/geo-distance.ts'
import type { AggregationPlan, AggregationType, Aggregator } from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource, ValueFormat } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { type NumberRange, RangeCounts } from './range-counts.ts'
import { ShardRange } from './shard-range.ts'

/** A bucket for each of several ranges of distances. */
export interface GeoDistance extends AggregationPlan {
  readonly kind: 'geoDistance'
  /** Places as integers: quantised latitudes in the upper halves, longitudes in the lower ones. */
  readonly values: NumberSource
  readonly origin: Place
  readonly isPlane: boolean
  readonly metersPerUnit: number
  /** By `from`, then `to`, in units. */
  readonly ranges: readonly NumberRange[]
  readonly keyed: boolean
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets of ranges of distances. */
export const geoDistance: AggregationType<GeoDistance, null> = {
  readsScores: () => false,
  className: () => 'RangeAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return null
  },
  open: (plan, _ready, children) => new DistanceAggregator(plan, children),
  sliceReducer: ({ ranges }) => new SliceFixed(ranges.length),
  shardReducer([plan], children, shards) {
    const { ranges, keyed, values } = plan!
    const form = {
      typedName: 'geo_distance',
      className: 'InternalGeoDistance',
      ranges: ranges.map(range => ({ ...range, key: keyOf(range, values.format) })),
      keyed,
      format: values.format,
    }
    return new ShardRange(form, children, shards)
  },
}

/** A range from 0 is named as one that is open below. */
function keyOf({ key, from, to }: NumberRange, format: ValueFormat): string {
  if (key !== null) return key
  const text = numberText(format)
  const end = to === Number.POSITIVE_INFINITY ? '*' : text.of(to)
  return `${from === 0 ? '*' : text.of(from)}-${end}`
}

class DistanceAggregator implements Aggregator {
  readonly #column: NumberColumn
  readonly #distanceOf: (lat: number, lon: number) => number
  readonly #ranges: RangeCounts
  #distances = new Float64Array(0)

  constructor(plan: GeoDistance, children: readonly Aggregator[]) {
    const { values, ranges, origin, isPlane, metersPerUnit } = plan
    this.#column = new NumberColumn(values)
    const distance = isPlane ? planeDistance : arcDistance
    this.#distanceOf = (lat, lon) => distance(origin, decodedPlace(lat, lon)) / metersPerUnit
    this.#ranges = new RangeCounts(ranges, children)
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, high, low } = column
    if (this.#distances.length < count) this.#distances = new Float64Array(index.length)
    for (let i = 0; i < count; i++) this.#distances[i] = this.#distanceOf(high[i]!, low[i]!)
    this.#ranges.add(batch, this.#distances, index, count)
  }

  finish(): FixedPartial {
    return this.#ranges.partial()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
