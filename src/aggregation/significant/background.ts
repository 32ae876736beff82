/** `background`: the documents that terms are compared with, counted by a search of their own. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationPlan, AggregationType, SliceReducer } from '../aggregation-type.ts'
import { NO_BUCKETS } from '../aggregation-type.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { Doubles } from '../columns.ts'
import { acceptedOrds } from '../terms/ordinal-terms.ts'
import type { ValueKeys } from '../terms/term-keys.ts'
import type { ValueFilter } from '../terms/value-filter.ts'
import type { ValueSource } from '../value-source.ts'
import { keysOf, SignificantCollector, type SignificantPartial } from './significant-collector.ts'

/** Documents by value, which a request never names. */
export interface Background extends AggregationPlan {
  readonly kind: 'background'
  readonly values: ValueSource
  /** The values that are counted; null: all. */
  readonly filter: ValueFilter | null
}

/** The documents of a shard's background by value: plain data. Terms are ords of the shard. */
export interface ClosedBackground extends BucketKeys {
  /** All documents. */
  readonly size: number
  readonly counts: Float64Array
}

interface Ready {
  readonly accepted: readonly (Uint32Array | null)[]
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Documents by value. */
export const background: AggregationType<Background, Ready> = {
  readsScores: () => false,
  className: () => 'NonCollectingAggregator',
  prepare({ values, filter }, shard) {
    if (values.kind === 'numbers') shard.use(values.field, NUMERIC_VALUES)
    if (values.kind !== 'terms') return { accepted: [] }
    shard.useTerms(values.field, values.fieldData)
    return { accepted: acceptedOrds(values, filter, shard.leaves) }
  },
  open: (plan, { accepted }, _children, slice) =>
    new SignificantCollector(plan, accepted, [], false, slice),
  sliceReducer: (plan, { accepted }, leaves) => new SliceBackground(plan, accepted, leaves),
  shardReducer() {
    throw new Error('backgrounds end with their shard')
  },
}

class SliceBackground implements SliceReducer {
  readonly #keys: ValueKeys
  readonly #counts = new Doubles()
  #size = 0

  constructor(
    { values, filter }: Background,
    accepted: readonly (Uint32Array | null)[],
    leaves: readonly Leaf[],
  ) {
    this.#keys = keysOf(values, filter, accepted, leaves)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { sizes, counts: from } = own as SignificantPartial
    this.#size += sizes[0] ?? 0
    const buckets = this.#keys.add(own, owners)
    const counts = this.#counts.ensure(this.#keys.size)
    buckets.forEach((bucket, i) => {
      counts[bucket] = counts[bucket]! + from[i]!
    })
    return NO_BUCKETS
  }

  close(): { own: ClosedBackground; buckets: Int32Array } {
    const keys = this.#keys
    const { size } = keys
    const own = {
      size: this.#size,
      owners: new Int32Array(size),
      highs: Int32Array.from({ length: size }, (_, bucket) => keys.high(bucket)),
      lows: Int32Array.from({ length: size }, (_, bucket) => keys.low(bucket)),
      counts: this.#counts.ensure(size).slice(0, size),
    }
    return { own, buckets: NO_BUCKETS }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

/**
 * The counts of a background, for the thread that closes shards: they are private, so that a plan which
 * crosses to a search thread leaves them behind.
 */
export class BackgroundCounts {
  readonly #table = new BucketTable()
  readonly #counts: Float64Array
  readonly #size: number

  constructor({ size, highs, lows, counts }: ClosedBackground) {
    this.#size = size
    this.#counts = counts
    for (let i = 0; i < highs.length; i++) this.#table.bucketOf(0, highs[i]!, lows[i]!)
  }

  /** All documents. */
  get size(): number {
    return this.#size
  }

  /** Documents with a value. @param high @param low its key in halves */
  count(high: number, low: number): number {
    return this.#counts[this.#table.bucketOf(0, high, low)] ?? 0
  }
}
